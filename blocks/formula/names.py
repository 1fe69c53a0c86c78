"""What names stand for: symbols of the block, the time, constants, and helpers in the order in which they are used."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from graphlib import CycleError, TopologicalSorter

from blocks.errors import did_you_mean
from blocks.formula.declaration import SAMPLING
from blocks.formula.errors import FormulaError
from blocks.formula.functions import CONSTANTS, FUNCTIONS, TIME
from blocks.formula.hints import WORDS
from blocks.formula.tree import Equations, Name, Node, Place, Symbol, walk
from blocks.problems import Problem

_SECTIONS = {
    "input": "inputs",
    "parameter": "parameters",
    "state": "states",
    "discrete state": "update",
    "helper": "let",
}
_HINTS = {
    "e": "write exp(1)",
    "π": "write pi",
    "True": "write true",
    "False": "write false",
    "inf": "a limit out of reach is 1e300",
    "infinity": "a limit out of reach is 1e300",
    "time": f"the time is {TIME}",
    "None": "a formula always has a value",
    "i": "numbers are real",
    "j": "numbers are real",
}


class Names:
    """What the names of a block stand for, and which of them have been used."""

    def __init__(self, symbols: Mapping[str, Symbol], helpers: Iterable[str], others: Iterable[str]) -> None:
        self.symbols = {_plain(name): symbol for name, symbol in symbols.items()}
        self.helpers = {_plain(name): name for name in helpers}
        self.others = frozenset(others)
        self.constants = {name: Symbol(name, "constant") for name in CONSTANTS}
        self.time = Symbol(TIME, "time", (), "s")

    def faults(self) -> Iterator[FormulaError]:
        """Names that cannot be given."""
        given = [(name, _SECTIONS.get(symbol.role, "symbols")) for name, symbol in self.symbols.items()]
        given = [pair for pair in given if not (pair[0] == TIME and self.symbols[TIME].role == "time")]
        for name, section in (*given, *((name, "let") for name in self.helpers)):
            place = Place(f"{section}.{name}", name, 0, len(name))
            if name in WORDS:
                yield FormulaError(f"'{name}' is a word of the language, and no name", place=place, code="bad-name")
            elif name == TIME:
                yield FormulaError(f"'{TIME}' is the time, s, in every formula", place=place, code="bad-name")
            elif name in CONSTANTS:
                yield FormulaError(f"'{name}' is {CONSTANTS[name]:.6g} in every formula", place=place, code="bad-name")
            elif not name.isidentifier():
                yield FormulaError(
                    f"'{name}' is no name", place=place, code="bad-name", hint="letters, digits and _ make one"
                )
            elif section == "let" and name in self.symbols:
                role = self.symbols[name].role
                article = "an" if role[0] in "aeiou" else "a"
                yield FormulaError(f"'{name}' is {article} {role} already", place=place, code="bad-name")

    def resolve(self, root: Node, faults: list[FormulaError]) -> dict[str, Name]:
        """Say of all names of a tree what they stand for, but of helpers; those, each with its first place."""
        found: dict[str, Name] = {}
        for node in walk(root):
            if not isinstance(node, Name):
                continue
            if node.name in self.helpers:
                node.name = self.helpers[node.name]
                found.setdefault(node.name, node)
            elif (symbol := self._symbol(node.name)) is not None:
                node.name, node.symbol = symbol.name, symbol
            else:
                faults.append(self._unknown(node))
        return found

    def _symbol(self, name: str) -> Symbol | None:
        return self.symbols.get(name) or self.constants.get(name) or (self.time if name == TIME else None)

    def _unknown(self, node: Name) -> FormulaError:
        name = node.name
        valid = [*self.symbols, *self.helpers, TIME, "pi"]
        holders = [symbol.name for symbol in self.symbols.values() if name in symbol.labels]
        hint = ""
        if holders:
            hint = "write " + " or ".join(f"{holder}[{name}]" for holder in holders[:3])
        elif name in FUNCTIONS and FUNCTIONS[name].called:
            hint = f"a function stands before brackets, {name}(…)"
        elif name in self.others:
            hint = "an output is no name in formulas; what several of them use is a line in let"
        elif name in _HINTS and not did_you_mean(name, valid).endswith("?"):
            hint = _HINTS[name]
        return FormulaError(
            f"there is no '{name}' here", place=node.place, code="unknown-name", wrong=name, valid=valid, hint=hint
        )


def _plain(name: str) -> str:
    return unicodedata.normalize("NFKC", name)


def ordered(uses: Mapping[str, Mapping[str, Name]], faults: list[FormulaError]) -> list[str]:
    """Helpers so that each stands behind those that it uses, in their given order otherwise; none if they go round."""
    try:
        return list(TopologicalSorter({name: list(used) for name, used in uses.items()}).static_order())
    except CycleError as problem:
        ring = list(reversed(problem.args[1]))
        faults.append(
            FormulaError(
                f"helpers go round in a ring: {' → '.join(ring)}",
                place=uses[ring[0]][ring[1]].place,
                code="helper-ring",
                hint="what depends on its own value of before is a state",
            )
        )
        return []


def unused(equations: Equations) -> tuple[Problem, ...]:
    """A warning for each input, parameter and helper that no equation uses, as the block's `improbable` may hand on."""
    waiting = [*equations.outputs.values(), *equations.derivatives.values(), *equations.updates.values()]
    used: set[str] = set()
    while waiting:
        for node in walk(waiting.pop()):
            if isinstance(node, Name) and node.name not in used:
                used.add(node.name)
                if node.name in equations.helpers:
                    waiting.append(equations.helpers[node.name])
    return tuple(
        Problem(
            "warning",
            "unused-name",
            f"{_SECTIONS[symbol.role]}.{symbol.name} is used by no equation",
            hint="leave it out, or write it where it is meant",
            part=f"{_SECTIONS[symbol.role]}.{symbol.name}",
            within=(0, len(symbol.name)),
        )
        for symbol in equations.symbols.values()
        if symbol.role in ("input", "parameter", "helper")
        and symbol.name not in used
        and not (equations.sampled and symbol.name in SAMPLING)
    )
