"""modelDescription.xml of an FMU with blocks written in Python: as for any, with the capabilities that it has."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from xml.etree import ElementTree as ET

from fmu.description.dependencies import Dependencies
from fmu.description.description2 import description2
from fmu.description.description3 import description3, value_references
from fmu.description.model import Model

_CAPABILITIES = {
    "2.0": {
        "needsExecutionTool": "true",  # a Python
        "canNotUseMemoryManagementFunctions": "true",  # Python has its own memory
        "canInterpolateInputs": "false",
        "maxOutputDerivativeOrder": "0",
        "canGetAndSetFMUstate": "true",
        "canSerializeFMUstate": "true",
        "providesDirectionalDerivative": "false",
    },
    "3.0": {
        "needsExecutionTool": "true",
        "canGetAndSetFMUState": "true",
        "canSerializeFMUState": "true",
        "providesDirectionalDerivatives": "false",
        "providesAdjointDerivatives": "false",
        "providesPerElementDependencies": "false",
        "maxOutputDerivativeOrder": "0",
        "providesIntermediateUpdate": "false",
        "mightReturnEarlyFromDoStep": "false",
        "canReturnEarlyAfterIntermediateUpdate": "false",
        "hasEventMode": "false",
        "providesEvaluateDiscreteStates": "false",
    },
}
_NOT_SERVED = ("size", "clock")
"""Roles of variables that the wrapper of PythonFMU3 has no functions for: it ends the process if they are called."""


def served(model: Model) -> Model:
    """The model with the variables that the slave serves: arrays keep the size that they have."""
    variables = [dataclasses.replace(v, size=None) for v in model.variables if v.role not in _NOT_SERVED]
    return dataclasses.replace(model, variables=variables)


def described(model: Model, fmi: str, token: str) -> bytes:
    """The XML. Only co-simulation is offered."""
    root = ET.fromstring(
        description3(model, token, Dependencies(model, value_references(model.listed)))
        if fmi == "3.0"
        else description2(model, token)
    )
    kind = root.find("CoSimulation")
    assert kind is not None
    for name, value in _CAPABILITIES[fmi].items():
        kind.set(name, value)
    for variable in root.iterfind("ModelVariables/*"):
        variable.attrib.pop("intermediateUpdate", None)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ET.tostring(root, encoding="unicode")}\n'.encode()


def references(model: Model, fmi: str) -> Mapping[str, int]:
    """The value references of FMI 3 by the names of variables; nothing for FMI 2, where places are."""
    return value_references(model.listed) if fmi == "3.0" else {}
