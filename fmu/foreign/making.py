"""Make an instance of an FMU with the parameters of its block, in this process or in one of its own."""

from __future__ import annotations

import weakref
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from blocks.errors import FmuError
from blocks.model.declare import Value
from fmu.foreign.description import Description
from fmu.foreign.ports import Face
from fmu.foreign.spec import Interface, Spec, StartValue, Steps
from fmu.foreign.unpack import Package

if TYPE_CHECKING:
    from fmu.foreign.instance import Instance

_made: weakref.WeakKeyDictionary[Package, weakref.WeakSet[Instance]] = weakref.WeakKeyDictionary()
"""Instances in this process, by their FMU."""


def make_steps(spec: Spec, description: Description, values: Mapping[str, Value], name: str) -> Steps:
    """An instance for the parameters of a block. Raises FmuError if there can be none."""
    if values["isolate"]:
        from fmu.foreign.isolated import IsolatedInstance

        return IsolatedInstance(spec, name, float(values["timeout"]), float(values["memory_limit"]))
    from fmu.foreign.model_exchange import make_instance

    others = _made.setdefault(description.package, weakref.WeakSet())
    own = description.settings(spec.interface)
    if own.canBeInstantiatedOnlyOncePerProcess and any(instance.fmu is not None for instance in others):
        raise FmuError(f"{spec.file} can be instantiated only once in a process: give all but one isolate=True")
    instance = make_instance(spec, name)
    others.add(instance)
    return instance


def spec_of(description: Description, interface: Interface, face: Face, values: Mapping[str, Value]) -> Spec:
    """What an instance for the parameters of a block needs to know. Unpacks the FMU."""
    own = description.settings(interface)
    inputs = face.input_specs
    if not values["feedthrough"]:
        inputs = tuple(replace(spec, direct=spec.fixed) for spec in inputs)
    start: list[StartValue] = []
    for name, setting in face.settings.items():
        start += setting.start_values(values[name])
    return Spec(
        file=str(values["path"]),
        folder=str(description.package.folder()),
        fmi=description.fmi,
        interface=interface,
        identifier=own.modelIdentifier,
        token=description.model.instantiationToken or "",
        step=float(values["communication_step"]),
        inputs=inputs,
        outputs=face.output_specs,
        start=tuple(start),
        tolerance=float(values["tolerance"]) or description.experiment("tolerance"),
        saves_state=own.canGetAndSetFMUstate and own.canSerializeFMUstate,
        starts_from_inputs=description.starts_from_inputs,
        states=description.model.numberOfContinuousStates,
        indicators=description.model.numberOfEventIndicators,
        completes_steps=bool(getattr(own, "needsCompletedIntegratorStep", False)),
    )
