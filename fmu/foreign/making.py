"""Make an instance of an FMU with the parameters of its block, in this process or in one of its own."""

from __future__ import annotations

import weakref
from dataclasses import replace
from typing import TYPE_CHECKING

from blocks.errors import FmuError
from fmu.foreign.spec import Spec, StartValue
from fmu.foreign.unpack import Package

if TYPE_CHECKING:
    from fmu.foreign.importer import FmuBlock
    from fmu.foreign.instance import Instance
    from fmu.foreign.runner import Steps

_made: weakref.WeakKeyDictionary[Package, weakref.WeakSet[Instance]] = weakref.WeakKeyDictionary()
"""Instances in this process, by their FMU."""


def make_steps(block: FmuBlock, name: str) -> Steps:
    """An instance. Raises FmuError if there can be none."""
    spec, values = spec_of(block), block.values
    if values["isolate"]:
        from fmu.foreign.isolated import IsolatedInstance

        return IsolatedInstance(spec, name, float(values["timeout"]), float(values["memory_limit"]))
    from fmu.foreign.model_exchange import make_instance

    others = _made.setdefault(block.description.package, weakref.WeakSet())
    own = block.description.settings(block.used_interface)
    if own.canBeInstantiatedOnlyOncePerProcess and any(instance.fmu is not None for instance in others):
        raise FmuError(f"{spec.file} can be instantiated only once in a process: give all but one isolate=True")
    instance = make_instance(spec, name)
    others.add(instance)
    return instance


def spec_of(block: FmuBlock) -> Spec:
    """What an instance needs to know. Unpacks the FMU."""
    description, values, face = block.description, block.values, block.face
    own = description.settings(block.used_interface)
    inputs = face.input_specs
    if not values["feedthrough"]:
        inputs = tuple(replace(spec, direct=spec.fixed) for spec in inputs)
    start: list[StartValue] = []
    for name, setting in face.settings.items():
        start += setting.start_values(values[name])
    return Spec(
        file=block.file,
        folder=str(description.package.folder()),
        fmi=description.fmi,
        interface=block.used_interface,
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
