"""View: what of a comparison is shown, where it is not the usual."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


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
