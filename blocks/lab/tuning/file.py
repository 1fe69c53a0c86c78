"""Tuning files: a scenario, what is to be least, and the parameters that are turned, as YAML."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any

from blocks.diagram import Diagram
from blocks.errors import ScenarioError, did_you_mean
from blocks.files.writing import is_file, replacing
from blocks.lab.task_file import naming_lines
from blocks.lab.tuning.errors import TuningError, TuningInterrupted
from blocks.lab.tuning.figures import tuning_figure
from blocks.lab.tuning.file_model import TuningFile
from blocks.lab.tuning.outcome import Tuned
from blocks.lab.tuning.tune import Progress, check_method, tune
from blocks.plan.place import Place
from blocks.plan.settings import Settings
from blocks.scenario import Scenario
from blocks.scenario.building import Builder
from blocks.scenario.checking import validated
from blocks.scenario.inputs import input_value
from blocks.scenario.many_runs import settings_of_runs
from blocks.scenario.reading import SETTINGS
from blocks.study.seeds import distinct
from blocks.yaml.kinds import read_kind
from blocks.yaml.reading import Document

_KEY = "keelblocks_tuning"
_GREATEST_SEED = 2**53


class Tuning:
    """A tuning as its file says it.

    tuning = Tuning.load("otter_heading.yaml")
    tuned = tuning.run(progress=True)
    tuning.save(tuned, "results/otter_heading")

    `entry` is what the file says, `scenario` the scenario with the parameters that are changed for all trials.
    """

    def __init__(self, document: Document, entry: TuningFile, path: Path, changes: Mapping[str, Any]) -> None:
        self.document, self.entry, self.path = document, entry, path
        self.name, self.title = entry.name, entry.title or entry.name
        self.changes = {key: value for key, value in changes.items() if value is not None}
        where = path.parent / entry.scenario
        if not is_file(where):
            with naming_lines(document, ("scenario",)):
                Scenario.load(where)
        self.scenario = Scenario.load(where)
        builder = Builder(document, path.parent)
        for name, value in entry.parameters.items():
            with builder.document.at(("parameters", name)):
                self.scenario.set(name, value)
        Settings(**{key: value for key, value in self.changes.items() if key in SETTINGS})
        if "method" in self.changes:
            check_method(self.changes["method"])
        of_runs = {key: value for key, value in self.changes.items() if key in SETTINGS}
        self.settings = settings_of_runs(document, builder, self.scenario, entry.run, of_runs, "a tuning")

    @classmethod
    def load(cls, path: str | PathLike[str], **changes: Any) -> Tuning:
        """Read a tuning file; `changes` are `solver`, `step`, `end`, `method`, `trials` or `seed` instead of its own.

        Raises ScenarioError, with file and line, if it is not in order.
        """
        document = read_kind(path, _KEY)
        return cls(document, validated(document, TuningFile), Path(path), changes)

    @property
    def cases(self) -> dict[str, dict[str, Any]]:
        """Circumstances in which each trial is run, by label. Raises ScenarioError for seeds that are none."""
        entry, seed = self.entry, self.changes.get("seed", self.entry.seed)
        cases = dict(entry.cases)
        if not entry.seeds:
            if entry.replicates > 1:
                raise self.document.error(
                    ("replicates",), f"{entry.replicates} replicates would be equal: name the seeds, seeds: sea.seed"
                )
            return cases
        places = self.scenario.plan(end=self.settings["end"]).parameters
        with naming_lines(self.document, ("seeds",)):
            drawn = {
                name: distinct(seed, number, entry.replicates, _greatest(name, places))
                for number, name in enumerate(entry.seeds)
            }
        return {
            f"{label}{', ' if label else ''}seeds {number}": {
                **values, **{name: int(numbers[number]) for name, numbers in drawn.items()},
            }
            for label, values in (cases or {"": {}}).items()
            for number in range(entry.replicates)
        }  # fmt: skip

    def run(self, *, workers: int | None = None, progress: bool | Progress = False) -> Tuned:
        """Search. Raises ScenarioError, with file and line where that is known; TuningInterrupted on Ctrl-C."""
        entry, run, changes = self.entry, self.settings, self.changes
        cases = self.cases
        with naming_lines(self.document):
            try:
                return tune(
                    self.scenario.diagram, entry.minimise, entry.over, subject_to=entry.subject_to, cases=cases,
                    worst=entry.worst, method=changes.get("method", entry.method),
                    trials=changes.get("trials", entry.trials), seed=changes.get("seed", entry.seed),
                    inputs={name: input_value(value) for name, value in run.get("inputs", {}).items()},
                    every=run.get("every", 1), stop=run.get("stop"), workers=workers, progress=progress,
                    **{key: run[key] for key in SETTINGS if key in run},
                )  # fmt: skip
            except TuningInterrupted as problem:
                interrupted = problem
        raise interrupted

    def best(self, tuned: Tuned) -> Scenario:
        """The scenario with the values that were found."""
        assert isinstance(tuned.diagram, Diagram)
        blocks, scenario = tuned.diagram.blocks(), self.scenario
        for name in dict.fromkeys(name.partition("[")[0] for name in tuned.values):
            owner, _, parameter = name.rpartition(".")
            scenario.set(name, blocks[owner].values[parameter])
        unit = tuned.units.get(tuned.objective, "1")
        said = f"{tuned.objective} = {tuned.value:.6g}{'' if unit == '1' else f' {unit}'}"
        scenario.name, scenario.title = self.name, self.title
        scenario.description = f"Tuned by {self.path.name}: {said}."
        scenario.settings = {key: value for key, value in self.settings.items() if value is not None}
        scenario.comment = ""
        return scenario

    def save(self, tuned: Tuned, folder: str | PathLike[str]) -> list[Path]:
        """Write the best scenario, the table of all trials and the figure. Raises ScenarioError if that cannot be."""
        target = Path(folder)
        written = [target / name for name in ("scenario.yaml", "trials.csv", "tuning.png")]
        self.best(tuned).save(written[0])
        figure = tuning_figure(tuned, title=self.title)
        for path, write in (
            (written[1], lambda part: tuned.table.to_csv(part, index=False)),
            (written[2], lambda part: figure.savefig(part, dpi=130)),
        ):
            try:
                with replacing(path) as part:
                    write(part)
            except OSError as problem:
                raise ScenarioError(f"cannot write {path}: {problem.strerror or problem}") from None
        return written


def _greatest(name: str, places: Mapping[str, Place]) -> int:
    """The greatest seed that a parameter takes. Raises TuningError."""
    if name not in places:
        raise TuningError(f"seeds: no parameter '{name}'{did_you_mean(name, places)}")
    parameter = places[name].parameter  # type: ignore[call-overload]
    assert parameter is not None
    if places[name].shape or not parameter.integer:
        raise TuningError(f"seeds: {name} is {parameter.form()}; a seed is a single whole number")
    return int(min(parameter.at_most if parameter.at_most is not None else _GREATEST_SEED, _GREATEST_SEED))
