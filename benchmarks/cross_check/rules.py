"""The rules of the FMI cross-check: where files lie, what is in them, and what is wrong with a folder of them.

Version 4.1, FMI-CROSS-CHECK-RULES.md of commit 10f5719f of github.com/modelica/fmi-cross-check, archived since; with
what its validate_repo.py (commit 001da691) checks besides: sizes of FMUs, and options that are numbers. Beyond the
rules, which end at FMI 2.0: the version 3.0, arrays as elements with blanks between, as FMPy reads them, and the
platform aarch64-linux.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from fmpy import read_model_description
from fmpy.util import read_csv, read_ref_opt_file
from numpy.typing import NDArray

VERSIONS, INTERFACES = ("2.0", "3.0"), ("cs", "me")
PLATFORMS = ("linux64", "win64", "darwin64", "aarch64-linux")
TOOL = "Keelblocks"
LARGEST_FMU, LARGEST_CSV = 10_000_000, 1_000_000
"""In bytes."""
MOST_VARIABLES = 10
"""Of reference results, as the rules recommend."""
_HEADER = re.compile(r'"[^"]+"(,"[^"]+")*')
_UNUSUAL = re.compile(r"[^\w.+-]+")
Columns = dict[str, NDArray[np.float64]]
"""Rows over time by the names of variables, "time" the first; an array has a row of all its elements."""


@dataclass(frozen=True)
class Place:
    """Where an exported FMU has its folder."""

    version: str
    interface: str
    platform: str
    release: str
    model: str

    def exported(self, root: Path) -> Path:
        """The folder of the FMU."""
        return root.joinpath("fmus", *self._first(), TOOL, self.release, self.model)

    def imported(self, root: Path, tool: str, release: str) -> Path:
        """The folder of what a tool made of it."""
        names = (_UNUSUAL.sub("_", name) for name in (tool, release))
        return root.joinpath("results", *self._first(), *names, TOOL, self.release, self.model)

    def _first(self) -> tuple[str, str, str]:
        return self.version, self.interface, self.platform

    @classmethod
    def of(cls, folder: Path) -> Place:
        """The place of the folder of an FMU, by its path."""
        version, interface, platform, _, release, model = folder.parts[-6:]
        return cls(version, interface, platform, release, model)

    def __str__(self) -> str:
        return f"{self.model} {self.version} {self.interface} {self.platform}"


@dataclass(frozen=True)
class Exported:
    """An FMU with its reference results, read from its folder alone, as any importing tool would."""

    folder: Path

    @property
    def place(self) -> Place:
        return Place.of(self.folder)

    @property
    def fmu(self) -> Path:
        return self._file(".fmu")

    @property
    def options(self) -> dict[str, float]:
        """What stands in the file of options."""
        return dict(read_ref_opt_file(self._file("_ref.opt")))

    @property
    def reference(self) -> Columns:
        return read(self._file("_ref.csv"))

    @property
    def inputs(self) -> Columns | None:
        return read(self.inputs_file) if self.inputs_file.exists() else None

    @property
    def inputs_file(self) -> Path:
        return self._file("_in.csv")

    @property
    def points(self) -> NDArray[np.float64]:
        """Where there are rows of results: the communication points."""
        start, stop, interval = (self.options[key] for key in ("StartTime", "StopTime", "OutputIntervalLength"))
        return start + np.arange(round((stop - start) / interval) + 1) * interval

    def held_inputs(self) -> Columns:
        """Inputs from each communication point on; they stay until the next one."""
        if (inputs := self.inputs) is None:
            return {}
        rows = np.searchsorted(inputs["time"], self.points + 1e-9, side="right") - 1
        return {name: values[rows] for name, values in inputs.items() if name != "time"}

    def _file(self, ending: str) -> Path:
        return self.folder / f"{self.folder.name}{ending}"


def read(path: Path) -> Columns:
    """A table, as FMPy reads it."""
    found = read_csv(path)
    return {name: np.atleast_1d(found[name]) for name in found.dtype.names}


def exported(root: Path) -> list[Exported]:
    """All FMUs below a folder, in the order of their places."""
    return [Exported(path.parent) for path in sorted(root.glob(f"fmus/*/*/*/{TOOL}/*/*/*.fmu"))]


def problems(one: Exported) -> list[str]:
    """What the rules say against the folder of an FMU; empty if nothing."""
    place = one.place
    wanted = {f"{place.model}{ending}" for ending in (".fmu", "_ref.csv", "_ref.opt")}
    there = {path.name for path in one.folder.iterdir()}
    found = [f"{name} is missing" for name in sorted(wanted - there)]
    if found:
        return found
    for what, names in (("version", VERSIONS), ("interface", INTERFACES), ("platform", PLATFORMS)):
        if (given := getattr(place, what)) not in names:
            found.append(f"there is no {what} {given}, only {', '.join(names)}")
    for path in sorted(one.folder.iterdir()):
        most = LARGEST_FMU if path.suffix == ".fmu" else LARGEST_CSV
        if path.stat().st_size > most:
            found.append(f"{path.name} has {path.stat().st_size:,} bytes, more than {most:,}")
    model = read_model_description(one.fmu)
    if model.fmiVersion != place.version:
        found.append(f"{one.fmu.name} is of FMI {model.fmiVersion}, not {place.version}")
    if (model.coSimulation if place.interface == "cs" else model.modelExchange) is None:
        found.append(f"{one.fmu.name} has no interface for {place.interface}")
    names = {v.name for v in model.modelVariables}
    inputs = {v.name for v in model.modelVariables if v.causality == "input"}
    start, stop = one.options["StartTime"], one.options["StopTime"]
    found += _of_table(one.folder / f"{place.model}_ref.csv", names, start, stop)
    if len(one.reference) - 1 > MOST_VARIABLES:
        found.append(f"{place.model}_ref.csv has {len(one.reference) - 1} variables, more than {MOST_VARIABLES}")
    if one.inputs_file.exists():
        found += _of_table(one.inputs_file, inputs, start, stop)
    elif inputs:
        found.append(f"{one.inputs_file.name} is missing, and the FMU has inputs")
    return found


def _of_table(path: Path, names: Iterable[str], start: float, stop: float) -> list[str]:
    first, *_ = path.read_text(encoding="utf-8").splitlines()
    columns = read(path)
    time = columns["time"]
    unknown = [name for name in columns if name not in {"time", *names}]
    checks = {
        "has names without quotes": not _HEADER.fullmatch(first),
        f"has no such variables: {', '.join(unknown)}": bool(unknown),
        "does not begin with the time": next(iter(columns)) != "time",
        "has times that go back": bool(np.any(np.diff(time) < 0.0)),
        f"goes from {time[0]:g} to {time[-1]:g} s, not from {start:g} to {stop:g}": (time[0], time[-1])
        != (start, stop),
        "has numbers that are not finite": not all(np.isfinite(values).all() for values in columns.values()),
    }
    return [f"{path.name} {said}" for said, wrong in checks.items() if wrong]
