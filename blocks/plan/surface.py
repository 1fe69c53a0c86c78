"""Surface: what a diagram shows to those outside of it, by name, which is known before it can be planned."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from blocks.model.block import Block
from blocks.plan.check import find_signals
from blocks.plan.flatten import Flat
from blocks.plan.memory_layout import external_place, parameter_shape
from blocks.plan.place import Place
from blocks.plan.plan import Plan
from blocks.plan.sizes import sizes_as_they_are

_NOWHERE = -1


@dataclass(frozen=True)
class Surface:
    """Quantities by name, as a plan has them; without a plan they do not know where they stand."""

    inputs: Mapping[str, Place]
    outputs: Mapping[str, Place]
    external_outputs: Mapping[str, Place]
    parameters: Mapping[str, Place]
    states: Mapping[str, Place]
    blocks: Mapping[str, Block]

    @property
    def signals(self) -> dict[str, Place]:
        """What can be read."""
        return {**self.outputs, **self.external_outputs, **self.inputs}

    @property
    def settable(self) -> dict[str, Place]:
        """What can be set while it runs."""
        return {**self.inputs, **self.parameters}


def surface_of(plan: Plan) -> Surface:
    """That of a plan."""
    blocks = {leaf.name: leaf.block for leaf in plan.flat.leaves}
    return Surface(plan.inputs, plan.outputs, plan.external_outputs, plan.parameters, plan.states, blocks)


def surface_as_it_is(flat: Flat) -> Surface:
    """That of a diagram that cannot be planned: sizes that others decide may be open, and are 1."""
    sized = sizes_as_they_are(flat)
    signals = find_signals(sized)
    outputs: dict[str, Place] = {}
    parameters: dict[str, Place] = {}
    states: dict[str, Place] = {}
    for leaf in sized.leaves:
        for port, declared in leaf.outputs.items():
            name, signal = f"{leaf.name}.{port}", signals[leaf, port]
            outputs[name] = Place(name, _NOWHERE, sized.shape(leaf, declared.signal), signal.unit, declared.doc, signal)
        for own, parameter in leaf.block.all_parameters().items():
            name, shape = f"{leaf.name}.{own}", parameter_shape(parameter, sized.sizes[leaf])
            parameters[name] = Place(name, _NOWHERE, shape, parameter.unit, parameter.doc, parameter=parameter)
        for own, state in leaf.states.items():
            name, shape = f"{leaf.name}.{own}", sized.shape(leaf, state.signal)
            states[name] = Place(name, _NOWHERE, shape, state.signal.unit, state.doc, state.signal)
    inputs = {
        name: Place(name, _NOWHERE, sized.input_shapes[name], external.signal.unit, external.doc, external.signal)
        for name, external in sized.externals.items()
        if "." not in name  # which stands for what comes from a block that could not be made
    }
    external = {name: external_place(feed, outputs, name) for name, feed in sized.outputs.items()}
    return Surface(inputs, outputs, external, parameters, states, {leaf.name: leaf.block for leaf in sized.leaves})
