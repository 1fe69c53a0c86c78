"""Lookup tables as FMI-LS-STRUCT has them: a terminal that says which parameters are breakpoints and which values.

FMI-LS-STRUCT 1.0.0-alpha.1, docs/index.adoc of commit 02f7c485: maps sampled on rectilinear grids.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from blocks.block import Block
from blocks.diagram import Diagram
from fmu.description.markup import Document
from fmu.description.variables import Variable

STANDARD = "org.fmi-standard.fmi-ls-struct"
VERSION = "1.0.0-alpha.1"
DESCRIPTION = "Layered standard for structuring of variables"

_TABLES = {
    "LookupTable1D": ((("breakpoints", "u"),), "table"),
    "LookupTable2D": ((("rows", "u1"), ("columns", "u2")), "table"),
}
"""Of a block its breakpoints, each with the input that is looked up there, and its values. Outputs, which need not be
told, are called `domainOutput` by the text and `codomainOutput` by its example."""


@dataclass(frozen=True)
class Map:
    """A lookup table of the model: its name, and its variables with what they are in it."""

    name: str
    members: tuple[tuple[str, str], ...]


def has_table(component: Diagram | Block) -> bool:
    """Whether there is a lookup table in a diagram, or the block is one."""
    blocks = component.blocks().values() if isinstance(component, Diagram) else [component]
    return any(type(block).__name__ in _TABLES for block in blocks)


def maps(variables: Iterable[Variable]) -> list[Map]:
    """The lookup tables of which breakpoints and values are all shown."""
    blocks: dict[str, dict[str, Variable]] = {}
    kinds: dict[str, str] = {}
    for variable in variables:
        if variable.leaf is not None and variable.place.shape and type(variable.leaf.block).__name__ in _TABLES:
            blocks.setdefault(variable.leaf.name, {}).setdefault(variable.member, variable)
            kinds[variable.leaf.name] = type(variable.leaf.block).__name__
    found = ((name, [*_members(kinds[name], shown)]) for name, shown in blocks.items())
    return [Map(name, tuple((v.name, kind) for v, kind in members)) for name, members in found if members]


def _members(block: str, shown: dict[str, Variable]) -> Iterator[tuple[Variable, str]]:
    domains, values = _TABLES[block]
    if not {values, *(breakpoints for breakpoints, _ in domains)} <= shown.keys():
        return
    for breakpoints, looked_up in domains:
        yield shown[breakpoints], "domain"
        if looked_up in shown:
            yield shown[looked_up], "domainInput"
    yield shown[values], "codomain"


def add_map(document: Document, table: Map) -> None:
    """The terminal of a lookup table."""
    pairs = {
        "name": f"{table.name}.map" if table.name else "map",
        "matchingRule": f"{STANDARD}.map",
        "terminalKind": f"{STANDARD}.map.rectilinearGrid",
    }
    with document.element("Terminal", pairs):
        for name, kind in table.members:
            member = name.rpartition(".")[2]
            document.empty(
                "TerminalMemberVariable",
                {"variableName": name, "memberName": member, "variableKind": f"{STANDARD}.map.{kind}"},
            )
