"""Which variables of a model its FMU shows: all, or only its interface, since tools may go through all at each step."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Iterable
from dataclasses import dataclass

from blocks.errors import ExportError, did_you_mean
from fmu.description.variables import Variable

_INDEX = re.compile(r"\[[\d,]+\]\Z")
"""Of an element, which is shown with all others."""


@dataclass(frozen=True)
class Shown:
    """What is shown besides inputs, outputs, the time, clocks, what model exchange needs, and what was asked for."""

    calculated: bool = True
    """What is calculated from parameters, and constants, which nobody can set."""
    parameters: tuple[str, ...] | None = None
    """Names of parameters, or patterns of names, such as "heading.*"; None is all."""

    def of(self, variables: list[Variable], capacities: Iterable[str] = ()) -> list[Variable]:
        """The variables that are shown, in their order; of sizes those that count rows of such parameters.

        Raises ExportError if there is no parameter of a name, or if a size that may grow (`capacities`) is not shown.
        """
        parameters = [v for v in variables if v.causality == "parameter"]
        chosen = {v.name for v in parameters} if self.parameters is None else self.chosen([v.name for v in parameters])
        sizes = {v.size for v in parameters if v.name in chosen}
        for size in capacities:
            counted = [v.name for v in parameters if v.size == size]
            if counted and size not in sizes:
                raise ExportError(
                    f"the size '{size}' has a capacity and is not shown: show what it counts, {', '.join(counted)}, too"
                )
        return [v for v in variables if self._is_shown(v, {*chosen, *sizes})]

    def _is_shown(self, variable: Variable, chosen: set[str | None]) -> bool:
        if variable.causality == "parameter" or variable.role == "size":
            return variable.name in chosen
        return self.calculated or variable.role != "parameter"

    def chosen(self, names: list[str]) -> set[str]:
        """Of these names of parameters those that are named, and all of a block or a diagram within that is."""
        chosen: set[str] = set()
        for wanted in self.parameters or ():
            whole = _INDEX.sub("", wanted)
            found = [n for n in names if n == whole or n.startswith(f"{wanted}.") or fnmatch.fnmatchcase(n, whole)]
            if not found:
                raise ExportError(
                    f"there is no parameter '{wanted}' to show: name one, a block for all that it has, or a pattern "
                    f"such as '*.speed'{did_you_mean(wanted, names)}"
                )
            chosen.update(found)
        return chosen


def what_is_shown(
    only_interface: bool | None, parameters: str | Iterable[str] | None, *, for_hosts: bool, local_variables: bool
) -> Shown:
    """What an FMU shows by the arguments of `export`, and by default.

    for_hosts: the FMU is for co-simulation alone; those show no more than can be set or connected, unless
    `local_variables` are asked for. Raises ExportError if `parameters` are no texts.
    """
    named = None if parameters is None else (parameters,) if isinstance(parameters, str) else tuple(parameters)
    for name in named or ():
        if not isinstance(name, str) or not name:
            raise ExportError(f"parameters are shown by their names, such as 'heading.integral_gain', not {name!r}")
    if only_interface:
        return Shown(calculated=False, parameters=named or ())
    hidden = only_interface is None and for_hosts and not local_variables
    return Shown(calculated=not hidden, parameters=named)
