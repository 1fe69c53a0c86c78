"""`keelblocks export --format c`: what of the options it takes, and what it tells of the code."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from blocks.errors import ExportError
from fmu.flat_c.export import export_c

_TAKEN = ("solver", "step", "start", "end")
"""Settings that fixed steps have; tolerances are of adaptive solvers."""
_FMU_ONLY = {
    "fmi": "--fmi", "interfaces": "--interface", "platforms": "--platform", "sources": "--sources",
    "local_variables": "--local-variables", "arrays": "--no-arrays", "clocks": "--no-clocks",
    "capacities": "--capacity", "compiled": "--compiled",
}  # fmt: skip


def refuse_options_of_fmus(how: Mapping[str, Any], form: str) -> None:
    """Raise ExportError if an option was given that C, or CUDA C++, has no meaning for."""
    wrong = [option for key, option in _FMU_ONLY.items() if key in how]
    if wrong:
        what = {"c": "C for controllers", "cuda": "CUDA C++"}[form]
        raise ExportError(f"{wrong[0]} is of FMUs, and --format {form} writes {what}: leave it out")


def settings_of_fixed_steps(how: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of a run that are taken."""
    return {key: value for key, value in how.items() if key in (*_TAKEN, "stop")}


def write_c(part: Any, name: str, folder: Path, how: Mapping[str, Any], system: Mapping[str, Any]) -> Path:
    """Write a part as C into a folder."""
    return export_c(part, folder, name=name, **settings_of_fixed_steps(how))
