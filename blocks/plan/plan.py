"""Plan: a diagram flattened into numbers, which is what the engine runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from blocks.errors import SimulationError, WiringError
from blocks.model.block import Block
from blocks.model.diagram import Diagram
from blocks.model.python_block import PythonBlock
from blocks.model.wiring import width
from blocks.plan.capacity import make_room
from blocks.plan.flatten import Flat, Leaf, check_types, flatten
from blocks.plan.layout import Layout
from blocks.plan.opening import open_loops
from blocks.plan.order import Call
from blocks.plan.place import Place, Regions
from blocks.plan.settings import Settings
from blocks.plan.storage import checksum, store
from blocks.signal import Signal
from cython_kernels import engine as native

__all__ = ["Place", "Plan", "make_plan"]


@dataclass
class Plan:
    """What the engine runs. Quantities are found by name: `outputs["vessel.eta"]` says where η stands."""

    flat: Flat
    settings: Settings
    stored: bytes
    inputs: dict[str, Place]
    outputs: dict[str, Place]
    parameters: dict[str, Place]
    states: dict[str, Place]
    majors: list[Call]
    minors: list[Call]
    external_outputs: dict[str, Place]
    feeds: dict[tuple[str, str], int]
    regions: Regions
    calculated: dict[str, Place]
    numbers: dict[str, int]
    """Where sizes such as "guidance.n" stand in the plan's section `numbers`."""

    @cached_property
    def python_blocks(self) -> dict[int, PythonBlock]:
        """Blocks written in Python, by their number in the plan."""
        return {i: leaf.block for i, leaf in enumerate(self.flat.leaves) if isinstance(leaf.block, PythonBlock)}

    @property
    def checksum(self) -> str:
        """Identifies the plan: equal models have equal ones."""
        return checksum(self.stored)

    def engine(self, instead: Mapping[int, PythonBlock] | None = None) -> native.Engine:
        """A fresh engine for this plan. instead: blocks written in Python that take the place of others by number."""
        engine = native.Engine(self.stored)
        for i, block in (self.python_blocks | dict(instead or {})).items():
            leaf = self.flat.leaves[i]
            views = {
                name: engine.values[self.outputs[f"{leaf.name}.{name}"].slice]
                for name in block.output_ports
                if not block.state_of(name)
            }
            engine.set_context(i, block.runner(leaf.name, self._bindings(engine, leaf), views))
        return engine

    def close(self, engine: native.Engine) -> None:
        """Let the blocks written in Python give back what they hold: the engine has run for the last time."""
        for i in self.python_blocks:
            engine.context(i).close()

    def _bindings(self, engine: native.Engine, leaf: Leaf) -> dict[str, dict[str, Any]]:
        """Arrays over the engine's values for the inputs and states of a Python block."""
        block = leaf.block
        arrays: dict[str, dict[str, Any]] = {"inputs": {}, "states": {}, "derivatives": {}}
        for name, port in block.input_ports.items():
            place = self.feeds[leaf.name, name]
            shape = tuple(int(d) for d in leaf.shape(port.signal))
            arrays["inputs"][name] = engine.values[place : place + width(shape)].reshape(shape)
        x0 = self.regions.x
        for name, state in block.states.items():
            place_of = self.states[f"{leaf.name}.{name}"]
            arrays["states"][name] = engine.values[place_of.slice].reshape(place_of.shape)
            if not state.discrete:
                at = self.regions.dx + place_of.first - x0
                arrays["derivatives"][name] = engine.values[at : at + place_of.count].reshape(place_of.shape)
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
    """Flatten, order and lay out a diagram or a single block.

    `wanted` names outputs ("vessel.eta") that are evaluated at major steps besides those that the run itself needs;
    None means all. `stop` names an output that ends the run when it exceeds 0.5. `settings` are those of `Settings`.
    `input_shapes` are shapes of external inputs whose size nothing else decides; `input_signals` are the full types of
    external inputs that the ports which they feed leave open. `capacities` make room in parameters for more rows than
    they have, by the name of a resizable size ("guidance.n"): kernels see the rows that there are. `opened` names
    outputs whose sinks read external inputs of the same names instead.
    Raises WiringError for unconnected inputs, sizes that do not fit and algebraic loops, and ParameterError for
    capacities that cannot be. Raises SimulationError if $KEELBLOCKS_SIMD is not among `SIMD` of the engine.
    """
    if native.ASKED_SIMD not in native.SIMD:
        raise SimulationError(
            f"the environment variable KEELBLOCKS_SIMD is '{native.ASKED_SIMD}'; it names the widest instructions that "
            f"loops over waves may take, one of {', '.join(native.SIMD)}; correct it, or unset it for the widest there "
            "are"
        )
    flat = flatten(component, input_shapes, input_signals)
    check_types(flat)
    _check_size(flat)
    open_loops(flat, opened)
    if capacities:
        make_room(flat, capacities)
    layout = Layout(flat, Settings(**settings), wanted, stop)
    return Plan(
        flat,
        layout.settings,
        store(layout),
        layout.inputs,
        layout.outputs,
        layout.parameters,
        layout.states,
        layout.majors,
        layout.minors,
        layout.external_outputs(),
        layout.feeds,
        layout.regions,
        layout.calculated,
        layout.numbers,
    )


_MOST_NUMBERS = 100_000_000
"""In all outputs: 800 MB. The engine counts in 32 bit."""


def _check_size(flat: Flat) -> None:
    """Raise WiringError for more numbers than an engine can hold."""
    sizes = {
        leaf.name: sum(leaf.width(port.signal) for port in leaf.block.output_ports.values()) for leaf in flat.leaves
    }
    total = sum(sizes.values())
    if total > _MOST_NUMBERS:
        largest = max(sizes, key=lambda name: sizes[name])
        raise WiringError(
            f"the outputs of the blocks hold {float(total):.3g} numbers, and {_MOST_NUMBERS:.0e} is the most; those of "
            f"{largest} alone are {float(sizes[largest]):.3g}"
        )
