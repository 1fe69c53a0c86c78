"""Variables of FMI 3.0 one number at a time, named as in FMI 2.0, for tools that take no arrays."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator

from fmu.description.variables import Variable


def scalars(variables: Iterable[Variable]) -> list[Variable]:
    """The elements of all variables. The number of rows is then fixed, so that there are no sizes."""
    whole = {variable.name: variable for variable in variables}
    return [one for v in whole.values() if v.role != "size" for one in _elements(v, whole.get(v.alias_of or ""))]


def _elements(variable: Variable, same: Variable | None) -> Iterator[Variable]:
    """The elements of a variable, which is an alias of `same`."""
    if not variable.place.shape:
        yield variable
        return
    place, nominals = variable.place, variable.place.nominals
    aliases = same.elements() if same else None
    for i, name in enumerate(variable.elements()):
        own = dataclasses.replace(
            place, first=place.first + i, shape=(), unit=variable.unit(i), nominal=float(nominals[i])
        )
        yield dataclasses.replace(
            variable, name=name, place=own, element=i, size=None, alias_of=aliases[i] if aliases else None,
            start=None if variable.start is None else variable.start[i : i + 1], labels=variable.labels[i : i + 1],
        )  # fmt: skip
