"""Export a diagram as an SSP: one FMU per part, how they are connected, parameter sets, units and geometry."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from blocks.block import Block
from blocks.diagram import Diagram
from blocks.errors import ExportError, did_you_mean
from blocks.settings import Settings
from fmu.archive import pack, write
from fmu.parts import export_parts
from fmu.ssp_write.parameters import parameter_set
from fmu.ssp_write.structure import Options, structure
from fmu.system import system_of

VERSIONS = ("1.0", "2.0")
PARAMETER_SET = "parameters"
"""The name of every parameter set: tools such as Ecos apply all sets of one name at once."""


def export_ssp(
    component: Diagram | Block,
    path: str | PathLike[str],
    *,
    version: str = "1.0",
    fmi: str = "2.0",
    subsystems: Iterable[str] | None = None,
    communication_step: float | str | None = None,
    boundary: bool | None = None,
    name: str | None = None,
    **settings: Any,
) -> Path:
    """Write a diagram as a System Structure Package; returns its path.

    path: the file, ending in ".ssp", or an existing folder, where the file is called after the diagram.
    version: of SSP. "1.0" is what today's tools read; "2.0" has arrays, and is needed for FMUs of FMI 3.0.
    fmi: the version of the FMUs, "2.0" or "3.0".
    subsystems: dotted paths of parts that become FMUs of their own. Without it, each component of the diagram is one
        FMU. A nested diagram of which something is named here is opened: all its components are FMUs of the system,
        called "plant_vessel" and the like, because libcosim and Ecos read flat systems only.
    communication_step: how often the FMUs exchange values, in s; None: at every `step` of the FMUs.
    boundary: whether the inputs and outputs of the diagram become connectors of the system. libcosim and Ecos refuse
        a system that has any. None: only if the diagram has inputs, which have to be driven from outside; the outputs
        of others are noted in an annotation, from which `read_ssp` restores them.
    name: of the system; else that of the diagram.
    settings: as for `fmu.export`, for all FMUs: step, solver, start, end, interfaces, platforms, …

    Resources hold one .fmu for each part and one .ssv with the values and units of its parameters. All parameter sets
    are called "parameters". Equal diagrams give equal bytes.

    Raises ExportError if a part cannot be exported (named), and WiringError for a diagram that cannot run.
    Source: System Structure and Parameterization 1.0.1 (2022) and 2.0 (2024), Modelica Association.
    """
    _check(version, fmi, settings)
    system = system_of(component, subsystems, name)
    step, known = communication_settings(communication_step, settings)
    exported = export_parts(system, fmi=fmi, **settings)
    files: dict[str, bytes] = {}
    parameter_files: dict[str, str] = {}
    for part in exported.parts:
        values = parameter_set(part.interface, PARAMETER_SET, version)
        files[f"resources/{part.file}"] = part.content
        if values is not None:
            parameter_files[part.name] = f"resources/{part.name}.ssv"
            files[parameter_files[part.name]] = values
    with_boundary = bool(exported.inputs) if boundary is None else boundary
    options = Options(version, step, known, with_boundary)
    files = {"SystemStructure.ssd": structure(exported, parameter_files, options)} | files
    target = _target(path, system.name)
    write(target, pack(files))
    return target


def communication_settings(step: float | str | None, settings: dict[str, Any]) -> tuple[float, Settings]:
    """The communication step in s, and the checked settings of the FMUs. Raises SimulationError."""
    names = {field.name for field in fields(Settings)}
    known = Settings(**{key: value for key, value in settings.items() if key in names and value is not None})
    if step is None:
        return known.step, known
    return Settings(step=step).step, known  # type: ignore[arg-type]


def _check(version: str, fmi: str, settings: dict[str, Any]) -> None:
    if version not in VERSIONS:
        raise ExportError(f"there is no export for the SSP version '{version}'{did_you_mean(version, VERSIONS)}")
    if fmi.startswith("3") and version == "1.0":
        raise ExportError(
            'SSP 1.0 does not know the types and arrays of FMI 3.0: export with version="2.0", or the FMUs with '
            'fmi="2.0"'
        )
    if "cs" not in settings.get("interfaces", ("cs",)):
        raise ExportError("the FMUs of an SSP are co-simulated: 'cs' has to be one of their interfaces")


def _target(path: str | PathLike[str], name: str) -> Path:
    target = Path(fspath(path))
    if target.is_dir():
        return target / f"{name}.ssp"
    if target.suffix.lower() != ".ssp":
        raise ExportError(f"the name of an SSP must end in .ssp, not '{target.name}'")
    return target
