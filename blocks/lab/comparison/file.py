"""Comparison files: a study file with `keelblocks_comparison: 1`, and what is shown of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from blocks.errors import KeelblocksError, ScenarioError
from blocks.lab.comparison.file_model import ComparisonFile, PartsEntry
from blocks.lab.comparison.view import View
from blocks.scenario.checking import validated
from blocks.study.file import StudyDocument
from blocks.yaml.kinds import read_kind


class ComparisonDocument(StudyDocument):
    """A comparison as its file says it. Every study file is one, too."""

    @classmethod
    def load(cls, path: Any) -> ComparisonDocument:
        """Read a comparison file. Raises ScenarioError, with file and line, if it is not in order."""
        document = read_kind(path, "keelblocks_comparison", "keelblocks_study")
        return cls(document, validated(document, ComparisonFile), Path(path))

    @property
    def view(self) -> View:
        """What is shown; parts that the scenario's report names are those of figures, too."""
        entry = self.entry
        assert isinstance(entry, ComparisonFile)
        of_scenario = {
            key: self.scenario.report[key] for key in PartsEntry.model_fields if self.scenario.report.get(key)
        }
        own = {key: value for key, value in entry.parts.model_dump().items() if value}
        return View(
            figures=entry.figures,
            compare=entry.show.compare,
            panels=entry.show.panels,
            levels=entry.show.levels or {},
            members=entry.show.members,
            objectives=entry.objectives,
            best=entry.best,
            parts={**of_scenario, **own},
        )

    def error(self, problem: KeelblocksError) -> ScenarioError:
        """A message about a factor, a metric or a figure, with its line."""
        text = str(problem)
        return ScenarioError(f"{self._where(text)}: {text}")

    def _where(self, message: str) -> str:
        for place in ("figures", "objectives", "best", "parts", "show"):
            if message.startswith(place) and (place,) in self.document:
                return self.document.where((place,))
        return super()._where(message)
