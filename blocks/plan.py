"""Plan: a diagram flattened into numbers, in the form that `cython_kernels/plan.pxd` describes."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from blocks.block import Block
from blocks.declare import Parameter
from blocks.diagram import Diagram
from blocks.errors import DeclarationError, WiringError, did_you_mean
from blocks.flatten import Flat, Leaf, check_types, flatten, signal_of
from blocks.concatenation import concatenated_defaults, find_homes
from blocks.order import Call, Node, changing, closure, order, sources, steady
from blocks.python_block import PythonBlock, Runner
from blocks.settings import Settings
from blocks.signal import Signal
from blocks.wiring import width
from cython_kernels import engine as native

_HEADER = struct.Struct("<8sdQ22i5d")
_MAGIC = b"KEELPLAN"


@dataclass(frozen=True)
class Place:
    """Where a quantity stands among the plan's values, and what it is."""

    name: str
    first: int
    shape: tuple[int, ...]
    unit: str | tuple[str, ...] | None
    doc: str = ""
    signal: Signal | None = None
    parameter: Parameter | None = None
    discrete: bool = False

    @property
    def count(self) -> int:
        """How many numbers it is."""
        return width(self.shape)

    @property
    def slice(self) -> slice:
        """Where it stands in `Engine.values`."""
        return slice(self.first, self.first + self.count)


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
    external_outputs: dict[str, Place] = field(default_factory=dict)

    @cached_property
    def python_blocks(self) -> dict[int, PythonBlock]:
        """Blocks written in Python, by their number in the plan."""
        return {i: leaf.block for i, leaf in enumerate(self.flat.leaves) if isinstance(leaf.block, PythonBlock)}

    @property
    def checksum(self) -> str:
        """Identifies the plan: equal models have equal ones."""
        return f"{_HEADER.unpack_from(self.stored)[2]:016x}"

    def engine(self) -> native.Engine:
        """A fresh engine for this plan."""
        engine = native.Engine(self.stored)
        for i, block in self.python_blocks.items():
            leaf = self.flat.leaves[i]
            views = {name: engine.values[self._place(self.outputs, leaf, name).slice] for name in block.output_ports}
            engine.set_context(i, Runner(block, leaf.name, self._bindings(engine, leaf), views))
        return engine

    def _place(self, table: dict[str, Place], leaf: Leaf, name: str) -> Place:
        return table[f"{leaf.name}.{name}"]

    def _bindings(self, engine: native.Engine, leaf: Leaf) -> dict[str, dict[str, Any]]:
        """Arrays over the engine's values for the inputs and states of a Python block."""
        block = leaf.block
        first, _ = self._ports[leaf.name]
        arrays: dict[str, dict[str, Any]] = {"inputs": {}, "states": {}, "derivatives": {}}
        for (name, port), place in zip(block.input_ports.items(), first, strict=True):
            shape = tuple(int(d) for d in leaf.shape(port.signal))
            arrays["inputs"][name] = engine.values[place : place + width(shape)].reshape(shape)
        x0 = self._regions.x
        for name, state in block.states.items():
            place_of = self.states[f"{leaf.name}.{name}"]
            arrays["states"][name] = engine.values[place_of.slice].reshape(place_of.shape)
            if not state.discrete:
                at = self._regions.dx + place_of.first - x0
                arrays["derivatives"][name] = engine.values[at : at + place_of.count].reshape(place_of.shape)
        return arrays

    _ports: dict[str, tuple[list[int], list[int]]] = field(default_factory=dict)
    _regions: _Regions = field(default_factory=lambda: _Regions())

    @property
    def continuous_states(self) -> slice:
        """Where all continuous states stand."""
        count = sum(place.count for place in self.states.values() if not place.discrete)
        return slice(self._regions.x, self._regions.x + count)

    @property
    def derivative_offset(self) -> int:
        """How far behind a continuous state its derivative stands."""
        return self._regions.dx - self._regions.x


@dataclass
class _Regions:
    """First place of each region of the values."""

    signals: int = 0
    parameters: int = 0
    work: int = 0
    x: int = 0
    z: int = 0
    hits: int = 0
    dx: int = 0
    g: int = 0


