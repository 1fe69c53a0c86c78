"""The layout of a plan: every quantity of a flattened diagram gets its place among the values, every call its turn."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from blocks.errors import DeclarationError, WiringError, did_you_mean
from blocks.model.wiring import width
from blocks.plan.concatenation import concatenated_defaults, find_homes
from blocks.plan.flatten import Flat, Leaf, signal_of
from blocks.plan.kernel import check_kernel, kernel_functions, kernel_numbers
from blocks.plan.order import Call, Node, changing, closure, order, sources, steady
from blocks.plan.place import Place, Regions
from blocks.plan.settings import Settings
from blocks.signal import Signal
from cython_kernels import engine as native


class Layout:
    """Gives every quantity its place and writes the tables."""

    def __init__(self, flat: Flat, settings: Settings, wanted: Iterable[str] | None, stop: str | None) -> None:
        self.flat = flat
        self.settings = settings
        self.regions = Regions()
        self.given: list[NDArray[np.float64]] = []
        self.taken = 0
        self.inputs: dict[str, Place] = {}
        self.outputs: dict[str, Place] = {}
        self.parameters: dict[str, Place] = {}
        self.calculated: dict[str, Place] = {}
        self.numbers: dict[str, int] = {}
        self.states: dict[str, Place] = {}
        self.feeds: dict[tuple[str, str], int] = {}
        self.initial: dict[str, int] = {}
        for leaf in flat.leaves:
            check_kernel(leaf.block)
        self.homes, self.elided = find_homes(flat)
        self._signals()
        self._parameters()
        self._numbers()
        self._calculated()
        self._states()
        self._state_outputs()
        self._feeds()
        self.stop = self._find(stop).first if stop else -1
        self._calls(wanted, [stop] if stop else [])

    def external_outputs(self) -> dict[str, Place]:
        """The outputs of the diagram itself."""
        return {name: self._find(name) for name in self.flat.outputs}

    def _find(self, name: str) -> Place:
        """An output by its name, or a boundary output of the diagram by its name."""
        if name in self.flat.outputs:
            feed = self.flat.outputs[name]
            assert feed.block is not None
            return self._selected(feed.block, feed.port, feed.start, feed.stop, name)
        if name not in self.outputs:
            raise WiringError(f"no output '{name}'{did_you_mean(name, [*self.outputs, *self.flat.outputs])}")
        return self.outputs[name]

    def _selected(self, leaf: Leaf, port: str, start: int | None, stop: int | None, name: str) -> Place:
        place = self.outputs[f"{leaf.name}.{port}"]
        if start is None or stop is None or place.signal is None:
            return replace(place, name=name)
        unit = place.signal.units(place.count)[start:stop]
        one = unit[0] if len(set(unit)) == 1 else unit
        shape = () if stop - start == 1 else (stop - start,)
        labels = place.signal.labels[start:stop]
        signal = Signal(place.signal.name, shape, one, place.signal.frame, labels)  # type: ignore[arg-type]
        nominal = place.nominal[start:stop] if isinstance(place.nominal, tuple) else place.nominal
        return replace(
            place, name=name, first=place.first + start, shape=shape, unit=signal.unit, signal=signal, nominal=nominal
        )

    def _take(self, value: Any, shape: tuple[int, ...]) -> int:
        """Append start values; where they begin."""
        first = self.taken
        try:
            array = np.asarray(value, dtype=np.float64)
            filled = array if array.shape == shape else np.broadcast_to(array, shape)
        except ValueError:
            raise WiringError(f"a value of shape {np.shape(value)} does not fit the shape {shape}") from None
        self.given.append(filled.reshape(-1))
        self.taken += filled.size
        return first

    def _signals(self) -> None:
        for name, external in self.flat.externals.items():
            shape = tuple(int(d) for d in external.shape)
            first = self._take(0.0 if external.default is None else external.default, shape)
            self.inputs[name] = Place(name, first, shape, external.signal.unit, external.doc, external.signal)
        self.external_width = self.taken
        for leaf in self.flat.leaves:
            for port_name, port in leaf.block.output_ports.items():
                signal = signal_of(self.flat, leaf, port_name)
                shape = tuple(int(d) for d in signal.shape)
                name = f"{leaf.name}.{port_name}"
                elsewhere = leaf.block.state_of(port_name) or (leaf, port_name) in self.homes
                first = -1 if elsewhere else self._take(concatenated_defaults(leaf, shape), shape)
                self.outputs[name] = Place(
                    name, first, shape, signal.unit, port.doc, signal, discrete=leaf.block.sampled, nominal=port.nominal
                )
        self.defaults = {
            (leaf.name, name): self._take(port.default, tuple(int(d) for d in leaf.shape(port.signal)))
            for leaf in self.flat.leaves
            for name, port in leaf.block.input_ports.items()
            if name not in leaf.feeds
        }
        self.regions.parameters = self.taken

    def _state_outputs(self) -> None:
        """Outputs that are states stand where the states stand, those that are concatenated within the whole."""
        for leaf, port_name in self.homes:
            node, offset = (leaf, port_name), 0
            while node in self.homes:
                node, start = self.homes[node]
                offset += start
            name = f"{leaf.name}.{port_name}"
            whole = self.outputs[f"{node[0].name}.{node[1]}"]
            self.outputs[name] = replace(self.outputs[name], first=whole.first + offset)
        for leaf in self.flat.leaves:
            for port_name in leaf.block.output_ports:
                state = leaf.block.state_of(port_name)
                if state:
                    name = f"{leaf.name}.{port_name}"
                    self.outputs[name] = replace(self.outputs[name], first=self.states[f"{leaf.name}.{state}"].first)

    def _feeds(self) -> None:
        """Where each input reads."""
        for leaf in self.flat.leaves:
            for port_name in leaf.block.input_ports:
                feed = leaf.feeds.get(port_name)
                if feed is None:
                    place = self.defaults[leaf.name, port_name]
                elif feed.block is None:
                    place = self.inputs[feed.port].first + (feed.start or 0)
                else:
                    place = self.outputs[f"{feed.block.name}.{feed.port}"].first + (feed.start or 0)
                self.feeds[leaf.name, port_name] = place

    def _parameters(self) -> None:
        for leaf in self.flat.leaves:
            block = leaf.block
            for name, parameter in block.all_parameters().items():
                filled = tuple(leaf.sizes[d] if isinstance(d, str) else d for d in parameter.shape)
                shape = tuple(leaf.room[d] if isinstance(d, str) else d for d in parameter.shape)
                path = f"{leaf.name}.{name}"
                encoded = parameter.encode(block.values[name], filled)
                first = self._take(_padded(encoded, filled, shape), (width(shape),))
                self.parameters[path] = Place(path, first, shape, parameter.unit, parameter.doc, parameter=parameter)
            for name, state in block.states.items():
                shape = tuple(int(d) for d in leaf.shape(state.signal))
                if state.private:
                    self.initial[f"{leaf.name}.{name}"] = self._take(state.initial, shape)
                else:
                    self.initial[f"{leaf.name}.{name}"] = self.parameters[f"{leaf.name}.initial_{name}"].first
        self.regions.work = self.taken

    def _numbers(self) -> None:
        """Where each size stands among the numbers that kernels see."""
        taken = 0
        for leaf in self.flat.leaves:
            count = len(kernel_numbers(leaf))
            self.numbers |= {f"{leaf.name}.{size}": taken + i for i, size in enumerate(leaf.block.sizes[:count])}
            taken += count

    def _calculated(self) -> None:
        """Derived constants that are shown."""
        work = self.regions.work
        for leaf in self.flat.leaves:
            for name, parameter in leaf.block.calculated_parameters.items():
                path = f"{leaf.name}.{name}"
                shape = tuple(leaf.sizes[d] if isinstance(d, str) else d for d in parameter.shape)
                first, room = leaf.block.derived_place(name, leaf.sizes), leaf.block.work_size(leaf.room)
                if not 0 <= first <= room - width(shape):
                    raise DeclarationError(
                        f"{type(leaf.block).__name__}.{name} stands at {first} to {first + width(shape)} among the "
                        f"derived constants of its kernel, but there are {room}"
                    )
                self.calculated[path] = Place(
                    path, work + first, shape, parameter.unit, parameter.doc, calculated=parameter
                )
            work += leaf.block.work_size(leaf.room)

    def _states(self) -> None:
        regions = self.regions
        regions.x = regions.work + sum(leaf.block.work_size(leaf.room) for leaf in self.flat.leaves)
        next_x = regions.x
        for discrete in (False, True):
            for leaf in self.flat.leaves:
                for name, state in leaf.block.states.items():
                    if state.discrete is discrete:
                        shape = tuple(int(d) for d in leaf.shape(state.signal))
                        path = f"{leaf.name}.{name}"
                        self.states[path] = Place(
                            path, next_x, shape, state.signal.unit, state.doc, state.signal, discrete=discrete,
                            nominal=state.nominal,
                        )  # fmt: skip
                        next_x += width(shape)
            if not discrete:
                regions.z = next_x + (regions.x - next_x) % native.LANE_COUNT
                next_x = regions.z
        regions.hits = next_x
        self.rates = self._rates()
        regions.dx = regions.hits + len(self.rates)
        regions.g = regions.dx + regions.z - regions.x

    def _rates(self) -> dict[tuple[float, float], tuple[int, int]]:
        """Sample rates that occur, with the places of the period and offset of the first block that has each."""
        rates: dict[tuple[float, float], tuple[int, int]] = {}
        for leaf in self.flat.leaves:
            if leaf.block.sampled:
                period, offset = leaf.block.sampling
                key = (float(leaf.block.values[period]), float(leaf.block.values[offset]))
                self.settings.check_period(f"{leaf.name}.{period}", key[0])
                places = (
                    self.parameters[f"{leaf.name}.{period}"].first,
                    self.parameters[f"{leaf.name}.{offset}"].first,
                )
                rates.setdefault(key, places)
        return rates

    def _calls(self, wanted: Iterable[str] | None, stop: list[str]) -> None:
        everything = {(leaf, port) for leaf in self.flat.leaves for port in leaf.block.output_ports}
        states = {(leaf, port) for leaf, port in everything if leaf.block.state_of(port)}
        stepping: list[Node] = []
        differential: list[Node] = []
        for leaf in self.flat.leaves:
            has = kernel_functions(leaf.block)
            own = [(leaf, name) for name in leaf.block.reads_outputs]
            if has["derivatives"]:
                differential += [*sources(leaf), *own]
            if has["derivatives"] or has["update"] or has["crossings"]:
                stepping += [*sources(leaf), *own]
        if wanted is None:
            goal = everything
        else:
            by_name = {f"{leaf.name}.{port}": (leaf, port) for leaf, port in everything}
            named: list[Node] = []
            for name in [*(n for n in wanted if n not in self.inputs), *stop]:
                self._find(name)
                feed = self.flat.outputs.get(name)
                named.append((feed.block, feed.port) if feed and feed.block else by_name[name])
            goal = closure([*named, *stepping])
        majors = self._order(goal - states)
        constant = steady(self.flat)
        first = [call for call in majors if call.leaf in constant]
        self.steady = len(first)
        self.majors = first + [call for call in majors if call.leaf not in constant]
        self.minors = self._order((closure(differential) & changing(self.flat)) - states)

    def _order(self, nodes: set[Node]) -> list[Call]:
        """The order of calls, without those that have nothing left to do."""
        return [call for call in order(self.flat, nodes) if call.leaf not in self.elided]


def _padded(values: NDArray[np.float64], filled: tuple[int, ...], shape: tuple[int, ...]) -> NDArray[np.float64]:
    """The values of an array, row by row, and its last row again as often as there is room for more."""
    if shape == filled:
        return values
    last = values[values.size - width(filled[1:]) :]
    return np.concatenate([values, np.tile(last, shape[0] - filled[0])])
