"""Comparison files: a study file with `keelblocks_comparison: 1`, and what is shown of it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from pydantic import BaseModel

from blocks.errors import KeelblocksError, ScenarioError
from blocks.lab.comparison.file_model import FORMAT, ComparisonFile, PartsEntry, ShowEntry
from blocks.lab.comparison.view import View
from blocks.scenario import yaml_text
from blocks.scenario.building import Builder
from blocks.scenario.checking import validated
from blocks.scenario.yaml_text import Document, Place
from blocks.study import Study
from blocks.study import file as study_file
from blocks.study.file import StudyDocument
from blocks.study.file_model import MetricEntry

_KEY, _STUDY_KEY = "keelblocks_comparison", "keelblocks_study"


class ComparisonDocument(StudyDocument):
    """A comparison as its file says it. Every study file is one, too."""

    text: str = ""
    ready: Mapping[str, Any] = MappingProxyType({})
    """The metrics that the study is made with."""

    @classmethod
    def load(cls, path: Any) -> ComparisonDocument:
        """Read a comparison file. Raises ScenarioError, with file and line, if it is not in order."""
        file = Path(path)
        try:
            content = file.read_bytes()
        except OSError as problem:
            raise ScenarioError(f"cannot read {file}: {problem.strerror or problem}") from None
        text = yaml_text.decode(content, str(file))
        document = yaml_text.read(text, str(file))
        data = document.data
        if not isinstance(data, dict) or not {_KEY, _STUDY_KEY} & set(data):
            hint = (
                "; this is a scenario, which `keelblocks run` takes"
                if isinstance(data, dict) and "keelblocks" in data
                else ""
            )
            raise document.error((), f"a comparison is a mapping that begins with '{_KEY}: {FORMAT}'{hint}")
        version = data.get(_KEY, data.get(_STUDY_KEY))
        if version != FORMAT or isinstance(version, bool):
            raise document.error(
                (_KEY if _KEY in data else _STUDY_KEY,),
                f"the format is {version!r}, but this version reads format {FORMAT} only",
            )
        made = cls(document, validated(document, ComparisonFile, _model_at), file)
        made.text = text
        return made

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

    @property
    def metrics(self) -> dict[str, Any]:
        """The metrics as the file has them: text, or a `Metric` of a function."""
        builder = Builder(self.document, self.path.parent)
        return {
            name: super(ComparisonDocument, self)._metric(builder, entry, ("metrics", name))
            for name, entry in self.entry.metrics.items()
        }

    def made(self, metrics: Mapping[str, Any], changes: Mapping[str, Any]) -> Study:
        """The study with these metrics. Raises ScenarioError, with file and line where that is known."""
        self.ready, whole = metrics, self.entry
        self.entry = whole.model_copy(update={"metrics": dict.fromkeys(metrics, MetricEntry.model_construct())})
        try:
            return self.study(**changes)
        finally:
            self.entry = whole

    def _metric(self, builder: Builder, entry: MetricEntry, place: Place) -> Any:
        return self.ready[str(place[-1])]

    def error(self, problem: KeelblocksError) -> ScenarioError:
        """A message about a factor, a metric or a figure, with its line."""
        text = str(problem)
        return ScenarioError(f"{self._where(text)}: {text}")

    def _where(self, message: str) -> str:
        for place in ("figures", "objectives", "best", "parts", "show"):
            if message.startswith(place) and (place,) in self.document.lines:
                return self.document.where((place,))
        return super()._where(message)


def _model_at(document: Document, place: Place) -> type[BaseModel]:
    """The model of the mapping at a place."""
    models: dict[Place, type[BaseModel]] = {(): ComparisonFile, ("show",): ShowEntry, ("parts",): PartsEntry}
    return models.get(place) or study_file._model_at(document, place)
