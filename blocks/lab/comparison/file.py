"""Comparison files: a study file with `keelblocks_comparison: 1`, and what is shown of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pydantic import BaseModel

from blocks.errors import KeelblocksError, ScenarioError
from blocks.lab.comparison.file_model import FORMAT, ComparisonFile, PartsEntry, ShowEntry
from blocks.lab.comparison.view import View
from blocks.scenario import yaml_text
from blocks.scenario.checking import validated
from blocks.scenario.yaml_text import Document, Place
from blocks.study import file as study_file
from blocks.study.file import StudyDocument

_KEY, _STUDY_KEY = "keelblocks_comparison", "keelblocks_study"


class ComparisonDocument(StudyDocument):
    """A comparison as its file says it. Every study file is one, too."""

    text: str = ""

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
