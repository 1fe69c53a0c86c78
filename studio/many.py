"""A study or a comparison as a page: the table of all members, their tracks, and each of them run again."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from blocks.lab.comparison.errors import ComparisonError
from blocks.lab.comparison.file import ComparisonDocument
from blocks.lab.comparison.view import View
from blocks.lab.comparison.view_check import check_view
from blocks.study import Outcome, Study
from blocks.study.file import StudyDocument
from studio.cases import Cases
from studio.document import document
from studio.engine import engine_for
from studio.errors import ShareError
from studio.model import packed
from studio.share import heading, pictures_out
from studio.sliders import sliders_of_members
from studio.table import table_of
from studio.tracks import tracks_of
from studio.vary import Vary

MOST_MEMBERS = 20_000


class Many:
    """A study with all that its page tells.

    Everything is checked here, before anything runs. Raises ShareError for what a page cannot hold or run.
    """

    def __init__(
        self, file: StudyDocument, study: Study, view: View | None, command: str, vary: Iterable[str | Vary] = ()
    ) -> None:
        if len(study) > MOST_MEMBERS:
            raise ShareError(
                f"this study has {len(study):,} members, and the table of a page takes {MOST_MEMBERS:,}: take fewer "
                "levels, samples or replicates; `keelblocks study run` writes the table of all, and "
                "`keelblocks study member` single members as scenarios, which can be shared"
            )
        self.file, self.study, self.view, self.command = file, study, view, command
        self.name: str = file.name
        report = {**file.scenario.report, **(view.parts if view is not None else {})}
        self.cases = Cases(study, file.name, file.scenario, report)
        self.engine = engine_for(subject.plan for subject in self.cases.subjects)
        self.sliders = sliders_of_members(self.cases, vary)

    @classmethod
    def load(cls, path: Path, kind: str, changes: Mapping[str, Any], vary: Iterable[str | Vary] = ()) -> Many:
        """Read a study or a comparison file; `changes` are settings of runs instead of its own, `vary` its sliders.

        Raises ScenarioError, with file and line where that is known, and ShareError.
        """
        command = shlex.join(
            ["keelblocks", "study", "member", path.as_posix(), *(f"--{key}={value}" for key, value in changes.items())]
        )
        if kind == "keelblocks_study":
            file = StudyDocument.load(path)
            return cls(file, file.study(**changes), None, command, vary)
        comparison = ComparisonDocument.load(path)
        study, view = comparison.study(**changes), comparison.view
        try:
            check_view(study, view)
        except ComparisonError as problem:
            raise comparison.error(problem) from None
        return cls(comparison, study, view, command, vary)

    def page(self, outcome: Outcome, *, workers: int | None = None, progress: bool = False) -> str:
        """The page of what came out. workers: threads that record tracks; progress: whether a bar tells how far."""
        tracks, could = tracks_of(self.cases, outcome.records.status, outcome.records.end_time, workers, progress)
        models = self.cases.models
        data = {
            **heading(self.name, self.file.title, self.file.entry.description, self.command),
            "kind": "study",
            "models": models,
            "sliders": self.sliders,
            "text": None,
            "study": self._study(outcome, tracks, could),
        }
        return document(data, packed(self.engine), pictures_out(models))

    def _study(self, outcome: Outcome, tracks: Mapping[int, list[int]], could: int) -> dict[str, Any]:
        columns, cells = table_of(self.study, outcome, _judged(self.view))
        names = [column["name"] for column in columns]
        compared = self.view.compare if self.view is not None else None
        status, reasons = outcome.status, outcome.reasons
        members: list[dict[str, Any]] = [{} for _ in range(len(outcome))]
        for placed in self.cases:
            for row, number in enumerate(placed.members.tolist()):
                members[number] = {
                    "number": number,
                    "status": status[number],
                    "reason": reasons.get(number, ""),
                    "cells": cells[number],
                    "model": placed.model,
                    "writes": placed.writes(row),
                    "track": tracks.get(number),
                }
        return {
            "columns": columns,
            "members": members,
            "compare": names.index(compared) if compared is not None else 0,
            "note": _note(len(tracks), could),
        }


def _judged(view: View | None) -> dict[str, str]:
    """The metrics that a comparison is judged by, and whether the least or the greatest is the best."""
    return {} if view is None else {**dict.fromkeys(view.objectives or (), "least"), **view.best}


def _note(drawn: int, could: int) -> str:
    """Which members have a track."""
    if not could:
        return ""
    return f"The tracks of {drawn:,} of {could:,} members are drawn, evenly spread." if drawn < could else ""
