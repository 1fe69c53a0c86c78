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
from fmu.foreign.within import fmu_blocks
from fmu.modelica.export import export_modelica

_OF_FMUS = {
    "fmi": "--fmi", "interfaces": "--interface", "platforms": "--platform", "sources": "--sources",
    "local_variables": "--local-variables", "arrays": "--no-arrays", "clocks": "--no-clocks",
    "capacities": "--capacity", "compiled": "--compiled", "only_interface": "--only-interface",
    "parameters": "--parameter", "layered_standards": "--layered-standard",
}  # fmt: skip
_OF_SOME = {
    "split": "--split",
    "communication_step": "--communication-step",
    "boundary": "--boundary",
    "ssp_version": "--ssp-version",
    "states": "--states",
    "library": "--library",
    "around": "--around",
}
"""Options that not all formats take."""
_OF_FIXED_STEPS = ("solver", "step", "start", "end", "stop")
"""Settings that fixed steps have; tolerances are of adaptive solvers."""

Options = Mapping[str, Any]


@dataclass(frozen=True)
class Format:
    """A format. name: on the command line; what: it writes, in words; files: what several are called; write: a part,
    by its name, to a path, with the options of FMUs and those that some formats take.

    folder: each part is a folder, not a file of this suffix; code: it is source code, with fixed steps; takes: which of
    the options that some formats take; subsystems: whether the scenario's subsystems leave, too, if none is named;
    together: parts leave as one, and `write` gets all of them, by their names.
    """

    name: str
    what: str
    files: str
    write: Callable[[Any, str, Path, Options, Options], Path]
    folder: bool = False
    code: bool = False
    takes: tuple[str, ...] = ()
    subsystems: bool = False
    together: bool = False

    @property
    def suffix(self) -> str:
        """Of a file that may be named."""
        return ".mo" if self.name == "modelica" else f".{self.name}"

    @property
    def home(self) -> str:
        """The folder that it is written below, if none is given."""
        return self.name if self.code else "fmus"

    def check(self, how: Options, system: Options) -> None:
        """Raise ExportError if an option was given that this format has no meaning for."""
        for key in system:
            if key not in self.takes:
                takers = " or ".join(name for name, form in FORMATS.items() if key in form.takes)
                raise ExportError(f"{_OF_SOME[key]} is of use with --format {takers}, not with {self.what}")
        wrong = [option for key, option in _OF_FMUS.items() if key in how]
        if self.code and wrong:
            raise ExportError(f"{wrong[0]} is of FMUs, and --format {self.name} writes {self.what}: leave it out")


def _write_fmu(part: Any, name: str, path: Path, how: Options, system: Options) -> Path:
    coupled = bool(fmu_blocks(part)) or part.parent is None  # other parts have nothing that could be coupled
    coupling = dict(system) if coupled else {}
    return fmu.export(part, path, name=name, **coupling, **how)


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


def _write_modelica(parts: Any, name: str, path: Path, how: Options, system: Options) -> Path:
    return export_modelica(parts, path, name=None if path.suffix == ".mo" else name, **_of_fixed_steps(how), **system)


def _of_fixed_steps(how: Options) -> dict[str, Any]:
    return {key: value for key, value in how.items() if key in _OF_FIXED_STEPS}


_OF_COUPLING = ("split", "communication_step")
_OF_SYSTEMS = (*_OF_COUPLING, "boundary", "ssp_version")
FORMATS = {
    form.name: form
    for form in (
        Format("fmu", "single FMUs", "FMUs", _write_fmu, takes=("communication_step",), subsystems=True),
        Format("ssp", "an SSP", "SSPs", _write_ssp, takes=_OF_SYSTEMS),
        Format(
            "osp", "a system of the Open Simulation Platform", "OSP systems", _write_osp, folder=True,
            takes=_OF_COUPLING,
        ),
        Format(
            "modelica", "a Modelica package", "a Modelica package", _write_modelica, code=True, subsystems=True,
            together=True, takes=("states", "library", "around"),
        ),
        Format("c", "C for controllers", "C", _write_c, folder=True, code=True),
        Format("cuda", "CUDA C++", "CUDA C++", _write_cuda, folder=True, code=True),
    )
}  # fmt: skip
"""By their names."""
