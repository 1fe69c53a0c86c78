"""The memory layout of a plan: where every quantity of a diagram lies among the values that the engine works on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from blocks.errors import WiringError
from blocks.model.declare import Parameter
from blocks.model.wiring import selected, width
from blocks.plan.flatten import Feed, Leaf
from blocks.plan.kernel import Rate, kernel_numbers, rate_of
from blocks.plan.order import Ordered
from blocks.plan.place import Place, Regions
from blocks.plan.settings import Settings
from cython_kernels import engine as native


@dataclass(frozen=True)
class MemoryLayout:
    """Where everything lies in memory. Quantities are found by name: `outputs["vessel.eta"]` says where η does."""

    flat: Ordered
    settings: Settings
    start_values: NDArray[np.float64]
    """Of signals and parameters, the first of the values."""
    regions: Regions
    inputs: dict[str, Place]
    """External ones."""
    outputs: dict[str, Place]
    """Of blocks."""
    external_outputs: dict[str, Place]
    """Of the diagram itself."""
    parameters: dict[str, Place]
    states: dict[str, Place]
    calculated: dict[str, Place]
    """Derived constants that are shown."""
    reads: dict[tuple[str, str], int]
    """The first value that each input of a block reads, by block and input."""
    initial: dict[str, int]
    """The first value of each start value, by state."""
    numbers: dict[str, int]
    """Where sizes such as "guidance.n" stand in the plan's section `numbers`."""
    rates: dict[Rate, tuple[int, int]]
    """Sample rates that occur, with the values that hold period and offset."""
    stop: int | None
    """The value that ends the run when it exceeds 0.5."""


def lay_out(flat: Ordered, settings: Settings) -> MemoryLayout:
    """Give every quantity its place.

    Raises WiringError for start values that do not fit, and SimulationError for a period too short to be resolved.
    """
    values = _StartValues()
    inputs = _inputs(flat, values)
    outputs = _outputs(flat, values)
    defaults = _defaults(flat, values)
    first_parameter = values.count
    parameters, initial = _parameters(flat, values)
    rates = _rates(flat, settings, parameters)
    regions = _regions(flat, first_parameter, values.count, len(rates))
    states = _states(flat, regions)
    outputs |= _shared_outputs(flat, outputs, states)
    reads = {
        (leaf.name, name): _read(flat.feeds[leaf][name], inputs, outputs)
        if name in flat.feeds[leaf]
        else defaults[leaf.name, name]
        for leaf in flat.leaves
        for name in leaf.inputs
    }
    return MemoryLayout(
        flat,
        settings,
        values.together(),
        regions,
        inputs,
        outputs,
        {name: external_place(feed, outputs, name) for name, feed in flat.outputs.items()},
        parameters,
        states,
        _calculated(flat, regions),
        reads,
        initial,
        _numbers(flat),
        rates,
        None if flat.stop is None else _read(flat.stop, inputs, outputs),
    )


class _StartValues:
    """The start values of the quantities that have a place so far."""

    def __init__(self) -> None:
        self._parts: list[NDArray[np.float64]] = []
        self.count = 0

    def take(self, value: Any, shape: tuple[int, ...]) -> int:
        """Append some; where they begin."""
        first = self.count
        try:
            array = np.asarray(value, dtype=np.float64)
            filled = array if array.shape == shape else np.broadcast_to(array, shape)
        except ValueError:
            raise WiringError(f"a value of shape {np.shape(value)} does not fit the shape {shape}") from None
        self._parts.append(filled.reshape(-1))
        self.count += filled.size
        return first

    def together(self) -> NDArray[np.float64]:
        return np.concatenate(self._parts) if self._parts else np.zeros(0)


# --- signals -------------------------------------------------------------------------------------------------------


def _inputs(flat: Ordered, values: _StartValues) -> dict[str, Place]:
    found = {}
    for name, external in flat.externals.items():
        shape = flat.input_shapes[name]
        first = values.take(0.0 if external.default is None else external.default, shape)
        found[name] = Place(name, first, shape, external.signal.unit, external.doc, external.signal)
    return found


