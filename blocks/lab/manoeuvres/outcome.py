"""What comes out of a manoeuvre."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from matplotlib.figure import Figure

from blocks.lab.manoeuvres.criteria import Criterion, criteria
from blocks.lab.measures import table
from blocks.lab.trial import Trial
from blocks.model.declare import Parameter
from blocks.run.result import Result

_LENGTH = Parameter(unit="m", above=0.0)


@dataclass(frozen=True, eq=False)
class Manoeuvre:
    """A manoeuvre that was run: recordings, what was measured in them, the standard table and the standard figure.

    name: such as "turning circle". measures: dataclasses of `blocks.lab` by the names of the columns of the table;
    trials and runs: by the names that the figure shows. length: of the hull, m, or None.
    """

    name: str
    measures: Mapping[str, Any]
    trials: Mapping[str, Trial]
    runs: Mapping[str, Result]
    length: float | None
    draw: Callable[[Manoeuvre, str], Figure]

    @property
    def trial(self) -> Trial:
        """The first one."""
        return next(iter(self.trials.values()))

    @property
    def run(self) -> Result:
        """The first one."""
        return next(iter(self.runs.values()))

    @property
    def criteria(self) -> dict[str, tuple[Criterion, ...]]:
        """Those of IMO, by the names of the measures; none without a length. See `blocks.lab.manoeuvres.criteria`."""
        if self.length is None:
            return dict.fromkeys(self.measures, ())
        return {name: criteria(one, self.length) for name, one in self.measures.items()}

    def table(self) -> str:
        """All measures with their units, and the criteria of IMO if the length of the hull is known, as text."""
        limits = {name: {f"IMO {one.name}": str(one) for one in found} for name, found in self.criteria.items()}
        return table(self.measures, limits)

    def figure(self, title: str = "") -> Figure:
        """The standard figure."""
        return self.draw(self, title or self.name.capitalize())

    def __str__(self) -> str:
        return self.table()


def hull_length(given: float | str | None) -> float | None:
    """m. Raises ParameterError if it is not a length."""
    return None if given is None else float(_LENGTH.read(given, "length"))
