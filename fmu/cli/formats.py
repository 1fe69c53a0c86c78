"""The formats of `keelblocks export`: what each writes, and which of the options it takes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import fmu
from blocks.errors import ExportError
from fmu.cuda.export import export_cuda
from fmu.flat_c.export import export_c

_OF_FMUS = {
    "fmi": "--fmi", "interfaces": "--interface", "platforms": "--platform", "sources": "--sources",
    "local_variables": "--local-variables", "arrays": "--no-arrays", "clocks": "--no-clocks",
    "capacities": "--capacity", "compiled": "--compiled",
}  # fmt: skip
_OF_SYSTEMS = {
    "split": "--split",
    "communication_step": "--communication-step",
    "boundary": "--boundary",
    "ssp_version": "--ssp-version",
}
_OF_FIXED_STEPS = ("solver", "step", "start", "end", "stop")
"""Settings that fixed steps have; tolerances are of adaptive solvers."""

Options = Mapping[str, Any]


@dataclass(frozen=True)
class Format:
    """A format. name: on the command line; what: it writes, in words; files: what several are called; write: a part,
    by its name, to a path, with the options of FMUs and those of systems.

    folder: each part is a folder, not a file of this suffix; code: it is source code, with fixed steps; of_systems:
    the options of systems that it takes.
    """

    name: str
    what: str
    files: str
    write: Callable[[Any, str, Path, Options, Options], Path]
    folder: bool = False
    code: bool = False
    of_systems: tuple[str, ...] = ()

    @property
    def home(self) -> str:
        """The folder that it is written below, if none is given."""
        return self.name if self.code else "fmus"

    def check(self, how: Options, system: Options) -> None:
        """Raise ExportError if an option was given that this format has no meaning for."""
        for key in system:
            if key not in self.of_systems:
                takers = " or ".join(name for name, form in FORMATS.items() if key in form.of_systems)
                where = f"{takers} only" if takers == "ssp" and self.of_systems else f"{takers}, not with {self.what}"
                raise ExportError(f"{_OF_SYSTEMS[key]} is of use with --format {where}")
        wrong = [option for key, option in _OF_FMUS.items() if key in how]
        if self.code and wrong:
            raise ExportError(f"{wrong[0]} is of FMUs, and --format {self.name} writes {self.what}: leave it out")


def _write_fmu(part: Any, name: str, path: Path, how: Options, system: Options) -> Path:
    return fmu.export(part, path, name=name, **how)


def _write_ssp(part: Any, name: str, path: Path, how: Options, system: Options) -> Path:
    version = {"version": system["ssp_version"]} if "ssp_version" in system else {}
    kept = {key: value for key, value in system.items() if key in ("communication_step", "boundary")}
    return fmu.export_ssp(part, path, name=name, subsystems=system.get("split"), **version, **kept, **how)


def _write_osp(part: Any, name: str, path: Path, how: Options, system: Options) -> Path:
    kept = {key: value for key, value in system.items() if key == "communication_step"}
    return fmu.export_osp(part, path, subsystems=system.get("split"), **kept, **how)


def _write_c(part: Any, name: str, path: Path, how: Options, system: Options) -> Path:
    return export_c(part, path, name=name, **_of_fixed_steps(how))


def _write_cuda(part: Any, name: str, path: Path, how: Options, system: Options) -> Path:
    return export_cuda(part, path, name=name, **_of_fixed_steps(how))


def _of_fixed_steps(how: Options) -> dict[str, Any]:
    return {key: value for key, value in how.items() if key in _OF_FIXED_STEPS}


FORMATS = {
    form.name: form
    for form in (
        Format("fmu", "single FMUs", "FMUs", _write_fmu),
        Format("ssp", "an SSP", "SSPs", _write_ssp, of_systems=tuple(_OF_SYSTEMS)),
        Format(
            "osp", "a system of the Open Simulation Platform", "OSP systems", _write_osp, folder=True,
            of_systems=("split", "communication_step"),
        ),
        Format("c", "C for controllers", "C", _write_c, folder=True, code=True),
        Format("cuda", "CUDA C++", "CUDA C++", _write_cuda, folder=True, code=True),
    )
}  # fmt: skip
"""By their names."""
