"""Run FMUs, alone or coupled, in co-simulation tools: each tool in a process of its own, many jobs in one process.

rows = cosimulate("ecos", [Job({"plant": path}, step=0.05, steps=20, record=["plant.eta[1]"])], folder)[0]
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import files
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

WORKERS = Path(__file__).parent / "cosimulators"
TAKEN = [("libcosim", "2.0"), ("ecos", "2.0"), ("ecos", "3.0")]
"""Tools and the versions of FMI that they take; libcosim's reader ends the process at FMI 3.0."""
OPTIONS: dict[str, dict[str, bool]] = {"2.0": {}, "3.0": {"arrays": False, "clocks": False}}
"""How an FMU has to be exported: Ecos has no access to arrays, and ends the process when it frees one with clocks."""
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Job:
    """FMUs to step together from t = 0. Variables are "model.variable"."""

    models: Mapping[str, Path]
    step: float
    steps: int
    record: Sequence[str]
    connections: Sequence[tuple[str, str]] = ()
    start: Mapping[str, float] = field(default_factory=dict)
    """Parameters and unconnected inputs, set before initialization."""
    inputs: Mapping[str, Sequence[float]] = field(default_factory=dict)
    """Unconnected inputs that move: a value for each step, set before it; the first one during initialization too."""

    def as_json(self) -> dict[str, object]:
        return {
            "models": {name: str(path) for name, path in self.models.items()},
            "connections": [list(pair) for pair in self.connections],
            "start": {name: values[0] for name, values in self.inputs.items()} | dict(self.start),
            "inputs": {name: list(values) for name, values in self.inputs.items()},
            "step": self.step,
            "steps": self.steps,
            "record": list(self.record),
        }


def cosimulate(tool: str, jobs: Sequence[Job], folder: Path) -> list[Floats | str]:
    """For each job its recorded values, a row after each step; or what the tool says why there are none.

    A job that ends the process, as tools written in C++ do when a model fails, does not take the following ones along.
    """
    results: list[Floats | str] = []
    while len(results) < len(jobs):
        answered, said = _start(tool, jobs[len(results) :], folder)
        results += answered
        if len(results) < len(jobs):
            results.append(said)
    return results


def _start(tool: str, jobs: Sequence[Job], folder: Path) -> tuple[list[Floats | str], str]:
    """Answers, as far as the process came, and what it said."""
    questions, answers = folder / f"{tool}_jobs.json", folder / f"{tool}_answers.jsonl"
    questions.write_text(json.dumps([job.as_json() for job in jobs]), encoding="utf-8")
    answers.unlink(missing_ok=True)
    command = [sys.executable, str(WORKERS / f"{tool}.py"), str(questions), str(answers)]
    done = subprocess.run(command, env=_environment(), capture_output=True, text=True, timeout=120, check=False)
    said = f"{tool} ended with exit code {done.returncode}\n{done.stdout}{done.stderr}".strip()
    found = [json.loads(line) for line in answers.read_text(encoding="utf-8").splitlines()] if answers.exists() else []
    return [np.array(one["rows"]) if "rows" in one else f"{one['problem']}\n{said}" for one in found], said


def _environment() -> dict[str, str]:
    """With the folder of the threading library that Ecos links and does not look for where pip puts it."""
    libraries = {str(Path(file.locate()).resolve().parent) for file in files("tbb") or [] if file.match("libtbb.so*")}
    paths = [*sorted(libraries), *filter(None, [os.environ.get("LD_LIBRARY_PATH")])]
    return os.environ | {"LD_LIBRARY_PATH": os.pathsep.join(paths)}
