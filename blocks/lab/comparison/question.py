"""What a comparison asks: a study, how it is called, and what of it is shown."""

from __future__ import annotations

from blocks.lab.comparison.levels import axes_of
from blocks.lab.comparison.source import Source
from blocks.lab.comparison.view import View
from blocks.study import Metric, Study
from blocks.study.metric import Statistic


class Question:
    """A study, how it is called, and what of it is shown."""

    def __init__(self, study: Study, source: Source, view: View) -> None:
        self.study, self.source, self.view = study, source, view

    @property
    def metrics(self) -> dict[str, Metric | Statistic]:
        """The metrics by name."""
        return self.study.metrics

    @property
    def texts(self) -> dict[str, str]:
        """The metrics as text."""
        return {name: str(metric) for name, metric in self.metrics.items()}

    def levels(self) -> dict[str, str]:
        """The levels, or the distribution, of each factor, in words."""
        axes = axes_of(self.study)
        return {
            name: axes[name].listed if name in axes else given if isinstance(given, str) else ", ".join(given)
            for name, given in self.study.description["factors"].items()
        }

    def __len__(self) -> int:
        """How many members there are."""
        return len(self.study)
