"""The calls of a plan's kernels as C: `kb_calls`, which `cython_kernels/core/calls.pxd` asks for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from blocks.compiled.structure import BlockRecord, Port, Structure
from cython_kernels.plain_c.lanes.parts import LANED

FUNCTIONS = ("setup", "start", "outputs", "derivatives", "update", "crossings", "jumps")
"""In the order of a line of the registry."""
LISTS = (
    "setups", "starts", "majors", "continuous", "minors", "derivatives", "modes", "samples", "crossings", "jumps",
)  # fmt: skip
"""As `Calls` in `calls.pxd` numbers them."""
_FUNCTION_OF = {
    "setups": "setup", "starts": "start", "derivatives": "derivatives", "modes": "update", "samples": "update",
    "crossings": "crossings", "jumps": "jumps",
}  # fmt: skip


_SELDOM = ("setups", "starts")
"""Compiled to be small, which takes less time."""
_OFTEN = ("majors", "minors", "derivatives")
"""With all that they call put into them, so that views and sizes are known there: a quarter less time for members side
by side, a tenth for one, and compiling takes half as long again."""


@dataclass(frozen=True)
class Call:
    """One call of one function of a block. number: of the task in its list. wanted: which outputs are."""

    block: BlockRecord
    function: str
    number: int
    wanted: tuple[bool, ...]


@dataclass(frozen=True)
class Dialect:
    """How calls are written.

    prefix: of types; number: that of values; ending: of functions; entry: what is called; lists: that are asked for.
    """

    prefix: str
    number: str
    ending: str
    entry: str
    lists: tuple[str, ...]


ONE = Dialect("", "double", "", "static inline void kb_calls(void *plan, int list, double t)", LISTS)
LANES = Dialect(
    "L_", "VD", "__pv", "static void kl_calls(L_Plan *plan, int list, double t)",
    tuple(name for name in LISTS if _FUNCTION_OF.get(name, "outputs") in LANED),
)  # fmt: skip


class Calls:
    """The lists of calls of a plan, as the loader makes them (`cython_kernels/core/loader.pxd`).

    functions: for each kernel of the engine the names of its functions in C, those that it has. What is not in
    it, such as kernels of libraries, is called by the tasks of the opened plan.
    """

    def __init__(
        self,
        structure: Structure,
        functions: Mapping[str, Mapping[str, str]],
        has: Mapping[str, set[str]],
        dialect: Dialect = ONE,
    ) -> None:
        self.structure, self.functions, self.has, self.dialect = structure, functions, has, dialect

    def of(self, name: str) -> list[Call]:
        """One of the lists."""
        if name in ("majors", "minors", "continuous"):
            table = self.structure.minors if name == "minors" else self.structure.majors
            found = [
                Call(self.structure.blocks[call.block], "outputs", number, call.wanted)
                for number, call in enumerate(table)
            ]
            return [call for call in found if not call.block.rate] if name == "continuous" else found
        function = _FUNCTION_OF[name]
        sampled = {"modes": False, "samples": True}.get(name)
        blocks = [
            block
            for block in self.structure.blocks
            if function in self.has[block.kernel] and (sampled is None or bool(block.rate) == sampled)
        ]
        return [Call(block, function, number, (True,) * len(block.outputs)) for number, block in enumerate(blocks)]

    def text(self) -> str:
        """`kb_calls` with a function for each list."""
        parts = [self._list(name) for name in self.dialect.lists]
        cases = "".join(
            f"    case {number}:\n        {self._name(name)}(s, t);\n        break;\n"
            for number, name in enumerate(LISTS)
        )
        plan = f"    {self.dialect.prefix}Plan *const s = ({self.dialect.prefix}Plan *)plan;\n"
        return "\n".join([*parts, f"{self.dialect.entry}\n{{\n{plan}    switch (list) {{\n{cases}    }}\n}}\n"])

    def _name(self, name: str) -> str:
        return f"{self.dialect.entry.split('(')[0].split()[-1].removesuffix('s')}_{name}"

    def _list(self, name: str) -> str:
        calls = self.of(name)
        lines = [line for call in self._steady(name, calls) for line in call]
        how = "cold" if name in _SELDOM else "flatten" if name in _OFTEN else "unused"
        time = "time" if self.dialect is LANES else "t"
        plan = f"{self.dialect.prefix}Plan *const s"
        head = f"__attribute__(({how})) static void {self._name(name)}({plan}, double const {time})\n{{\n"
        if not lines:
            return f"{head}    (void)s;\n    (void){time};\n}}\n"
        if self.dialect is LANES:
            head += "    VD const t = kl_time(s, time);\n"
        values = f"    {self.dialect.number} *const V = s->values;\n"
        return f"{head}{values}{''.join(lines)}}}\n"

    def _steady(self, name: str, calls: list[Call]) -> Iterator[list[str]]:
        steady = self.structure.header["steady"] if name == "majors" else 0
        if steady:
            yield ["    if (s->first_major == 0) {\n"]
        for place, call in enumerate(calls):
            if place == steady and steady:
                yield ["    }\n"]
            yield [self._call(call, name)]
        if steady and steady == len(calls):
            yield ["    }\n"]

    def _call(self, call: Call, name: str) -> str:
        block = call.block
        due = f"if (s->due[{block.rate}]) " if block.rate and name in ("majors", "samples") else ""
        if block.kernel not in self.functions:
            if self.dialect is LANES:
                return f"    {due}{self._by_member(call, name)}"
            task = f"s->{'majors' if name == 'continuous' else name}[{call.number}]"
            return f"    {due}{task}.run(&{task}.view, t); /* {block.kernel} */\n"
        function = self.functions[block.kernel][call.function]
        return f"    {due}{{\n{self._view(call)}        {function}{self.dialect.ending}(&b, t);\n    }}\n"

    def _by_member(self, call: Call, name: str) -> str:
        """A call of a kernel of a library, for each member by itself."""
        block = call.block
        states = [block.x, block.z]
        reads = [*block.inputs, *block.parameters, block.work, *states]
        behind = Port(block.x.place + self.structure.derivatives, block.x.count)
        writes = {
            "derivatives": [behind], "update": [block.z], "jumps": [block.g],
            "outputs": [port for port, wanted in zip(block.outputs, call.wanted, strict=True) if wanted],
        }[call.function]  # fmt: skip
        return (
            f"{{\n        static const int reads[] = {{{_places(reads)}}}, writes[] = {{{_places(writes)}}};\n"
            f"        kl_by_member(s, reads, writes, {LISTS.index(name)}, {call.number}, t);\n    }}\n"
        )

    def _view(self, call: Call) -> str:
        block = call.block
        outputs = [p if wanted else None for p, wanted in zip(block.outputs, call.wanted, strict=True)]
        sizes = ", ".join(map(str, block.numbers)) or "0"
        derivatives = block.x.place + self.structure.derivatives
        states = (block.work.place, block.x.place, derivatives, block.z.place, block.g.place)
        places = ", ".join(f"V + {place}" for place in states)
        kind = self.dialect.number
        return (
            f"        {kind} const *u[] = {{{_pointers(block.inputs)}}};\n"
            f"        {kind} *y[] = {{{_pointers(outputs)}}};\n"
            f"        {kind} const *p[] = {{{_pointers(block.parameters)}}};\n"
            f"        static const int n[] = {{{sizes}}};\n"
            f"        {self.dialect.prefix}View const b = "
            f"{{u, y, p, {places}, n, s->faults + {block.number}, {block.key}u, 0}};\n"
        )


def _pointers(ports: Iterable[Port | None]) -> str:
    return ", ".join("0" if port is None else f"V + {port.place}" for port in ports) or "0"


def _places(ports: Iterable[Port]) -> str:
    return "".join(f"{port.place}, {port.count}, " for port in ports if port.count) + "-1"
