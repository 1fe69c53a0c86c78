"""Dependencies within a block of a diagram, with all sizes known: what each of its quantities reads, by elements.

Where a block declares nothing, everything counts that could: an output depends on the inputs of its direct
feedthrough, on all states and parameters, and on the time if the block uses it; a derivative and a mode on all inputs,
states and parameters; a start value on its parameter `initial_…`, or where the kernel has a `start` on everything.
Structural parameters are left out: where dependencies count, they are constants.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from blocks.model.dependence import EACH, TIME, WHOLE, Elements, Sources, unknown_source
from blocks.plan.flatten import Leaf
from blocks.plan.kernel import kernel_functions
from blocks.plan.sizes import Sized
from blocks.signal import Signal

Masks = list[int]
"""For each element of a target the elements of a source that it depends on, as bits."""

Kind = Literal["output", "state", "start"]
"""An output; the derivative of a continuous state or the next value of a discrete one; the start value of a state."""


@dataclass(frozen=True)
class Dependence:
    """What one quantity of a block depends on at the same instant."""

    count: int
    """Of elements of the quantity."""
    inputs: dict[str, Masks] = field(default_factory=dict)
    states: dict[str, Masks] = field(default_factory=dict)
    """Continuous and discrete ones."""
    parameters: dict[str, Masks] = field(default_factory=dict)
    """Bit 0 is the whole parameter."""
    time: Masks = field(default_factory=list)
    """Bit 0 is the time; empty: none depends on it."""


class BlockDependencies:
    """What the quantities of one block of a diagram depend on."""

    def __init__(self, flat: Sized, leaf: Leaf) -> None:
        self.flat = flat
        self.leaf = leaf
        self.block = leaf.block
        self.states = leaf.states
        self.inputs = leaf.inputs
        self.parameters = leaf.block.all_parameters()
        self.structural = leaf.block.structural_parameters()
        self.modes = set() if leaf.block.sampled else {name for name, state in self.states.items() if state.discrete}
        """Discrete states that settle at the instant itself."""
        self._elements: dict[tuple[str, str], Elements] = {}

    def of(self, kind: Kind, name: str) -> Dependence:
        """What an output or a state depends on. Raises DeclarationError if the declaration does not fit."""
        sizes = self.flat.sizes[self.leaf]
        if kind == "output":
            target = self._counted("output", name, self.leaf.outputs[name].signal)
            state = self.leaf.state_of(name)
            if state:
                return Dependence(target.count, states={state: EACH.masks(target, target)})
            sources = self.block.output_sources(name, sizes)
            return self._resolved(target, self._output_default(name) if sources is None else sources)
        target = self._counted("state", name, self.states[name].signal)
        if kind == "state":
            sources = self.block.state_sources(name, sizes)
            return self._resolved(target, self._state_default(name) if sources is None else sources)
        sources = self.block.start_sources(name, sizes)
        return self._resolved(target, self._start_default(name) if sources is None else sources)

    def _output_default(self, name: str) -> Sources:
        return self._everything(self.block.feedthrough(name), self.block.uses_time)

    def _state_default(self, name: str) -> Sources:
        return self._everything(self.inputs, self.block.uses_time or self.states[name].discrete)

    def _start_default(self, name: str) -> Sources:
        if kernel_functions(self.block)["start"]:
            return dict.fromkeys([*self.parameters, TIME], WHOLE)
        return {} if self.states[name].private else {f"initial_{name}": EACH}

    def _everything(self, inputs: Iterable[str], time: bool) -> Sources:
        names = [*inputs, *self.states, *type(self.block).parameters]
        return dict.fromkeys([*names, TIME] if time else names, WHOLE)

    def _counted(self, kind: str, name: str, signal: Signal) -> Elements:
        found = self._elements.get((kind, name))
        if found is None:
            found = Elements(self.flat.width(self.leaf, signal), signal.labels, f"{self.leaf.name}.{name}")
            self._elements[kind, name] = found
        return found

    def _resolved(self, target: Elements, sources: Sources) -> Dependence:
        """Patterns as masks. What this block does not have, such as a state that another choice brings, is left out."""
        found = Dependence(target.count)
        for name, pattern in sources.items():
            if name in self.parameters:
                if name not in self.structural:
                    found.parameters[name] = pattern.masks(target, _ONE)
            elif name in self.inputs:
                found.inputs[name] = pattern.masks(target, self._counted("input", name, self.inputs[name].signal))
            elif name in self.states:
                found.states[name] = pattern.masks(target, self._counted("state", name, self.states[name].signal))
            elif name == TIME:
                found.time.extend(pattern.masks(target, _ONE))
            elif name not in self.block.declared_inputs and name not in self.block.declared_states:
                names = [*self.inputs, *self.states, *self.parameters]
                raise unknown_source(f"{target.name} of {type(self.block).__name__}", name, names)
        return found


_ONE = Elements(1)
