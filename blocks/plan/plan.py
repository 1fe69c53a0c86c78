"""A plan: what the engine runs, and the passes that make it of a diagram."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from blocks.errors import SimulationError
from blocks.model.block import Block
from blocks.model.diagram import Diagram
from blocks.model.python_block import PythonBlock
from blocks.model.wiring import width
from blocks.plan import collection
from blocks.plan.check import check
from blocks.plan.encode import checksum, encode, joined
from blocks.plan.flatten import Leaf, flatten
from blocks.plan.kernel import kernel_library
from blocks.plan.memory_layout import MemoryLayout, lay_out
from blocks.plan.order import Call, order
from blocks.plan.rewrites import rewrite
from blocks.plan.settings import Settings
from blocks.plan.sizes import find_sizes
from blocks.signal import Signal
from cython_kernels import engine as native


@collection.put_off()
def make_plan(
    component: Diagram | Block,
    *,
    wanted: Iterable[str] | None = None,
    stop: str | None = None,
    input_shapes: Mapping[str, tuple[int, ...]] | None = None,
    input_signals: Mapping[str, Signal] | None = None,
    capacities: Mapping[str, int] | None = None,
    opened: Iterable[str] = (),
    **settings: Any,
) -> Plan:
    """Make the plan of a diagram or of a single block.

    `wanted` names outputs ("vessel.eta") that are evaluated at major steps besides those that the run itself needs;
    None means all. `stop` names an output that ends the run when it exceeds 0.5. `settings` are those of `Settings`.
    `input_shapes` are shapes of external inputs whose size nothing else decides; `input_signals` are the full types of
    external inputs that the ports which they feed leave open. `capacities` make room in parameters for more rows than
    they have, by the name of a resizable size ("guidance.n"): kernels see the rows that there are. `opened` names
    outputs whose sinks read external inputs of the same names instead.
    Raises WiringError for unconnected inputs, sizes that do not fit and algebraic loops, and ParameterError for
    capacities that cannot be. Raises SimulationError if $KEELBLOCKS_SIMD is not among `SIMD` of the engine.
    """
    _check_simd()
    integration = Settings(**settings)
    flat = flatten(component, input_signals)
    sized = find_sizes(flat, input_shapes)
    checked = check(sized)
    rewritten = rewrite(checked, opened, capacities or {})
    ordered = order(rewritten, wanted, stop)
    layout = lay_out(ordered, integration)
    libraries = {kernel_library(leaf.block) for leaf in layout.flat.leaves} - {""}
    digests = _opening().digests_of(sorted(libraries)) if libraries else {}
    return Plan(**vars(layout), stored=encode(layout), digests=digests)


@dataclass(frozen=True)
class Plan(MemoryLayout):
    """What the engine runs: where every quantity stands, and all of it as bytes."""

    stored: bytes
    digests: Mapping[str, str] = field(default_factory=dict)
    """The compiled libraries whose kernels it asks for, with what they were built from."""

    def __repr__(self) -> str:
        size = f"{len(self.flat.leaves)} blocks, {len(self.states)} states, {len(self.parameters)} parameters"
        return f"<Plan: {size}, {self.settings.solver}, step {self.settings.step:g} s>"

    @property
    def majors(self) -> tuple[Call, ...]:
        """The calls of a major step, in order."""
        return self.flat.majors

    @property
    def minors(self) -> tuple[Call, ...]:
        """The calls between major steps, in order."""
        return self.flat.minors

    @cached_property
    def python_blocks(self) -> dict[int, PythonBlock]:
        """Blocks written in Python, by their number in the plan."""
        return {leaf.number: leaf.block for leaf in self.flat.leaves if isinstance(leaf.block, PythonBlock)}

    @property
    def checksum(self) -> str:
        """Identifies the plan with the kernels of libraries: equal models have equal ones."""
        return joined(checksum(self.stored), self.digests)

    def engine(
        self, instead: Mapping[int, PythonBlock] | None = None, memory: NDArray[np.uint8] | None = None
    ) -> native.Engine:
        """A fresh engine for this plan. instead: blocks written in Python that take the place of others by number.

        memory: what it is to work in, see `native.Engine`.
        """
        if self.digests:
            _opening().ensure_open(self.digests)
        engine = native.Engine(self.stored, memory)
        for i, block in (self.python_blocks | dict(instead or {})).items():
            leaf = self.flat.leaves[i]
            views = {
                name: engine.values[self.outputs[f"{leaf.name}.{name}"].slice]
                for name in leaf.outputs
                if not leaf.state_of(name)
            }
            engine.set_context(i, block.runner(leaf.name, self._bindings(engine, leaf), views))
        return engine

    def close(self, engine: native.Engine) -> None:
        """Let the blocks written in Python give back what they hold: the engine has run for the last time."""
        for i in self.python_blocks:
            engine.context(i).close()

    def _bindings(self, engine: native.Engine, leaf: Leaf) -> dict[str, dict[str, Any]]:
        """Arrays over the engine's values for the inputs and states of a Python block."""
        arrays: dict[str, dict[str, Any]] = {"inputs": {}, "states": {}, "derivatives": {}}
        for name, port in leaf.inputs.items():
            first, shape = self.reads[leaf.name, name], self.flat.shape(leaf, port.signal)
            arrays["inputs"][name] = engine.values[first : first + width(shape)].reshape(shape)
        for name, state in leaf.states.items():
            place = self.states[f"{leaf.name}.{name}"]
            arrays["states"][name] = engine.values[place.slice].reshape(place.shape)
            if not state.discrete:
                at = place.first + self.derivative_offset
                arrays["derivatives"][name] = engine.values[at : at + place.count].reshape(place.shape)
        return arrays

    @property
    def continuous_states(self) -> slice:
        """Where all continuous states stand."""
        count = sum(place.count for place in self.states.values() if not place.discrete)
        return slice(self.regions.x, self.regions.x + count)

    @property
    def derivative_offset(self) -> int:
        """How far behind a continuous state its derivative stands."""
        return self.regions.dx - self.regions.x


def _opening() -> ModuleType:
    """What opens libraries, where there are any."""
    return importlib.import_module("blocks.libraries.opening")


def _check_simd() -> None:
    """Raise SimulationError for a word in the environment that the engine does not know."""
    if native.ASKED_SIMD not in native.SIMD:
        raise SimulationError(
            f"the environment variable KEELBLOCKS_SIMD is '{native.ASKED_SIMD}'; it names the widest instructions that "
            f"loops over waves may take, one of {', '.join(native.SIMD)}; correct it, or unset it for the widest there "
            "are"
        )