def make_plan(
    component: Diagram | Block,
    *,
    wanted: Iterable[str] | None = None,
    stop: str | None = None,
    input_shapes: Mapping[str, tuple[int, ...]] | None = None,
    input_signals: Mapping[str, Signal] | None = None,
    **settings: Any,
) -> Plan:
    """Flatten, order and lay out a diagram or a single block.

    `wanted` names outputs ("vessel.eta") that are evaluated at major steps besides those that the run itself needs;
    None means all. `stop` names an output that ends the run when it exceeds 0.5. `settings` are those of `Settings`.
    `input_shapes` are shapes of external inputs whose size nothing else decides; `input_signals` are the full types of
    external inputs that the ports which they feed leave open.
    Raises WiringError for unconnected inputs, sizes that do not fit and algebraic loops.
    """
    flat = flatten(component, input_shapes, input_signals)
    check_types(flat)
    return _Layout(flat, Settings(**settings), wanted, stop).plan()


def check_kernel(block: Block) -> None:
    """Raise DeclarationError if a block's kernel does not exist or does not fit the declaration."""
    if isinstance(block, PythonBlock):
        return
    name = type(block).__name__
    counts = native.kernel_counts(block.kernel)
    if counts is None:
        raise DeclarationError(f"{name}: there is no kernel '{block.kernel}'")
    declared = (len(block.input_ports), len(block.output_ports), len(type(block).parameters), len(block.sizes))
    for what, have, expected in zip(
        ("inputs", "outputs", "parameters", "sizes"), declared, counts[:4], strict=True
    ):
        if expected >= 0 and expected != have:
            raise DeclarationError(
                f"{name} declares {have} {what}, but its kernel '{block.kernel}' expects {expected}"
            )
    continuous = any(not s.discrete for s in block.states.values())
    if continuous != counts[7]:
        raise DeclarationError(
            f"{name} {'declares' if continuous else 'does not declare'} continuous states, but its kernel "
            f"'{block.kernel}' has {'no ' if continuous else ''}derivatives"
        )
    if block.output_ports and not counts[6]:
        raise DeclarationError(f"{name} declares outputs, but its kernel '{block.kernel}' computes none")
    if block.sampled and continuous:
        raise DeclarationError(f"{name} is sampled and cannot have continuous states")


