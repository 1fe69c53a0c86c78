"""What came out of a comparison, in numbers."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from blocks.errors import did_you_mean
from blocks.lab.comparison.errors import ComparisonError
from blocks.lab.comparison.levels import axes_of, level_text
from blocks.lab.comparison.question import Question
from blocks.lab.comparison.shown import Run, objectives_of
from blocks.lab.comparison.summary import Row, best, combinations, grouped_reasons, pareto, rows
from blocks.study import Outcome

if TYPE_CHECKING:
    import pandas as pd


class ComparisonOutcome:
    """What came out of a comparison: `outcome`, that of its study, and `runs`, the members that are shown.

    `table` has a row for each member, `rows` one for each level of each factor.
    """

    def __init__(self, comparison: Question, outcome: Outcome, runs: list[Run], note: str = "") -> None:
        self.comparison, self.outcome, self.runs, self.note = comparison, outcome, runs, note
        self.axes = axes_of(comparison.study)

    @property
    def table(self) -> pd.DataFrame:
        """A row for each member: its factors, metrics, status and reason."""
        return self.outcome.table

    @cached_property
    def metrics(self) -> dict[str, NDArray[np.float64]]:
        """Each metric of all members."""
        return {name: self.outcome.values(name).reshape(-1) for name in self.outcome.units}

    @cached_property
    def continuous(self) -> dict[str, NDArray[np.float64]]:
        """As `metrics`, those that are directions without jumps by full turns, so that they can be averaged."""
        return {name: self.outcome.continuous(name).reshape(-1) for name in self.outcome.units}

    @cached_property
    def failed(self) -> NDArray[np.bool_]:
        """Which members failed."""
        return np.array([status == "failed" for status in self.outcome.status])

    @property
    def rows(self) -> list[Row]:
        """A row for each level of each factor."""
        return rows(self.axes, self.outcome.dimensions, self.continuous, self.failed)

    @property
    def combinations(self) -> list[Row]:
        """A row for each combination of levels, if they are not too many."""
        return combinations(self.axes, self.outcome.dimensions, self.continuous, self.failed)

    @property
    def objectives(self) -> tuple[str, str] | None:
        """The two metrics of the Pareto front."""
        return objectives_of(self.comparison.view, self.comparison.metrics)

    @property
    def front(self) -> list[int]:
        """The members of the Pareto front."""
        if self.objectives is None:
            return []
        first, second = (self._cost(name) for name in self.objectives)
        return pareto(first, second)

    def _cost(self, metric: str) -> NDArray[np.float64]:
        return -self.metrics[metric] if self.more_is_better(metric) else self.metrics[metric]

    def more_is_better(self, metric: str) -> bool:
        """Whether the greatest value of a metric is the best."""
        return self.comparison.view.best.get(metric) == "greatest"

    def best(self, metric: str, count: int = 5) -> list[int]:
        """The members that are best by a metric. Raises ComparisonError if there is no such metric."""
        if metric not in self.metrics:
            raise ComparisonError(f"there is no metric '{metric}'{did_you_mean(str(metric), self.metrics)}")
        return best(self.metrics[metric], greatest=self.more_is_better(metric), count=count)

    def levels(self, member: int) -> dict[str, str]:
        """What the factors of a member are, in words; samples and replicates by number.

        Raises ComparisonError if there is no such member.
        """
        if not 0 <= member < len(self.outcome):
            raise ComparisonError(f"there is no member {member}: they go from 0 to {len(self.outcome) - 1:,}")
        shape = self.outcome.shape
        places = dict(zip(self.outcome.dimensions, np.unravel_index(member, shape) if shape else (), strict=True))
        found = {
            column.name: level_text(column, column.values[places[column.dimension]]) for column in self.outcome.columns
        }
        return found | {name: str(int(place)) for name, place in places.items() if name not in self.axes}

    @property
    def reasons(self) -> list[tuple[str, int, int]]:
        """Why members failed, or have no value of a metric: the text, of how many, and the first of them."""
        return grouped_reasons(self.outcome.reasons)

    def counts(self) -> str:
        """How many failed, and how many lack a metric."""
        total, failed = len(self.outcome), int(self.failed.sum())
        lacking = len(self.outcome.reasons) - failed
        missing = sum(status in ("not run", "interrupted") for status in self.outcome.status)
        said = [f"{failed:,} of {total:,} failed"]
        said += [f"{lacking:,} without some metric"] if lacking > 0 else []
        said += [f"{missing:,} not run"] if missing else []
        return ", ".join(said)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.comparison.source.name}: {self.outcome.summary()}>"

    def data(self) -> dict[str, Any]:
        """The summary as plain data, for scripts."""
        return {
            "name": self.comparison.source.name,
            "title": self.comparison.source.title,
            "members": len(self.outcome),
            "failed": int(self.failed.sum()),
            "metrics": {
                name: {"unit": unit, "definition": self.comparison.texts.get(name, "")}
                for name, unit in self.outcome.units.items()
            },
            "levels": [_plain(row) for row in self.rows],
            "combinations": [_plain(row) for row in self.combinations],
            "best": {name: self.best(name, 1)[0] for name in self.outcome.units if self.best(name, 1)},
            "pareto": self.front,
            "reasons": [{"reason": text, "members": count, "first": first} for text, count, first in self.reasons],
        }


def _plain(row: Row) -> dict[str, Any]:
    return {**vars(row), "metrics": {name: vars(found) for name, found in row.metrics.items()}}
