"""View: what of a comparison is shown, where it is not the usual."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from blocks.errors import did_you_mean
from blocks.lab.comparison.errors import ComparisonError

PARTS = ("guidance", "vessel", "thrusters", "meter")
"""What figures are about."""


@dataclass(frozen=True)
class View:
    """What of a comparison is shown.

    figures: which figures, by name; all that can be drawn if not given.
    compare: the factor whose levels have a colour each; the first if not given.
    panels: the factor whose levels have a panel each; the second if not given.
    levels: of a factor the levels that are shown over time and from above, {"law": ["LOS", "ILOS"]}; of other factors
        than the two above the first level if not given.
    members: the numbers of the members that are shown, instead.
    objectives: the two metrics of the Pareto front; the first of a cross-track error and of an energy if not given.
    best: "greatest" for metrics of which more is better; {"arrived": "greatest"}.
    parts: the blocks that figures are about, {"vessel": "plant.vessel"}, where there are several.
    """

    figures: Sequence[str] | None = None
    compare: str | None = None
    panels: str | None = None
    levels: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    members: Sequence[int] | None = None
    objectives: Sequence[str] | None = None
    best: Mapping[str, str] = field(default_factory=dict)
    parts: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for key in ("figures", "objectives"):
            if isinstance(getattr(self, key), str):
                object.__setattr__(self, key, (getattr(self, key),))
        for key in ("compare", "panels"):
            _check(f"show: {key}", getattr(self, key), str, "the name of a factor", optional=True)
        for key, what in (("figures", "a list of names of figures"), ("objectives", "a list of two metrics")):
            _check(key, getattr(self, key), Sequence, what, optional=True)
        _check("show: levels", self.levels, Mapping, "a mapping of factors to lists of levels")
        _check("show: members", self.members, Sequence, "a list of numbers of members", optional=True)
        for number in self.members or ():
            if isinstance(number, bool) or not isinstance(number, (int, np.integer)):
                raise ComparisonError(f"show: members: the number of a member is wanted, not {number!r}")
        _check("best", self.best, Mapping, "a mapping of metrics to least or greatest")
        for name, which in self.best.items():
            if which not in ("least", "greatest"):
                raise ComparisonError(f"best: {name}: least or greatest is wanted, not {which!r}")
        _check("parts", self.parts, Mapping, "a mapping such as {'vessel': 'plant.vessel'}")
        for part in self.parts:
            if part not in PARTS:
                raise ComparisonError(f"parts: there is no part '{part}' of figures{did_you_mean(str(part), PARTS)}")


def _check(key: str, value: Any, kind: type, what: str, *, optional: bool = False) -> None:
    """Raise ComparisonError for what is of another kind."""
    if not (isinstance(value, kind) or (optional and value is None)):
        raise ComparisonError(f"{key}: {what} is wanted, not {value!r}")