class _Layout:
    """Gives every quantity its place and writes the tables."""

    def __init__(self, flat: Flat, settings: Settings, wanted: Iterable[str] | None, stop: str | None) -> None:
        self.flat = flat
        self.settings = settings
        self.regions = _Regions()
        self.given: list[NDArray[np.float64]] = []
        self.inputs: dict[str, Place] = {}
        self.outputs: dict[str, Place] = {}
        self.parameters: dict[str, Place] = {}
        self.states: dict[str, Place] = {}
        self.feeds: dict[tuple[str, str], int] = {}
        self.initial: dict[str, int] = {}
        for leaf in flat.leaves:
            check_kernel(leaf.block)
        self.homes, self.elided = find_homes(flat)
        self._signals()
        self._parameters()
        self._states()
        self._state_outputs()
        self._feeds()
        self.stop = self._find(stop).first if stop else -1
        self._calls(wanted, [stop] if stop else [])

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
            return Place(name, place.first, place.shape, place.unit, place.doc, place.signal, discrete=place.discrete)
        unit = place.signal.units(place.count)[start:stop]
        one = unit[0] if len(set(unit)) == 1 else unit
        shape = () if stop - start == 1 else (stop - start,)
        labels = place.signal.labels[start:stop]
        signal = Signal(place.signal.name, shape, one, place.signal.frame, labels)  # type: ignore[arg-type]
        return Place(name, place.first + start, shape, signal.unit, place.doc, signal, discrete=place.discrete)

    def _take(self, value: Any, shape: tuple[int, ...]) -> int:
        """Append start values; where they begin."""
        first = sum(part.size for part in self.given)
        try:
            filled = np.broadcast_to(np.asarray(value, dtype=np.float64), shape)
        except ValueError:
            raise WiringError(f"a value of shape {np.shape(value)} does not fit the shape {shape}") from None
        self.given.append(filled.reshape(-1))
        return first

    def _signals(self) -> None:
        for name, external in self.flat.externals.items():
            shape = tuple(int(d) for d in external.shape)
            first = self._take(0.0 if external.default is None else external.default, shape)
            self.inputs[name] = Place(name, first, shape, external.signal.unit, external.doc, external.signal)
        self.external_width = sum(part.size for part in self.given)
        for leaf in self.flat.leaves:
            for port_name, port in leaf.block.output_ports.items():
                signal = signal_of(self.flat, leaf, port_name)
                shape = tuple(int(d) for d in signal.shape)
                name = f"{leaf.name}.{port_name}"
                elsewhere = leaf.block.state_of(port_name) or (leaf, port_name) in self.homes
                first = -1 if elsewhere else self._take(concatenated_defaults(leaf, shape), shape)
                self.outputs[name] = Place(
                    name, first, shape, signal.unit, port.doc, signal, discrete=leaf.block.sampled
                )
        self.defaults = {
            (leaf.name, name): self._take(port.default, tuple(int(d) for d in leaf.shape(port.signal)))
            for leaf in self.flat.leaves for name, port in leaf.block.input_ports.items() if name not in leaf.feeds
        }
        self.regions.parameters = sum(part.size for part in self.given)

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
                shape = tuple(leaf.sizes[d] if isinstance(d, str) else d for d in parameter.shape)
                path = f"{leaf.name}.{name}"
                first = self._take(parameter.encode(block.values[name], shape), (width(shape),))
                self.parameters[path] = Place(path, first, shape, parameter.unit, parameter.doc, parameter=parameter)
            for name, state in block.states.items():
                shape = tuple(int(d) for d in leaf.shape(state.signal))
                if state.private:
                    self.initial[f"{leaf.name}.{name}"] = self._take(state.initial, shape)
                else:
                    self.initial[f"{leaf.name}.{name}"] = self.parameters[f"{leaf.name}.initial_{name}"].first
        self.regions.work = sum(part.size for part in self.given)

    def _states(self) -> None:
        regions = self.regions
        regions.x = regions.work + sum(leaf.block.work_size(leaf.sizes) for leaf in self.flat.leaves)
        next_x = regions.x
        for discrete in (False, True):
            for leaf in self.flat.leaves:
                for name, state in leaf.block.states.items():
                    if state.discrete is discrete:
                        shape = tuple(int(d) for d in leaf.shape(state.signal))
                        path = f"{leaf.name}.{name}"
                        self.states[path] = Place(
                            path, next_x, shape, state.signal.unit, state.doc, state.signal, discrete=discrete
                        )
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
                key = (float(leaf.block.values["period"]), float(leaf.block.values["offset"]))
                places = (
                    self.parameters[f"{leaf.name}.period"].first, self.parameters[f"{leaf.name}.offset"].first,
                )
                rates.setdefault(key, places)
        return rates

    def _calls(self, wanted: Iterable[str] | None, stop: list[str]) -> None:
        everything = {
            (leaf, port) for leaf in self.flat.leaves for port in leaf.block.output_ports
        }
        states = {(leaf, port) for leaf, port in everything if leaf.block.state_of(port)}
        stepping: list[Node] = []
        differential: list[Node] = []
        for leaf in self.flat.leaves:
            has = _functions(leaf.block)
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
            for name in [*wanted, *stop]:
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

    def plan(self) -> Plan:
        """Write the tables."""
        strings = _Strings()
        regions = self.regions
        numbers: list[int] = []
        ports: list[int] = []
        records: list[int] = []
        copies: list[int] = []
        bindings: dict[str, tuple[list[int], list[int]]] = {}
        work, x, z, g = regions.work, regions.x, regions.z, regions.g
        for leaf in self.flat.leaves:
            block = leaf.block
            read, written, held = self._block_ports(leaf)
            bindings[leaf.name] = ([first for first, _ in read], [first for first, _ in written])
            record = [strings.add(_kernel_name(block)), strings.add(leaf.name)]
            for group in (read, written, held):
                record += [len(group), len(ports)]
                ports += [number for pair in group for number in pair]
            shapes = {n: width(tuple(int(d) for d in leaf.shape(s.signal))) for n, s in block.states.items()}
            nx = sum(shapes[n] for n, s in block.states.items() if not s.discrete)
            nz = sum(shapes[n] for n, s in block.states.items() if s.discrete)
            nw, ng = block.work_size(leaf.sizes), block.crossing_count(leaf.sizes)
            own_numbers = [] if isinstance(block, PythonBlock) else block.kernel_sizes(leaf.sizes)
            record += [work, nw, x, nx, z, nz, g, ng, len(numbers), len(own_numbers), self._rate(block)]
            record.append(struct.unpack("<i", struct.pack("<I", zlib.crc32(leaf.name.encode())))[0])
            numbers += own_numbers
            work, x, z, g = work + nw, x + nx, z + nz, g + ng
            records += record
            if not _functions(block)["start"]:
                for name in block.states:
                    place = self.states[f"{leaf.name}.{name}"]
                    copies += [self.initial[f"{leaf.name}.{name}"], place.first, place.count]
        majors, wanted = self._call_table(self.majors, [])
        minors, wanted = self._call_table(self.minors, wanted)
        rates = [place for pair in self.rates.values() for place in pair]
        given = np.concatenate(self.given) if self.given else np.zeros(0)
        tables = np.array([*records, *ports, *majors, *minors, *wanted, *numbers, *copies, *rates], dtype="<i4")
        body = given.astype("<f8").tobytes() + tables.tobytes() + strings.data
        s = self.settings
        head = (
            native.PLAN_VERSION_NUMBER, _HEADER.size + len(body), len(self.flat.leaves), len(ports),
            len(self.majors), self.steady, len(self.minors), len(wanted), len(numbers), len(copies) // 3, len(self.rates),
            len(strings.data), self.external_width, regions.parameters, regions.work - regions.parameters,
            regions.x - regions.work, regions.z - regions.x, regions.hits - regions.z, g - regions.g,
            native.SOLVERS.get(s.solver, native.SOLVERS["rk4"]), 0, self.stop,
            s.start, s.step, s.relative_tolerance, s.absolute_tolerance, s.max_step,
        )
        bare = _HEADER.pack(_MAGIC, s.end, 0, *head) + body
        checksum = native.fnv1a_hash(bare[native.CHECKED_FROM_BYTE :])
        stored = _HEADER.pack(_MAGIC, s.end, checksum, *head) + body
        boundary = {name: self._find(name) for name in self.flat.outputs}
        return Plan(
            self.flat, s, stored, self.inputs, self.outputs, self.parameters, self.states, self.majors, self.minors,
            boundary, bindings, regions,
        )

    def _rate(self, block: Block) -> int:
        if not block.sampled:
            return 0
        key = (float(block.values["period"]), float(block.values["offset"]))
        return list(self.rates).index(key) + 1

    def _block_ports(self, leaf: Leaf) -> tuple[list[tuple[int, int]], list[tuple[int, int]], list[tuple[int, int]]]:
        """(place, width) of each input, output and parameter of a block."""
        block = leaf.block
        read = [(self.feeds[leaf.name, n], leaf.width(p.signal)) for n, p in block.input_ports.items()]
        written = [(p.first, p.count) for n in block.output_ports for p in [self.outputs[f"{leaf.name}.{n}"]]]
        held = [(p.first, p.count) for n in block.all_parameters() for p in [self.parameters[f"{leaf.name}.{n}"]]]
        for name, state in block.states.items():
            if state.private:
                held.append((self.initial[f"{leaf.name}.{name}"], leaf.width(state.signal)))
        return read, written, held

    def _call_table(self, calls: list[Call], wanted: list[int]) -> tuple[list[int], list[int]]:
        """Rows (block, first of wanted), and `wanted` with the rows' entries appended."""
        table: list[int] = []
        for call in calls:
            block = call.leaf.block
            computed = [o for o in block.output_ports if not block.state_of(o)]
            alike = len({frozenset(block.feedthrough(o)) for o in computed}) == 1
            table += [self.flat.leaves.index(call.leaf), len(wanted)]
            wanted = wanted + [
                1 if o in call.outputs or alike and o in computed else 0 for o in block.output_ports
            ]
        return table, wanted


class _Strings:
    """Names ended by 0, each once."""

    def __init__(self) -> None:
        self.data = b""
        self.known: dict[str, int] = {}

    def add(self, text: str) -> int:
        """Where a name stands."""
        if text not in self.known:
            self.known[text] = len(self.data)
            self.data += text.encode() + b"\0"
        return self.known[text]


def _kernel_name(block: Block) -> str:
    return block.engine_kernel if isinstance(block, PythonBlock) else block.kernel


_FUNCTIONS = ("setup", "start", "outputs", "derivatives", "update", "crossings")


def _functions(block: Block) -> dict[str, bool]:
    """Which functions the block's kernel has."""
    counts = native.kernel_counts(block.kernel) if not isinstance(block, PythonBlock) else None
    if counts is not None:
        return dict(zip(_FUNCTIONS, counts[4:], strict=True))
    assert isinstance(block, PythonBlock)
    return dict.fromkeys(_FUNCTIONS, False) | {
        "outputs": True, "derivatives": block.has_derivatives, "update": block.has_update,
    }
