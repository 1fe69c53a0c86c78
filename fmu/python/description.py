"""modelDescription.xml of an FMU with blocks written in Python: as for any, with the capabilities that it has."""

from __future__ import annotations

from collections.abc import Mapping
from xml.etree import ElementTree as ET

from fmu.description2 import description2
from fmu.model import Model

_CAPABILITIES = {
    "needsExecutionTool": "true",  # a Python
    "canNotUseMemoryManagementFunctions": "true",  # Python has its own memory
    "canInterpolateInputs": "false",
    "maxOutputDerivativeOrder": "0",
    "canGetAndSetFMUstate": "true",
    "canSerializeFMUstate": "true",
    "providesDirectionalDerivative": "false",
}


def described(model: Model, fmi: str, token: str) -> bytes:
    """The XML. Only co-simulation is offered."""
    root = ET.fromstring(description2(model, token))
    kind = root.find("CoSimulation")
    assert kind is not None
    for name, value in _CAPABILITIES.items():
        kind.set(name, value)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ET.tostring(root, encoding="unicode")}\n'.encode()


def references(model: Model, fmi: str) -> Mapping[str, int]:
    """The value references of FMI 3 by the names of variables; nothing for FMI 2, where places are."""
    return {}
