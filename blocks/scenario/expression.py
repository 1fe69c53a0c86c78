"""Expressions over signals, as `environment:` has them: "-0.1 * abs(guidance.cross_track_error)".

They have the grammar and the functions of formulas. Names are those of signals, numbers in SI, and `change(x)` is by
how much x has changed since the last action. No name reaches Python.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from blocks.errors import ScenarioError, shorten
from blocks.formula import functions
from blocks.formula.errors import FormulaError
from blocks.formula.functions import CHANGE
from blocks.formula.grammar import parse
from blocks.formula.tree import Call, Item, Name, Node, Vector, walk
from blocks.scenario.evaluation import VOCABULARY, Evaluate, evaluation

CONSTANTS: Mapping[str, float] = {**functions.CONSTANTS, "True": 1.0, "False": 0.0}
"""Numbers that have names; truth values as Python and as YAML write them."""


@dataclass(frozen=True)
class Reference:
    """A signal as an expression names it: "vessel.eta" and "psi" of vessel.eta[psi]."""

    name: str
    element: str | int | tuple[int | None, int | None] | None = None

    def __str__(self) -> str:
        if isinstance(self.element, tuple):
            first, last = ("" if end is None else end for end in self.element)
            return f"{self.name}[{first}:{last}]"
        return self.name if self.element is None else f"{self.name}[{self.element}]"


class Expression:
    """An expression, read and ready to be evaluated. Raises ScenarioError for what it cannot be.

    `references` are the signals that it is of; `changes` the expressions whose change since the last action it takes.
    """

    def __init__(self, text: str | float) -> None:
        self.text = str(text)
        self.references: list[Reference] = []
        self.changes: list[Expression] = []
        try:
            self.evaluate = self._compiled(parse(self.text, "", VOCABULARY, dotted=True))
        except FormulaError as problem:
            raise _error(problem, self.text) from None

    def _compiled(self, root: Node) -> Evaluate:
        signals: dict[int, int] = {}
        changes: dict[int, int] = {}
        apart: set[int] = set()
        """Nodes that are looked at with those that they are parts of."""
        for node in walk(root):
            if isinstance(node, Item) and isinstance(node.of, Name):
                apart.add(id(node.of))
            elif isinstance(node, Call) and node.function == CHANGE.name:
                changes[id(node)] = len(self.changes)
                self.changes.append(_change(node))
                apart.update(map(id, walk(node.arguments[0])))
        for node in walk(root):
            if id(node) not in apart:
                self._note(node, signals)
        return evaluation(root, signals, changes, CONSTANTS)

    def _note(self, node: Node, signals: dict[int, int]) -> None:
        """Remember a signal, and refuse what expressions do not have."""
        if isinstance(node, Item):
            self._check_item(node)
            if not isinstance(node.of, Name):
                return
            reference = Reference(node.of.name, node.index[0])
        elif isinstance(node, Name) and node.name not in CONSTANTS:
            reference = Reference(node.name)
        else:
            if isinstance(node, Vector) and any(isinstance(item, Vector) for item in node.items):
                raise FormulaError("expressions over signals have no matrices", place=node.place)
            return
        if reference not in self.references:
            self.references.append(reference)
        signals[id(node)] = self.references.index(reference)

    def _check_item(self, node: Item) -> None:
        if len(node.index) > 1 or (isinstance(node.index[0], str) and not isinstance(node.of, Name)):
            raise FormulaError(
                f"'{node.place.shown}' names no element",
                place=node.place,
                hint="write its label, its number, or first:last",
            )

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Expression({self.text!r})"


def _change(node: Call) -> Expression:
    """What the change is of."""
    (of,) = node.arguments
    if any(isinstance(one, Call) and one.function == CHANGE.name for one in walk(of)):
        raise FormulaError("it takes the change of a change", place=node.place)
    return Expression(of.place.shown)


def check(text: Any) -> None:
    """Raise ScenarioError for a text that is no expression."""
    Expression(text)


def names_in(expressions: Iterable[Expression]) -> list[Reference]:
    """All signals that expressions are of, those within `change` too, each once."""
    found: dict[Reference, None] = {}
    for expression in expressions:
        found |= dict.fromkeys(expression.references)
        found |= dict.fromkeys(names_in(expression.changes))
    return list(found)


def _error(fault: FormulaError, text: str) -> ScenarioError:
    """The same about the expression, with the characters at fault."""
    whole = shorten(text, 100)
    problems = tuple(replace(problem, message=f"'{whole}': {problem.message}") for problem in fault.problems)
    return ScenarioError("\n".join(map(str, problems)), problems=problems)
