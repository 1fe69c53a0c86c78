"""Variables of an FMU under names that are legal and different in Modelica, see `fmu.identifiers`."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator

from fmu.description.variables import Variable
from fmu.identifiers import INPUT_COPY, RESERVED, identifier, is_legal, legal_items, legal_name


def legal_variables(variables: list[Variable], *, arrays: bool) -> list[Variable]:
    """The variables of an FMU with names, types and items that are legal and different after the replacement.

    arrays: whether arrays are listed as such, else by their elements, "x[1]". Those that are legal come first, so that
    none of them has to give way to another's new name; among equal ones the first in the list keeps its name. A state
    and its derivative, `der(x)`, are called alike.
    """
    types = _types(variables)
    taken = {identifier(f"Keelblocks.{name}") for name in types.values()}
    taken |= {v.name for v in variables if v.role == "time"}  # an import leaves it out
    rates = {v.name: v for v in variables if v.role == "derivative"}
    names: dict[str, str] = {}
    those = [v for v in variables if v.role not in ("derivative", "time")]
    for legal_ones in (True, False):
        for variable in those:
            rate = rates.get(f"der({variable.name})")
            if variable.name in names or legal_ones != all(
                map(is_legal, _listed(variable, rate, variable.name, arrays))
            ):
                continue
            name = variable.name if legal_ones else legal_name(variable.name)
            while not _free(written := list(_written(variable, rate, name, arrays)), taken):
                name += "_"
            taken.update(written)
            names[variable.name] = name
            if rate is not None:
                names[rate.name] = f"der({name})"
    return [
        dataclasses.replace(
            v, name=names.get(v.name, v.name), size=names.get(v.size or "", v.size),
            alias_of=names.get(v.alias_of or "", v.alias_of), choices=legal_items(v.choices),
            type_name=types.get(v.type_name, ""),
        )
        for v in variables
    ]  # fmt: skip


def _types(variables: Iterable[Variable]) -> dict[str, str]:
    """Legal and different names of the types of enumerations."""
    found: dict[str, str] = {}
    taken: set[str] = set()
    for wanted in sorted({v.type_name for v in variables if v.choices}):
        name = legal_name(wanted)
        while identifier(name) in taken:
            name += "_"
        taken.add(identifier(name))
        found[wanted] = name
    return found


def _listed(variable: Variable, rate: Variable | None, name: str, arrays: bool) -> Iterator[str]:
    """The names that the description has for a variable, and for its derivative."""
    for one, called in ((variable, name), (rate, f"der({name})")):
        if one is not None:
            yield from [called] if arrays else dataclasses.replace(one, name=called).elements()


def _written(variable: Variable, rate: Variable | None, name: str, arrays: bool) -> Iterator[str]:
    """What an import declares for them."""
    for listed in _listed(variable, rate, name, arrays):
        yield identifier(listed)
        if variable.causality == "input":
            yield INPUT_COPY + identifier(listed)


def _free(written: list[str], taken: set[str]) -> bool:
    return taken.isdisjoint(written) and RESERVED.isdisjoint(written)
