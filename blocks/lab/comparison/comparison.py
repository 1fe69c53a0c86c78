"""Comparison: a study with metrics, and a report of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from os import PathLike
from pathlib import Path
from typing import Any

from blocks.block import Block
from blocks.diagram import Diagram
from blocks.errors import KeelblocksError
from blocks.lab.comparison.errors import ComparisonError
from blocks.lab.comparison.metrics import study_metrics
from blocks.lab.comparison.outcome import Compared
from blocks.lab.comparison.shown import check_view, watch
from blocks.lab.comparison.source import Source
from blocks.lab.comparison.view import View
from blocks.plan import make_plan
from blocks.study import Study

Maker = Callable[[Mapping[str, Any], Mapping[str, Any]], Study]
"""Makes the study with these metrics and these settings."""


class Comparison:
    """Many runs of a diagram that differ in factors, compared by metrics, in a table, figures and one report.

    diagram, factors, settings: as `Study` takes them.
    metrics: by name text with any metric of `blocks.metrics`, or a `Metric`. Those that the engine can take on the way
        (`mean`, `rms`, `standard_deviation`, `significant`, `least`, `greatest`, `final`, `end_time`) it does, at every
        step; for others what they need is recorded.
    name, title, question: what it is called, and what is to be found out.
    view: what of it is shown, see `View`.

    `study` is the study. Everything is checked here, before anything runs. Raises ComparisonError, StudyError and what
    a study raises.
    """

    def __init__(
        self,
        diagram: Diagram | Block,
        factors: Mapping[str, Any],
        metrics: Mapping[str, Any],
        *,
        name: str = "comparison",
        title: str = "",
        question: str = "",
        view: View | None = None,
        **settings: Any,
    ) -> None:
        def make(own: Mapping[str, Any], changes: Mapping[str, Any]) -> Study:
            return Study(diagram, factors, own, **{**settings, **changes})

        self._begin(diagram, metrics, make, Source(name, title or name, question), view or View())

    @classmethod
    def load(cls, path: str | PathLike[str], **changes: Any) -> Comparison:
        """Read a comparison file, or a study file; `changes` are settings of runs, or the `seed`, instead of its own.

        Raises ScenarioError, with file and line where that is known.
        """
        from blocks.lab.comparison.file import ComparisonDocument

        document = ComparisonDocument.load(path)
        given = {key: value for key, value in changes.items() if value is not None}

        def make(own: Mapping[str, Any], more: Mapping[str, Any]) -> Study:
            return document.made(own, {**given, **more})

        source = Source.of_file(document, Path(path), given)
        made = cls.__new__(cls)
        try:
            made._begin(document.scenario.diagram, document.metrics, make, source, document.view)
        except ComparisonError as problem:
            raise document.error(problem) from None
        return made

    def _begin(
        self, diagram: Diagram | Block, metrics: Mapping[str, Any], make: Maker, source: Source, view: View
    ) -> None:
        self.source, self.view, self._make = source, view, make
        self.metrics = study_metrics(metrics, make_plan(diagram, end=1.0, step=1.0, wanted=None))
        self.texts = {name: str(text) for name, text in metrics.items()}
        self.study = make(self.metrics, {})
        check_view(self.study, self.view, self.metrics)

    def __len__(self) -> int:
        """How many members there are."""
        return len(self.study)

    def run(self, executor: Any = "threads", **how: Any) -> Compared:
        """Run all members as `Study.run` does, with its workers, folder, progress and batch, then some for a look.

        A member that fails is kept with its reason, and the others go on. Raises what `Study.run` does.
        """
        return self.compared(self.study.run(executor, **how))

    def compared(self, outcome: Any) -> Compared:
        """What has come out, with the members that are shown run once more."""
        try:
            runs, note = watch(self.study, self._make, self.view, outcome), ""
        except KeelblocksError as problem:  # figures are not worth the results
            runs, note = [], str(problem)
        return Compared(self, outcome, runs, note)
