"""The calls of a plan's kernels as C: `kb_calls`, which `cython_kernels/core/calls.pxd` asks for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from blocks.compiled.structure import BlockRecord, Port, Structure

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


@dataclass(frozen=True)
class Call:
    """One call of one function of a block. number: of the task in its list. wanted: which outputs are."""

    block: BlockRecord
    function: str
    number: int
    wanted: tuple[bool, ...]


class Calls:
    """The lists of calls of a plan, as the loader makes them (`cython_kernels/core/loader.pxd`).

    functions: for each kernel of the engine the names of its seven functions in C, "" where it has none. What is not in
    it, such as kernels of libraries, is called by the tasks of the opened plan.
    """

    def __init__(self, structure: Structure, functions: Mapping[str, Mapping[str, str]], has: Mapping[str, set[str]]):
        self.structure, self.functions, self.has = structure, functions, has

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
        parts = [self._list(name) for name in LISTS]
        cases = "".join(
            f"    case {number}:\n        kb_list_{name}(s, t);\n        break;\n" for number, name in enumerate(LISTS)
        )
        return (
            "\n".join(parts)
            + f"\nstatic inline void kb_calls(void *plan, int list, double t)\n{{\n    Plan *const s = (Plan *)plan;\n"
            f"    switch (list) {{\n{cases}    }}\n}}\n"
        )

    def _list(self, name: str) -> str:
        calls = self.of(name)
        lines = [line for call in self._steady(name, calls) for line in call]
        head = f"static void kb_list_{name}(Plan *const s, double const t)\n{{\n"
        if not lines:
            return f"{head}    (void)s;\n    (void)t;\n}}\n"
        values = "    double *const V = s->values;\n"
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
            task = f"s->{'majors' if name == 'continuous' else name}[{call.number}]"
            return f"    {due}{task}.run(&{task}.view, t); /* {block.kernel} */\n"
        function = self.functions[block.kernel][call.function]
        return f"    {due}{{\n{self._view(call)}        {function}(&b, t);\n    }}\n"

    def _view(self, call: Call) -> str:
        block = call.block
        outputs = [p if wanted else None for p, wanted in zip(block.outputs, call.wanted, strict=True)]
        sizes = ", ".join(map(str, block.numbers)) or "0"
        derivatives = block.x.place + self.structure.derivatives
        states = (block.work.place, block.x.place, derivatives, block.z.place, block.g.place)
        places = ", ".join(f"V + {place}" for place in states)
        return (
            f"        double const *u[] = {{{_pointers(block.inputs)}}};\n"
            f"        double *y[] = {{{_pointers(outputs)}}};\n"
            f"        double const *p[] = {{{_pointers(block.parameters)}}};\n"
            f"        static const int n[] = {{{sizes}}};\n"
            f"        View const b = {{u, y, p, {places}, n, s->faults + {block.number}, {block.key}u, 0}};\n"
        )


def _pointers(ports: Iterable[Port | None]) -> str:
    return ", ".join("0" if port is None else f"V + {port.place}" for port in ports) or "0"
