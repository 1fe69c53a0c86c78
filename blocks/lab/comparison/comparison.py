"""Comparison: a study with metrics, and a report of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from os import PathLike
from pathlib import Path
from typing import Any

from blocks.block import Block
from blocks.diagram import Diagram
from blocks.errors import KeelblocksError
from blocks.lab.comparison.compared import Compared
from blocks.lab.comparison.errors import ComparisonError
from blocks.lab.comparison.question import Question
from blocks.lab.comparison.shown import watch
from blocks.lab.comparison.source import Source
from blocks.lab.comparison.view import View
from blocks.lab.comparison.view_check import check_view
from blocks.study import Study

Maker = Callable[[Mapping[str, Any] | None, Mapping[str, Any]], Study]
"""Makes the study with these metrics instead of its own, and with these settings."""


class Comparison(Question):
    """Many runs of a diagram that differ in factors, compared by metrics, in a table, figures and one report.

    diagram, factors, settings: as `Study` takes them.
    metrics: as `Study` takes them: by name text with any metric of `blocks.metrics`, or a `Metric`.
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
        def make(instead: Mapping[str, Any] | None, changes: Mapping[str, Any]) -> Study:
            return Study(diagram, factors, metrics if instead is None else instead, **{**settings, **changes})

        self._begin(make, Source(name, title or name, question), view or View())

    @classmethod
    def load(cls, path: str | PathLike[str], **changes: Any) -> Comparison:
        """Read a comparison file, or a study file; `changes` are settings of runs, or the `seed`, instead of its own.

        Raises ScenarioError, with file and line where that is known.
        """
        from blocks.lab.comparison.file import ComparisonDocument

        document = ComparisonDocument.load(path)
        given = {key: value for key, value in changes.items() if value is not None}

        def make(instead: Mapping[str, Any] | None, more: Mapping[str, Any]) -> Study:
            return document.study(instead, **{**given, **more})

        source = Source.of_file(document, Path(path), given)
        made = cls.__new__(cls)
        try:
            made._begin(make, source, document.view)
        except ComparisonError as problem:
            raise document.error(problem) from None
        return made

    def _begin(self, make: Maker, source: Source, view: View) -> None:
        if not isinstance(view, View):
            raise ComparisonError(f"view must be a View(…), not {view!r}")
        self._make = make
        Question.__init__(self, make(None, {}), source, view)
        check_view(self.study, self.view)

    def run(self, executor: Any = "threads", **how: Any) -> Compared:
        """Run all members as `Study.run` does, with its workers, folder, progress and batch, then some for a look.

        A member that fails is kept with its reason, and the others go on. Raises what `Study.run` does.
        """
        return self.compared(self.study.run(executor, **how))

    def __repr__(self) -> str:
        return f"<Comparison {self.source.name} of {len(self):,} members: {', '.join(self.metrics)}>"

    def compared(self, outcome: Any) -> Compared:
        """What has come out, with the members that are shown run once more."""
        try:
            runs, note = watch(self.study, self._make, self.view, outcome), ""
        except KeelblocksError as problem:  # figures are not worth the results
            runs, note = [], str(problem)
        return Compared(self, outcome, runs, note)