def _outputs(flat: Ordered, values: _StartValues) -> dict[str, Place]:
    """Outputs of blocks; those that stand within others or are states have no values of their own."""
    found = {}
    for leaf in flat.leaves:
        for port, declared in leaf.outputs.items():
            signal = flat.signals[leaf, port]
            shape = flat.shape(leaf, declared.signal)
            name = f"{leaf.name}.{port}"
            shared = leaf.state_of(port) or (leaf, port) in flat.homes
            first = -1 if shared else values.take(_concatenated_defaults(flat, leaf, shape), shape)
            found[name] = Place(
                name, first, shape, signal.unit, declared.doc, signal, discrete=leaf.block.sampled,
                nominal=declared.nominal,
            )  # fmt: skip
    return found


def _concatenated_defaults(flat: Ordered, leaf: Leaf, shape: tuple[int, ...]) -> float | NDArray[np.float64]:
    """Start values of an output: where a concatenating block has an unconnected input, its default."""
    if not leaf.block.concatenates:
        return 0.0
    parts = [
        np.broadcast_to(
            0.0 if name in flat.feeds[leaf] or port.default is None else np.asarray(port.default, dtype=np.float64),
            (flat.width(leaf, port.signal),),
        )
        for name, port in leaf.inputs.items()
    ]
    return np.concatenate(parts).reshape(shape)


def _defaults(flat: Ordered, values: _StartValues) -> dict[tuple[str, str], int]:
    """Where inputs read that nothing feeds."""
    return {
        (leaf.name, name): values.take(port.default, flat.shape(leaf, port.signal))
        for leaf in flat.leaves
        for name, port in leaf.inputs.items()
        if name not in flat.feeds[leaf]
    }


def _shared_outputs(flat: Ordered, outputs: Mapping[str, Place], states: Mapping[str, Place]) -> dict[str, Place]:
    """Outputs that are states stand where the states stand, those that are concatenated within the whole."""
    found = {}
    for (leaf, port), ((outer, whole), offset) in flat.homes.items():
        name = f"{leaf.name}.{port}"
        found[name] = replace(outputs[name], first=outputs[f"{outer.name}.{whole}"].first + offset)
    for leaf in flat.leaves:
        for port in leaf.outputs:
            state = leaf.state_of(port)
            if state:
                name = f"{leaf.name}.{port}"
                found[name] = replace(outputs[name], first=states[f"{leaf.name}.{state}"].first)
    return found


def _read(feed: Feed, inputs: Mapping[str, Place], outputs: Mapping[str, Place]) -> int:
    """The first value of what an input reads."""
    whole = inputs[feed.port] if feed.block is None else outputs[f"{feed.block.name}.{feed.port}"]
    return whole.first + (feed.start or 0)


def external_place(feed: Feed, outputs: Mapping[str, Place], name: str) -> Place:
    """The place of an output of the diagram."""
    assert feed.block is not None
    place = outputs[f"{feed.block.name}.{feed.port}"]
    if feed.start is None or feed.stop is None or place.signal is None:
        return replace(place, name=name)
    count = feed.stop - feed.start
    signal = selected(place.signal, feed.start, feed.stop)
    nominal = place.nominal[feed.start : feed.stop] if isinstance(place.nominal, tuple) else place.nominal
    return replace(
        place,
        name=name,
        first=place.first + feed.start,
        shape=() if count == 1 else (count,),
        unit=signal.unit,
        signal=signal,
        nominal=nominal,
    )


# --- parameters ----------------------------------------------------------------------------------------------------


def _parameters(flat: Ordered, values: _StartValues) -> tuple[dict[str, Place], dict[str, int]]:
    """Parameters with room for what they may grow to, and the first of the start values of each state."""
    found: dict[str, Place] = {}
    initial: dict[str, int] = {}
    for leaf in flat.leaves:
        room = flat.room(leaf)
        for name, parameter in leaf.block.all_parameters().items():
            filled, shape = parameter_shape(parameter, flat.sizes[leaf]), parameter_shape(parameter, room)
            path = f"{leaf.name}.{name}"
            first = values.take(
                _padded(parameter.encode(leaf.block.values[name], filled), filled, shape), (width(shape),)
            )
            found[path] = Place(path, first, shape, parameter.unit, parameter.doc, parameter=parameter)
        for name, state in leaf.states.items():
            initial[f"{leaf.name}.{name}"] = (
                values.take(state.initial, flat.shape(leaf, state.signal))
                if state.private
                else found[f"{leaf.name}.initial_{name}"].first
            )
    return found, initial


