"""From equations to the program that the kernel of `Formula` runs, and to what else a block says of itself.

The numbers n of a program, as `cython_kernels/basic/formula.pxd` reads them:

    where its constants begin and how many there are; then where each segment begins, or 0: setup, derivatives, update,
    crossings, jumps, outputs together; how many outputs have a segment of their own, and where these begin
    constants, of two numbers each
    segments: where the code begins and ends, where the places begin, the first result and how many, how many runs of
    what is loaded and these (input or parameter or a number below 0, first, how many); of the outputs together how many
    runs of results and these (port, how many); the code; the places of what is loaded and of each instruction

Derived constants w are the constants of the text, then what follows from parameters alone and is read elsewhere.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from struct import pack, unpack

from blocks.errors import ParameterError
from blocks.formula.dependence import Leaves, counts_of, inputs_of, sources_of
from blocks.formula.events import MODE, Events, events_of, without_events
from blocks.formula.faults import NOWHERE, Faults
from blocks.formula.machine import REGISTERS
from blocks.formula.scalars import LEAVES, Elements, Scalariser
from blocks.formula.selection import Instructions, TooManyRegisters, instructions
from blocks.formula.tree import Equations, Place, Shape
from blocks.model.dependence import Sources

_HEADER = 8
_FROM_WORK, _FROM_X, _FROM_Z, _FROM_TIME = -1, -2, -3, -4
_INTO_DX = -1


@dataclass(frozen=True)
class Program:
    """What a block of these equations has.

    work: derived constants; modes: how many private discrete states stand behind the declared ones in z, as one state
    called `mode_state`; registers: the most that a segment uses. Of fault i + 1, `faults[i]` is the message and
    `places[i]` where in the text it is. is_state: the continuous state that an output simply is. uses_time: whether an
    output, derivative or update reads t.
    """

    numbers: tuple[int, ...]
    work: int
    modes: int
    crossings: int
    registers: int
    faults: tuple[str, ...]
    places: tuple[Place, ...]
    sources: Mapping[tuple[str, str], Sources]
    feedthrough: Mapping[str, tuple[str, ...]]
    shapes: Mapping[str, Shape]
    is_state: Mapping[str, str]
    kernel: str
    mode_state: str
    uses_time: bool


def program_of(equations: Equations) -> Program:
    """The program of equations. Raises ParameterError if they are too large for the machine."""
    return _Maker(equations).program()


@dataclass
class _Segment:
    """What one function computes: nodes, and the outputs that take so many each; derivatives if there are none."""

    name: str
    roots: tuple[int, ...]
    results: tuple[tuple[int, int], ...] = ()
    number: int = field(default=0)


class _Maker:
    def __init__(self, equations: Equations) -> None:
        self.equations = equations
        self.scalars = Scalariser(equations)
        self.graph = self.scalars.graph
        self.of_role: dict[str, list[str]] = {}
        for name, symbol in equations.symbols.items():
            self.of_role.setdefault(symbol.role, []).append(name)
        self.outputs = {name: self.scalars.of(tree) for name, tree in equations.outputs.items()}
        self.derivatives = self._of_states(equations.derivatives, "state")
        self.updates = self._of_states(equations.updates, "discrete state")
        roots = [node for found in (self.outputs, self.derivatives, self.updates) for one in found.values()
                 for node in one.nodes]  # fmt: skip
        self.unheld = Leaves(self.graph)
        self.events: Events = (without_events if equations.sampled else events_of)(self.graph, roots)
        self.leaves = Leaves(self.graph)
        self.changing = self.leaves.among("input", "state", "discrete", MODE, "time")
        self.faults = Faults(self.graph)
        self.numbers: list[int] = []
        self.registers = 0
        self.first_of = self._firsts()

    def _of_states(self, trees: Mapping[str, object], role: str) -> dict[str, Elements]:
        """By the name of the state, in the order of the declaration; one without an equation stays as it is."""
        return {
            name: self.scalars.of(trees[name]) if name in trees else self.scalars.symbol(self.equations.symbols[name])  # type: ignore[arg-type]
            for name in self.of_role.get(role, [])
        }

    def _firsts(self) -> dict[str, int]:
        """Where each continuous state begins in x, each discrete one in z, and each input and parameter as a port."""
        found: dict[str, int] = {}
        for role in ("state", "discrete state"):
            place = 0
            for name in self.of_role.get(role, []):
                found[name] = place
                place += math.prod(self.equations.symbols[name].shape)
            if role == "discrete state":
                found[MODE] = place
        for role in ("input", "parameter"):
            found |= {name: i for i, name in enumerate(self.of_role.get(role, []))}
        return found

    # --- what is computed where ---------------------------------------------------------------------------------------

    def program(self) -> Program:
        """All of it."""
        is_state = self._is_state()
        feedthrough = {
            name: () if name in is_state else inputs_of_unheld(self, one.nodes) for name, one in self.outputs.items()
        }
        segments = self._segments(is_state, feedthrough)
        self._write(segments)
        reading = [node for one in segments if one.name not in ("crossings", "jumps") for node in one.roots]
        time = self.leaves.among("time")
        return Program(
            numbers=tuple(self.numbers),
            work=self.work,
            modes=len(self.events.modes),
            crossings=len(self.events.crossings),
            registers=self.registers,
            faults=tuple(self.faults.messages),
            places=tuple(self.faults.places),
            sources=self._sources(is_state),
            feedthrough=feedthrough,
            shapes={name: one.shape for name, one in self.outputs.items()},
            is_state=is_state,
            kernel=self._kernel(),
            mode_state=self._mode_state(),
            uses_time=any(self.leaves.masks[node] & time for node in reading),
        )

    def _kernel(self) -> str:
        if self.equations.sampled:
            return "formula_sampled_states" if self.updates else "formula_sampled"
        return f"formula{'_states' if self.derivatives else ''}{'_modes' if self.events.modes else ''}"

    def _mode_state(self) -> str:
        name = "modes"
        while name in self.equations.symbols or name in self.equations.outputs:
            name += "_"
        return name

    def _held(self, nodes: Iterable[int]) -> tuple[int, ...]:
        return tuple(self.events.held[node] for node in nodes)

    def _is_state(self) -> dict[str, str]:
        found = {}
        for name, one in self.outputs.items():
            for state in self.of_role.get("state", []):
                symbol = self.scalars.symbol(self.equations.symbols[state])
                if symbol == one:
                    found[name] = state
        return found

    def _segments(self, is_state: Mapping[str, str], feedthrough: Mapping[str, tuple[str, ...]]) -> list[_Segment]:
        computed = [name for name in self.outputs if name not in is_state]
        ports = {name: i for i, name in enumerate(self.outputs)}
        found = []
        if len({feedthrough[name] for name in computed}) == 1:
            nodes = tuple(node for name in computed for node in self._held(self.outputs[name].nodes))
            runs = tuple((ports[name], len(self.outputs[name].nodes)) for name in computed)
            found.append(_Segment("outputs", nodes, runs))
        else:
            for name in computed:
                nodes = self._held(self.outputs[name].nodes)
                found.append(_Segment(f"output {ports[name]}", nodes, ((ports[name], len(nodes)),)))
        if self.derivatives:
            nodes = tuple(node for one in self.derivatives.values() for node in self._held(one.nodes))
            found.append(_Segment("derivatives", nodes))
        updates = (*(node for one in self.updates.values() for node in one.nodes), *self.events.modes)
        if updates:
            found.append(_Segment("update", updates))
        if self.events.crossings:
            found.append(_Segment("crossings", self.events.crossings))
        if self.events.modes:
            found.append(_Segment("jumps", self.events.jumps))
        return found

    def _sources(self, is_state: Mapping[str, str]) -> dict[tuple[str, str], Sources]:
        counts = counts_of(self.equations.symbols) | {MODE: len(self.events.modes)}
        equations = {("output", name): self._held(one.nodes) for name, one in self.outputs.items()}
        equations |= {("derivative", name): self._held(one.nodes) for name, one in self.derivatives.items()}
        equations |= {("update", name): one.nodes for name, one in self.updates.items()}
        if self.events.modes:
            equations["update", self._mode_state()] = self.events.modes
        renamed = {MODE: self._mode_state()}
        return {
            key: {renamed.get(name, name): pattern for name, pattern in sources_of(self.leaves, nodes, counts).items()}
            for key, nodes in equations.items()
        }

    # --- derived constants --------------------------------------------------------------------------------------------

    def _derived(self, segments: Sequence[_Segment]) -> list[int]:
        """The nodes that follow from parameters alone and are read by what does not, by the segments that read them."""
        readers: dict[int, int] = {}
        for number, segment in enumerate(segments):
            for node in self._reached(segment.roots, lambda node: self._is_constant(node)):
                if self._is_constant(node):
                    readers[node] = readers.get(node, 0) | 1 << number
        return sorted(readers, key=lambda node: (readers[node], node))

    def _is_constant(self, node: int) -> bool:
        return not self.leaves.masks[node] & self.changing

    def _reached(self, roots: Iterable[int], ends: Callable[[int], bool]) -> list[int]:
        """Down to nodes at which it ends."""
        found: set[int] = set()
        ahead = [*roots]
        while ahead:
            node = ahead.pop()
            if node not in found:
                found.add(node)
                if not ends(node):
                    ahead += self.graph.nodes[node].arguments
        return sorted(found)

    def _number(self, node: int) -> bool:
        return self.graph.nodes[node].operation == "number"

    # --- writing ------------------------------------------------------------------------------------------------------

    def _write(self, segments: Sequence[_Segment]) -> None:
        derived = self._derived(segments)
        computed = [node for node in derived if not self._number(node)]
        below = self._reached(computed, lambda node: False)
        plain = [node for node in derived if self._number(node)]
        constants = [node for node in below if self._number(node) and node not in plain] + plain
        work = {node: i for i, node in enumerate([*constants, *computed])}
        self.work = len(work)
        own = [segment for segment in segments if segment.name.startswith("output ")]
        many = len(self.outputs) if own else 0
        self.numbers = [0] * (_HEADER + 1 + many)
        self.numbers[0:2] = [len(self.numbers), len(constants)]
        self.numbers[_HEADER] = many
        for node in constants:
            self.numbers += unpack("<2i", pack("<d", self.graph.nodes[node].value))
        self.numbers[2] = self._segment(_Segment("setup", tuple(computed)), {n: work[n] for n in constants})
        places = {"derivatives": 3, "update": 4, "crossings": 5, "jumps": 6, "outputs": 7}
        for segment in segments:
            at = _HEADER + 1 + int(segment.name[7:]) if segment in own else places[segment.name]
            self.numbers[at] = self._segment(segment, work)

    def _segment(self, segment: _Segment, work: Mapping[int, int]) -> int:
        """Write a segment; where it begins."""
        reads = [
            node
            for node in self._reached(segment.roots, lambda node: node in work)
            if node in work or self.graph.nodes[node].operation in LEAVES
        ]
        port_role = "parameter" if segment.name == "setup" else "input"
        of_run: dict[int, dict[int, int]] = {}
        for node in reads:
            source, place = self._source(node, work)
            of_run.setdefault(source, {})[node] = place
        loaded: dict[int, int] = {}
        runs: list[int] = []
        shown: list[tuple[str, Place]] = []
        register = 0
        for source, nodes in of_run.items():
            first, count = _range(sorted(nodes.values()))
            runs += [source, first, count]
            loaded |= {node: register + place - first for node, place in nodes.items()}
            shown += [self._shown(source, port_role, first + i, nodes) for i in range(count)]
            register += count
        made = self._instructions(segment, loaded, register)
        self.registers = max(self.registers, made.registers)
        here = len(self.numbers)
        into = segment.results or ((_INTO_DX, len(segment.roots)),)
        results = [len(into), *(number for run in into for number in run)]
        code = here + 6 + len(runs) + len(results)
        self.numbers += [
            code, code + len(made.numbers), code + len(made.numbers),
            made.results, len(segment.roots), len(runs), *runs, *results,
        ]  # fmt: skip
        self.numbers += made.numbers
        self.numbers += [self.faults.of_loaded(name, place) for name, place in shown]
        self.numbers += self.faults.of(made)
        return here

    def _instructions(self, segment: _Segment, loaded: Mapping[int, int], first: int) -> Instructions:
        try:
            return instructions(self.graph, segment.roots, loaded, first)
        except RecursionError:
            raise ParameterError(
                "the equations use one another too deeply, as hundreds of lines of let each of which needs the one "
                "before; make several formulas of them"
            ) from None
        except TooManyRegisters:
            what = {"setup": "what follows from parameters alone", "outputs": "the outputs"}
            name = what.get(segment.name, f"the {segment.name.split()[0]}")
            raise ParameterError(
                f"{name} need{'s' if segment.name == 'setup' else ''} more than {REGISTERS} numbers at a time "
                f"({first} inputs, states, parameters and constants, {len(segment.roots)} results and what lies "
                f"between them), which is what a formula has room for: make several blocks of it, or a compiled one"
            ) from None

    def _source(self, node: int, work: Mapping[int, int]) -> tuple[int, int]:
        """From where a node is loaded, and its place there."""
        one = self.graph.nodes[node]
        if node in work:
            return _FROM_WORK, work[node]
        name, element = one.key or ("", 0)
        if one.operation == "time":
            return _FROM_TIME, 0
        if one.operation in ("input", "parameter"):
            return self.first_of[name], element
        return _FROM_X if one.operation == "state" else _FROM_Z, self.first_of[name] + element

    # --- names -------------------------------------------------------------------------------------------------------

    def _shown(self, source: int, port_role: str, element: int, nodes: Mapping[int, int]) -> tuple[str, Place]:
        """What a register that is loaded is called, and where it is first read; "" of derived constants and modes,
        whose faults are told where they are made."""
        place = next((self.graph.places[node] for node in nodes if self.graph.places[node] is not None), None)
        if source >= 0:
            return self._element(self.of_role[port_role][source], element), place or NOWHERE
        if source == _FROM_TIME:
            return "t", NOWHERE
        return ("", NOWHERE) if source == _FROM_WORK else self._state_place(source, element)

    def _element(self, name: str, element: int) -> str:
        symbol = self.equations.symbols[name]
        if not symbol.shape:
            return name
        if symbol.labels:
            return f"{name}[{symbol.labels[element]}]"
        if len(symbol.shape) == 2:
            return f"{name}[{element // symbol.shape[1]}, {element % symbol.shape[1]}]"
        return f"{name}[{element}]"

    def _state_place(self, source: int, at: int) -> tuple[str, Place]:
        kind = "state" if source == _FROM_X else "discrete state"
        for name in reversed(self.of_role.get(kind, [])):
            if self.first_of[name] <= at < self.first_of[name] + math.prod(self.equations.symbols[name].shape):
                return self._element(name, at - self.first_of[name]), NOWHERE
        return "", NOWHERE


def inputs_of_unheld(maker: _Maker, nodes: Iterable[int]) -> tuple[str, ...]:
    """The inputs that nodes lead to, relations that are held included."""
    return inputs_of(maker.unheld, nodes, maker.of_role.get("input", []))


def _range(places: Sequence[int]) -> tuple[int, int]:
    """The first, and how many there are from there to the last."""
    return (places[0], places[-1] - places[0] + 1) if places else (0, 0)
