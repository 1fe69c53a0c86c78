"""The six kinds of files in YAML. Those of the examples, with the files that they name beside them."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from blocks import vehicles
from blocks.checking import check_file
from blocks.lab.comparison import Comparison
from blocks.lab.identification.file import Identification
from blocks.lab.tuning.file import Tuning
from blocks.scenario import Scenario
from blocks.study.file import StudyDocument
from fuzzing.mutate.text import text
from fuzzing.reader import EXAMPLES, Reader

SMALL = b"""\
keelblocks: 1
name: lag
diagram:
  blocks:
    wave: {type: basic.Sine, parameters: {amplitude: [1.0], frequency: [2 rad/s]}}
    lag:
      type: basic.FirstOrderLag
      parameters:
        time_constant: 0.5 s
    table: {type: basic.LookupTable1D, parameters: {breakpoints: [0, 1, 2], table: [0, 1, 4]}}
  connections:
    wave.y: lag.u
    lag.y: [table.u]
run: {end: 1 min, step: 0.1, solver: rk4, record: [lag.y]}
report: {plots: [lag.y]}
"""


def _beside(folder: Path) -> None:
    """The examples, for the files name others."""
    shutil.copytree(EXAMPLES, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("*.py", "__pycache__"))


def _examples(pattern: str, folder: Path) -> Mapping[str, bytes]:
    _beside(folder)
    return {str(path.relative_to(EXAMPLES)): path.read_bytes() for path in sorted(EXAMPLES.glob(pattern))}


def _scenarios(folder: Path) -> Mapping[str, bytes]:
    return {**_examples("*.yaml", folder), **{f"small{i}.yaml": SMALL for i in range(6)}}


def _vehicles(folder: Path) -> Mapping[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(Path(vehicles.__file__).parent.glob("*.yaml"))}


def _scenario(path: Path) -> Any:
    """Read with all that is wrong, and mended; read, planned and written again."""
    checked = check_file(path)
    for problem in [one for one in checked.problems if one.replacements is not None][:3]:
        problem.fix(checked.text)
    loaded = Scenario.load(path)
    loaded.plan()
    return loaded.to_data(path.parent)


def _vehicle(path: Path) -> Any:
    return vehicles.check(path)


def _reader(name: str, read: Callable[[Path], Any], seeds: Callable[[Path], Mapping[str, bytes]], share: int) -> Reader:
    return Reader(name, seeds, read, text, share)


READERS = (
    _reader("scenario", _scenario, _scenarios, 16),
    _reader("study", lambda path: StudyDocument.load(path).study(), partial(_examples, "studies/*.yaml"), 5),
    _reader("comparison", Comparison.load, partial(_examples, "comparisons/*.yaml"), 2),
    _reader("tuning", lambda path: Tuning.load(path).cases, partial(_examples, "tuning/*.yaml"), 5),
    _reader("identification", Identification.load, partial(_examples, "identification/*.yaml"), 2),
    _reader("vehicle", _vehicle, _vehicles, 6),
)
