"""libcosim and Ecos, co-simulators in C++, by the programs with which the tests run them."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, files, version
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from benchmarks.cross_check.importers.importer import (
    ROOT,
    Failed,
    Importer,
    Refused,
    has_arrays,
    has_clocks,
    run_program,
)
from benchmarks.cross_check.rules import Columns, Exported

PROGRAMS = ROOT / "tests" / "support" / "cosimulators"


@dataclass(frozen=True)
class CoSimulator(Importer):
    """program: in `PROGRAMS`. package: what has to be installed, `needs` with it."""

    program: str
    package: str
    needs: tuple[str, ...] = ()

    def missing(self) -> str:
        lacking = [name for name in (self.package, *self.needs) if not _installed(name)]
        return f"{' and '.join(lacking)}: pip install {' '.join(lacking)}" if lacking else ""

    def version(self) -> str:
        return f"{self.package} {version(self.package)}"

    def run(self, one: Exported, scratch: Path) -> Columns:
        if one.place.version == "3.0" and (has_arrays(one.fmu) or has_clocks(one.fmu)):
            raise Refused("it has no access to arrays, and ends the process when it frees an FMU with clocks")
        names = [name for name in one.reference if name != "time"]
        held, points = one.held_inputs(), one.points
        job = {
            "models": {"fmu": str(one.fmu)},
            "connections": [],
            "start": {f"fmu.{name}": float(values[0]) for name, values in held.items()},
            "inputs": {f"fmu.{name}": values.tolist() for name, values in held.items()},
            "step": one.options["OutputIntervalLength"],
            "steps": len(points) - 1,
            "record": [f"fmu.{name}" for name in names],
        }
        (scratch / "jobs.json").write_text(json.dumps([job]), encoding="utf-8")
        answers = scratch / "answers.jsonl"
        command = [sys.executable, str(PROGRAMS / f"{self.program}.py"), "jobs.json", answers.name]
        run_program(command, scratch, environment=_environment())
        answer = json.loads(answers.read_text(encoding="utf-8"))
        if "problem" in answer:
            raise Failed(answer["problem"])
        rows = np.array(answer["rows"])
        return {"time": points[1:], **{name: rows[:, i] for i, name in enumerate(names)}}


def _installed(package: str) -> bool:
    try:
        version(package)
    except PackageNotFoundError:
        return False
    return package == "tbb" or find_spec(package) is not None


def _environment() -> dict[str, str]:
    """With the folder of the threading library, which Ecos does not look for where pip puts it."""
    folders = {str(Path(file.locate()).resolve().parent) for file in files("tbb") or [] if file.match("libtbb.so*")}
    return {"LD_LIBRARY_PATH": os.pathsep.join([*sorted(folders), *filter(None, [os.environ.get("LD_LIBRARY_PATH")])])}
