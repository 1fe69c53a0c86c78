"""What an importing tool is here: something that is run in a process of its own, on the folder of an FMU."""

from __future__ import annotations

import os
import re
import subprocess
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import ClassVar

from fmpy import read_model_description
from fmpy.model_description import ModelDescription

from benchmarks.cross_check.rules import Columns, Exported, Place
from cython_kernels import engine

ROOT = Path(__file__).resolve().parents[3]
_BUILT = Path(engine.__file__).parents[1]
"""Where the Keelblocks is that this process runs: an installed one perhaps, or the source folder."""
TIME_LIMIT = 120.0
"""How long a tool may take for an FMU, s; most take a second."""
SOLVER_TOLERANCE = 1e-8
"""Relative, of solvers of tools in model exchange: far below what is compared."""


class Refused(Exception):
    """The tool does not take this FMU, for what it lacks: says what."""


class Failed(Exception):
    """The tool ended without results, or not in time: says how."""


@dataclass(frozen=True)
class Importer(ABC):
    """An importing tool.

    name: as the cross-check calls it, in a path too. platforms: of FMUs that it runs here. interfaces: pairs of version
    and interface.
    """

    only_checks: ClassVar[bool] = False
    """Whether it looks at FMUs without running them, which the rules want of who exports: there are no results then."""

    name: str
    platforms: tuple[str, ...]
    interfaces: tuple[tuple[str, str], ...]

    @abstractmethod
    def missing(self) -> str:
        """What to install, or what else keeps it from running here; empty if nothing does."""

    @abstractmethod
    def version(self) -> str:
        """Of the tool, and of what runs it."""

    def takes(self, place: Place) -> bool:
        """Whether FMUs of this kind are for it at all."""
        return place.platform in self.platforms and (place.version, place.interface) in self.interfaces

    @abstractmethod
    def run(self, one: Exported, scratch: Path) -> Columns | None:
        """The results at the communication points, perhaps without the first; None of a tool that only checks.

        `scratch` is an empty folder. Raises Refused and Failed.
        """


def run_program(
    command: Sequence[str], scratch: Path, *, given: str = "", environment: Mapping[str, str] | None = None
) -> str:
    """What a program prints. Raises Failed, with the last that it said, if it ends by itself in another way."""
    places = os.pathsep.join([str(_BUILT), str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    own = os.environ | {"PYTHONPATH": places} | dict(environment or {})
    try:
        done = subprocess.run(
            command, cwd=scratch, input=given, capture_output=True, text=True, errors="replace", timeout=TIME_LIMIT,
            check=False, env=own,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise Failed(f"not done after {TIME_LIMIT:g} s") from None
    if done.returncode != 0:
        how = f"exit code {done.returncode}" if done.returncode > 0 else f"signal {-done.returncode}"
        raise Failed(f"ended with {how}: {last_words(done.stderr or done.stdout)}")
    return done.stdout


def last_words(said: str) -> str:
    """The last line that a program printed, without names of folders, so that equal runs say the same."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    return re.sub(r"(/[\w.+-]+)+/", "", lines[-1])[:300] if lines else "it said nothing"


@cache
def described(path: Path) -> ModelDescription:
    """The description of an FMU, as FMPy reads it."""
    return read_model_description(path)


def has_arrays(path: Path) -> bool:
    """Whether any variable of an FMU is an array."""
    return any(variable.dimensions for variable in described(path).modelVariables)


def has_clocks(path: Path) -> bool:
    """Whether any variable of an FMU is a clock."""
    return any(variable.type == "Clock" for variable in described(path).modelVariables)
