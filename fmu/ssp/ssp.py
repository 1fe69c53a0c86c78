"""Export a diagram as an SSP: one FMU per part, how they are connected, parameter sets, units and geometry."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from blocks.block import Block
from blocks.diagram import Diagram
from blocks.errors import ExportError, SimulationError, did_you_mean
from blocks.plan.settings import Settings
from fmu.exporting.archive import pack, write
from fmu.ssp.cautions import (
    caution,
    caution_of_boundary,
    caution_of_parameters,
    check_parameters,
    has_fmi_3,
    smallest_step,
)
from fmu.ssp.parts import export_parts
from fmu.ssp.system import System, system_of
from fmu.ssp.write.parameters import parameter_set
from fmu.ssp.write.structure import Options, structure

VERSIONS = ("1.0", "2.0")
PARAMETER_SET = "parameters"
"""The name of every parameter set: tools such as Ecos apply all sets of one name at once."""


def export_ssp(
    component: Diagram | Block,
    path: str | PathLike[str],
    *,
    version: str | None = None,
    fmi: str = "2.0",
    subsystems: Iterable[str] | None = None,
    communication_step: float | str | None = None,
    boundary: bool | None = None,
    name: str | None = None,
    **settings: Any,
) -> Path:
    """Write a diagram as a System Structure Package; returns its path.

    path: the file, ending in ".ssp", or an existing folder, where the file is called after the diagram.
    version: of SSP. "1.0" is what today's tools read; "2.0" has arrays, and is needed for FMUs of FMI 3.0. None: "2.0"
        if there are such, else "1.0".
    fmi: the version of the FMUs that are made, "2.0" or "3.0".
    subsystems: dotted paths of parts that become FMUs of their own. Without it, each component of the diagram is one
        FMU. A nested diagram of which something is named here is opened: all its components are FMUs of the system,
        called "plant_vessel" and the like, because libcosim and Ecos read flat systems only.
    communication_step: how often the FMUs exchange values, in s; None: as often as those `FmuBlock`s do that do it
        most often, or if there are none, at every `step` of the FMUs.
    boundary: whether the inputs and outputs of the diagram become connectors of the system. libcosim and Ecos refuse
        a system that has any, and OMSimulator 2 one with indices, "u[1]", or with the name of a component: a warning
        says so. None: only if the diagram has inputs, which have to be driven from outside; the outputs of others are
        noted in an annotation, from which `read_ssp` restores them.
    name: of the system; else that of the diagram.
    settings: as for `fmu.export`, for all FMUs: step, solver, start, end, platforms, …; interfaces: "cs" if not given.

    Resources hold one .fmu for each part and one .ssv with the values and units of its parameters. All parameter sets
    are called "parameters". Equal diagrams give equal bytes.

    An `FmuBlock` is a part with its FMU as it is, once for all blocks that use it, and a .ssv with the values that were
    set, in its own units and types. Connections convert units by a linear transformation. How the block runs the FMU
    (step, isolation, …) is noted for `read_ssp`. What other tools may do otherwise is said by an `ExportWarning`.

    Raises ExportError if a part cannot be exported (named), and WiringError for a diagram that cannot run.
    Source: System Structure and Parameterization 1.0.1 (2022) and 2.0 (2024), Modelica Association.
    """
    _check(version, fmi, settings)
    system = system_of(component, subsystems, name)
    version = _version(version, fmi, system)
    step, known = communication_settings(communication_step, settings, system)
    exported = export_parts(system, fmi=fmi, **settings)
    check_parameters(exported)
    files: dict[str, bytes] = {}
    parameter_files: dict[str, str] = {}
    for part in exported.parts:
        values = parameter_set(part, PARAMETER_SET, version)
        files[f"resources/{part.file}"] = part.content
        if values is not None:
            parameter_files[part.name] = f"resources/{part.name}.ssv"
            files[parameter_files[part.name]] = values
    with_boundary = bool(exported.inputs) if boundary is None else boundary
    options = Options(version, step, known, with_boundary)
    files = {"SystemStructure.ssd": structure(exported, parameter_files, options)} | files
    caution_of_boundary(files["SystemStructure.ssd"])
    if with_boundary:
        caution_of_parameters(exported)
    target = _target(path, system.name)
    caution(exported, step, own_steps=False, enumerations=False)
    write(target, pack(files))
    return target


def communication_settings(
    step: float | str | None, settings: dict[str, Any], system: System
) -> tuple[float, Settings]:
    """The communication step in s, and the checked settings of the FMUs. Raises SimulationError."""
    names = {field.name for field in fields(Settings)}
    known = Settings(**{key: value for key, value in settings.items() if key in names and value is not None})
    if step is None:
        return smallest_step(system) or known.step, known
    try:
        return Settings(step=step).step, known  # type: ignore[arg-type]
    except SimulationError as problem:
        raise SimulationError(f"communication_{problem}") from None


def _check(version: str | None, fmi: str, settings: dict[str, Any]) -> None:
    if version is not None and version not in VERSIONS:
        raise ExportError(f"there is no export for the SSP version '{version}'{did_you_mean(version, VERSIONS)}")
    if fmi.startswith("3") and version == "1.0":
        raise ExportError(
            'SSP 1.0 does not know the types and arrays of FMI 3.0: export with version="2.0" (--ssp-version 2.0), or '
            'the FMUs with fmi="2.0"'
        )
    if "cs" not in settings.get("interfaces", ("cs",)):
        raise ExportError("the FMUs of an SSP are co-simulated: 'cs' has to be one of their interfaces")


def _version(given: str | None, fmi: str, system: System) -> str:
    """The one that was asked for, or the oldest that will do. Raises ExportError if that does not."""
    block = has_fmi_3(system)
    if block is not None and given == "1.0":
        raise ExportError(
            f"{block.file} is of FMI {block.description.model.fmiVersion}, whose types and arrays SSP 1.0 does not "
            f'know: export with version="2.0" (--ssp-version 2.0)'
        )
    return given or ("2.0" if block is not None or fmi.startswith("3") else "1.0")


def _target(path: str | PathLike[str], name: str) -> Path:
    target = Path(fspath(path))
    if target.is_dir():
        return target / f"{name}.ssp"
    if target.suffix.lower() != ".ssp":
        raise ExportError(f"the name of an SSP must end in .ssp, not '{target.name}'")
    return target
