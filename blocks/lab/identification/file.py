"""Identification files: a model, logged data, and the parameters to be identified, as YAML."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

import pandas as pd

from blocks.block import Block
from blocks.diagram import Diagram
from blocks.errors import ScenarioError, did_you_mean
from blocks.files.writing import is_file, replacing
from blocks.lab.identification.axes import Velocity
from blocks.lab.identification.errors import IdentificationError
from blocks.lab.identification.figures import fit_figure, residual_figure
from blocks.lab.identification.file_model import DataEntry, IdentificationFile, ParameterEntry
from blocks.lab.identification.identify import identify
from blocks.lab.identification.log import Log
from blocks.lab.identification.outcome import Identified
from blocks.lab.identification.outlook import Outlook, what_next
from blocks.lab.task_file import naming_lines
from blocks.scenario import Scenario
from blocks.scenario.building import Builder
from blocks.scenario.checking import validated
from blocks.scenario.writing import block_data
from blocks.units import si_unit, to_unit
from blocks.yaml.kinds import read_kind
from blocks.yaml.places import ItemPath
from blocks.yaml.reading import Document
from blocks.yaml.writing import write

_KEY = "keelblocks_identification"


class Identification:
    """An identification as its file says it.

    made = Identification.load("otter.yaml")
    found = made.run()
    made.save(found, "results/otter")

    `component` is the model, `logs` are the data that are fitted, `held_out` those that are not.
    """

    def __init__(self, document: Document, entry: IdentificationFile, path: Path) -> None:
        self.document, self.entry, self.path = document, entry, path
        self.name, self.title = entry.name, entry.title or entry.name
        self.scenario: Scenario | None = None
        self.component: Block | Diagram
        if entry.scenario is not None:
            where = path.parent / entry.scenario
            if not is_file(where):
                with naming_lines(document, ("scenario",)):
                    Scenario.load(where)
            self.scenario = Scenario.load(where)
            self.component = self.scenario.diagram
        else:
            assert entry.model is not None
            self.component = Builder(document, path.parent).block(entry.model, ("model",), "model")
        held_out = entry.hold_out
        self._check_columns([*entry.data, *(held_out if isinstance(held_out, list) else ())])
        self.logs = self._read("data", entry.data)
        self.held_out = (
            held_out if held_out is None or isinstance(held_out, float) else self._read("hold_out", held_out)
        )

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Identification:
        """Read an identification file and the data it names. Raises ScenarioError, with file and line, if they are not
        in order."""
        document = read_kind(path, _KEY)
        return cls(document, validated(document, IdentificationFile), Path(path))

    def run(self) -> Identified:
        """Fit. Raises ScenarioError, with file and line where that is known."""
        entry = self.entry
        constants: dict[str, Any] = {}
        if self.scenario is not None:
            given = self.scenario.settings.get("inputs", {})
            constants = {name: value for name, value in given.items() if not isinstance(value, dict)}
        constants = {
            name: value for name, value in constants.items() if name not in {_bare(one) for one in entry.inputs}
        }
        with naming_lines(self.document):
            return identify(
                self.component, self.logs, hold_out=self.held_out, inputs={**constants, **entry.inputs},
                outputs=entry.outputs, parameters={name: one.bounds for name, one in entry.parameters.items()},
                priors={name: one.prior for name, one in entry.parameters.items() if one.prior is not None},
                **{key: _beside(getattr(entry, key)) for key in ("delay", "lag", "bias", "steady")},
                noise=self._noise(), initial=entry.initial, solver=entry.solver, confidence=float(entry.confidence),
                step=None if entry.step is None else _number("step", entry.step, "s"),
            )  # fmt: skip

    def outlook(self, found: Identified) -> Outlook:
        """Which manoeuvre would narrow which interval. Raises ScenarioError, with file and line where that is known."""
        entry = self.entry.next
        with naming_lines(self.document, ("next",) if entry is not None else ()):
            if entry is None:
                return what_next(found)
            duration = None if entry.duration is None else _number("duration", entry.duration, "s")
            return what_next(found, drive=entry.drive, steer=entry.steer, duration=duration)

    def save(self, found: Identified, folder: str | PathLike[str]) -> list[Path]:
        """Write the parameters as a table and as YAML, the figures, and the scenario with the values that were found.

        Raises ScenarioError if that cannot be.
        """
        target = Path(folder)
        table, words = parameter_table(found), write(self.data(found, target))
        fit, residuals = fit_figure(found, title=self.title), residual_figure(found, title=f"{self.title}: residuals")
        writers: dict[str, Any] = {
            "parameters.csv": lambda part: table.to_csv(part, index=False),
            "identified.yaml": lambda part: part.write_text(words, encoding="utf-8"),
            "fit.png": lambda part: fit.savefig(part, dpi=130),
            "residuals.png": lambda part: residuals.savefig(part, dpi=130),
        }
        written = []
        for name, writer in writers.items():
            path = target / name
            try:
                with replacing(path) as part:
                    writer(part)
            except OSError as problem:
                raise ScenarioError(f"cannot write {path}: {problem.strerror or problem}") from None
            written.append(path)
        if self.scenario is not None:
            written.append(self._best(found, self.scenario).save(target / "scenario.yaml"))
        return written

    def data(self, found: Identified, folder: Path | None = None) -> dict[str, Any]:
        """What was found as plain data, in SI."""
        made: dict[str, Any] = {
            "name": self.name,
            "parameters": {
                name: {
                    "value": value, "interval": list(found.intervals[name]),
                    "standard_deviation": found.deviations[name], "before": found.start[name],
                    "unit": found.units[name],
                }
                for name, value in found.values.items()
            },
            "beside": {
                name: {
                    "value": one.value, "interval": list(one.interval), "standard_deviation": one.deviation,
                    "unit": one.unit,
                }
                for name, one in found.beside.items()
            },
            "confidence": found.confidence,
            "widened": dict(found.widened),
            "inputs": {
                column: {
                    "interpolation": one.interpolation, "source": one.source, "margin": one.margin,
                    "logs": [{"file": log, "interpolation": way} for log, way in one.said],
                }
                for column, one in found.inputs.items()
            },
            "correlation": found.correlation.tolist(),
            "noise": dict(found.noise),
            "score": {"of": "what was held out" if found.tests else "what was fitted", **found.scores},
            "at_bounds": dict(found.at_bounds),
            "warnings": list(found.warnings),
            "converged": found.converged,
        }  # fmt: skip
        if isinstance(found.component, Block):
            made["model"] = block_data(found.component, WeakKeyDictionary(), folder)
        return made

    def _best(self, found: Identified, scenario: Scenario) -> Scenario:
        assert isinstance(found.component, Diagram)
        blocks = found.component.blocks()
        for name in dict.fromkeys(map(_bare, found.values)):
            owner, _, parameter = name.rpartition(".")
            scenario.set(name, blocks[owner].values[parameter])
        scenario.comment = f"With parameters identified by {self.path.name}: {', '.join(found.values)}."
        return scenario

    def _wanted(self, entry: DataEntry) -> tuple[Velocity | None, set[str]]:
        """What turns the velocities of a log, if anything does, and the columns that are taken from it."""
        used = {*self.entry.outputs.values(), *(one for one in self.entry.inputs.values() if isinstance(one, str))}
        velocity, wanted = entry.velocity or self.entry.velocity, used | set(entry.columns)
        if velocity is None:
            return None, wanted
        turned = Velocity(**dict(velocity))
        return turned, (wanted - set(turned.into)) | set(turned.columns) | set(entry.columns)

    def _clocks(self, entry: DataEntry) -> set[str]:
        """What the column with the time is called, or may be."""
        named = entry.time or self.entry.time
        return {"time", "t"} if named is None else {named}

    def _check_columns(self, entries: list[DataEntry]) -> None:
        """Raise ScenarioError if what holds for all logs names a column that is taken from none."""
        known = set().union(*(self._clocks(entry) | self._wanted(entry)[1] for entry in entries))
        for key, names in (("reverse", self.entry.reverse), ("units", self.entry.units)):
            for name in names:
                if name not in known:
                    with naming_lines(self.document, (key,)):
                        raise IdentificationError(f"there is no column '{name}' in any log{did_you_mean(name, known)}")

    def _read(self, key: str, entries: list[DataEntry]) -> list[Log]:
        whole, logs = self.entry, []
        for number, entry in enumerate(entries):
            item: ItemPath = (key, number) if (key, number) in self.document else (key,)
            turned, wanted = self._wanted(entry)
            mine = [column for column in whole.reverse if column in wanted]
            units = {name: unit for name, unit in whole.units.items() if name in wanted | self._clocks(entry)}
            with naming_lines(self.document, item):
                logs.append(
                    Log.read(
                        self.path.parent / entry.file, time=entry.time or whole.time,
                        columns={name: entry.columns.get(name, name) for name in sorted(wanted)},
                        units=units | entry.units,
                        order=entry.order or whole.order or "check", gaps=entry.gaps or whole.gaps or "check",
                        interpolation={**whole.interpolation, **entry.interpolation}, rate=entry.rate or whole.rate,
                        reverse=entry.reverse or mine, velocity=turned,
                    )
                )  # fmt: skip
        return logs

    def _noise(self) -> dict[str, float] | None:
        if self.entry.noise is None:
            return None
        units = {name: self.logs[0].units[column] for name, column in self.entry.outputs.items()}
        return {
            name: _number(f"noise of {name}", value, si_unit(units.get(name, "1")))
            for name, value in self.entry.noise.items()
        }


def parameter_table(found: Identified) -> pd.DataFrame:
    """A row for each parameter and what was found beside: what it was, what was found, and its interval, SI."""
    return pd.DataFrame(
        [
            {
                "parameter": one.name, "unit": one.unit, "before": one.start, "found": one.value,
                "low": one.interval[0], "high": one.interval[1], "standard_deviation": one.deviation,
            }
            for one in found.estimates
        ]
    )  # fmt: skip


def _beside(entries: dict[str, ParameterEntry]) -> dict[str, Any]:
    return {name: {"bounds": one.bounds, "prior": one.prior} for name, one in entries.items()}


def _bare(name: str) -> str:
    return name.partition("[")[0]


def _number(what: str, given: Any, unit: str) -> float:
    try:
        return to_unit(given, unit) if isinstance(given, str) else float(given)
    except ValueError as problem:
        raise IdentificationError(f"{what}: {problem}") from None