def parameter_shape(parameter: Parameter, sizes: Mapping[str, int]) -> tuple[int, ...]:
    """The shape of a parameter of a block with these sizes."""
    return tuple(sizes[dimension] if isinstance(dimension, str) else dimension for dimension in parameter.shape)


def _padded(values: NDArray[np.float64], filled: tuple[int, ...], shape: tuple[int, ...]) -> NDArray[np.float64]:
    """The values of an array, row by row, and its last row again as often as there is room for more."""
    if shape == filled:
        return values
    last = values[values.size - width(filled[1:]) :]
    return np.concatenate([values, np.tile(last, shape[0] - filled[0])])


def _rates(flat: Ordered, settings: Settings, parameters: Mapping[str, Place]) -> dict[Rate, tuple[int, int]]:
    """Sample rates, with period and offset of the first block that has each."""
    found: dict[Rate, tuple[int, int]] = {}
    for leaf in flat.leaves:
        if leaf.block.sampled:
            period, offset = (f"{leaf.name}.{name}" for name in leaf.block.sampling)
            rate = rate_of(leaf.block)
            settings.check_period(period, rate[0])
            found.setdefault(rate, (parameters[period].first, parameters[offset].first))
    return found


def _calculated(flat: Ordered, regions: Regions) -> dict[str, Place]:
    found = {}
    work = regions.work
    for leaf in flat.leaves:
        for name, parameter in leaf.block.calculated_parameters.items():
            path = f"{leaf.name}.{name}"
            sizes = flat.sizes[leaf]
            shape = tuple(sizes[d] if isinstance(d, str) else d for d in parameter.shape)
            first = work + leaf.block.derived_place(name, sizes)
            found[path] = Place(path, first, shape, parameter.unit, parameter.doc, calculated=parameter)
        work += leaf.block.work_size(flat.room(leaf))
    return found


def _numbers(flat: Ordered) -> dict[str, int]:
    """Where each size stands among the numbers that kernels see."""
    found: dict[str, int] = {}
    taken = 0
    for leaf in flat.leaves:
        count = len(kernel_numbers(leaf.block, flat.sizes[leaf]))
        found |= {f"{leaf.name}.{size}": taken + i for i, size in enumerate(leaf.block.sizes[:count])}
        taken += count
    return found


# --- what comes behind parameters ----------------------------------------------------------------------------------


def _regions(flat: Ordered, parameters: int, work: int, rates: int) -> Regions:
    """Where each region begins, with as many derived constants, states and rates as there are."""
    x = work + sum(leaf.block.work_size(flat.room(leaf)) for leaf in flat.leaves)
    counts = {True: 0, False: 0}
    for leaf in flat.leaves:
        for state in leaf.states.values():
            counts[state.discrete] += flat.width(leaf, state.signal)
    z = x + -(-counts[False] // native.LANE_COUNT) * native.LANE_COUNT
    hits = z + counts[True]
    dx = hits + rates
    return Regions(parameters, work, x, z, hits, dx, dx + z - x)


def _states(flat: Ordered, regions: Regions) -> dict[str, Place]:
    """Continuous states, then discrete ones."""
    found = {}
    for discrete, first in ((False, regions.x), (True, regions.z)):
        for leaf in flat.leaves:
            for name, state in leaf.states.items():
                if state.discrete is discrete:
                    path = f"{leaf.name}.{name}"
                    place = Place(
                        path, first, flat.shape(leaf, state.signal), state.signal.unit, state.doc, state.signal,
                        discrete=discrete, nominal=state.nominal,
                    )  # fmt: skip
                    found[path] = place
                    first += place.count
    return found
