"""`keelblocks export`: a scenario and its parts as FMUs, a system of them, a Modelica package, C, CUDA C++."""

from __future__ import annotations

import contextlib
import functools
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import fmu
from blocks.cli import console
from blocks.cli.group import OK
from blocks.cli.run import changed, parameter_options, scenario_and_folder
from blocks.errors import ExportError, ScenarioError, did_you_mean
from fmu.cli.formats import FORMATS
from fmu.cli.options import fmu_options, given, modelica_options, system_options
from fmu.exporting.layered import layered_of_parts

if TYPE_CHECKING:
    from blocks.block import Block
    from blocks.diagram import Diagram
    from blocks.scenario import Scenario


@click.command("export", short_help="Write a scenario and its subsystems as FMUs, SSP, OSP, Modelica, C or CUDA.")
@scenario_and_folder("Folder to write to, or the one file; fmus/NAME, modelica/NAME, c/NAME or cuda/NAME if not given.")
@click.option(
    "--format",
    "form",
    type=click.Choice(tuple(FORMATS)),
    default="fmu",
    show_default=True,
    help="FMUs by themselves; a system of them: an SSP file, or a folder for the Open Simulation Platform; a "
    "Modelica package; C99 for controllers; or CUDA C++ for many members on a GPU, not run on one yet: compare some "
    "with `simulate`.",
)
@click.option(
    "--only",
    multiple=True,
    metavar="PART",
    help="Export this part only, by its dotted name, or the scenario by its own; several times if need be.",
)
@fmu_options
@system_options
@modelica_options
@click.option(
    "--report-outputs/--no-report-outputs",
    default=True,
    help="Whether a scenario that declares no outputs gets those that its report shows; yes if not given.",
)
@parameter_options
@click.option("--json", "as_json", is_flag=True, help="Print the files as JSON.")
@click.option("-q", "--quiet", is_flag=True, help="Print nothing but errors and warnings.")
def export_command(
    scenario: Path,
    output: Path | None,
    form: str,
    only: tuple[str, ...],
    fmi: str | None,
    interfaces: tuple[str, ...],
    platforms: tuple[str, ...],
    sources: bool,
    compiled: bool,
    layered_standards: tuple[str, ...],
    local_variables: bool,
    only_interface: bool | None,
    parameters: tuple[str, ...],
    no_arrays: bool,
    no_clocks: bool,
    capacities: tuple[str, ...],
    split: tuple[str, ...],
    communication_step: str | None,
    boundary: bool | None,
    ssp_version: str | None,
    states: str | None,
    library: bool,
    around: str | None,
    report_outputs: bool,
    changes: tuple[str, ...],
    as_json: bool,
    quiet: bool,
    **settings: Any,
) -> int:
    """Write a scenario for other tools.

    As FMUs: one of the whole diagram, and one of each subsystem at its top level. As a system: one FMU of each
    component at the top level, with all that a tool has to know to connect them: an SSP (.ssp) for FMPy, Ecos,
    libcosim, OMSimulator and others, or a folder for the Open Simulation Platform (libcosim). As a Modelica package:
    a model of the whole and of each subsystem, with C behind it, for OpenModelica, Dymola and others. As C: a header,
    one file and an example, with fixed steps, for microcontrollers and real-time targets. As CUDA: the same for a GPU,
    with many members, a thread for each.

    The FMUs need no Python on the machine that runs them, just its C library, unless blocks are written in Python:
    what they need is printed then.

    \b
    Examples:
        keelblocks export examples/minerva_los.yaml --output fmus
        keelblocks export examples/minerva_los.yaml --only plant --step 0.005
        keelblocks export examples/minerva_los.yaml --only plant.vessel --fmi 3.0 --interface cs --interface me
        keelblocks export examples/minerva_los.yaml --platform linux64 --platform win64
        keelblocks export examples/minerva_los.yaml --only plant --only-interface --parameter current
        keelblocks export examples/minerva_los.yaml --format ssp --communication-step 0.05
        keelblocks export examples/minerva_los.yaml --format ssp --split plant.vessel
        keelblocks export examples/minerva_los.yaml --format osp --output minerva_osp
        keelblocks export examples/minerva_los.yaml --format modelica --output MinervaLos.mo
        keelblocks export examples/minerva_los.yaml --format c --only autopilot --step 0.05
        keelblocks export examples/otter_los.yaml --format cuda
    """
    from blocks.plan.settings import Settings

    loaded = changed(scenario, changes, settings)
    how: dict[str, Any] = {key: value for key, value in loaded.settings.items() if key in Settings.__dataclass_fields__}
    how |= given(fmi=fmi, interfaces=interfaces, platforms=platforms, sources=sources, local_variables=local_variables)
    how |= given(compiled=compiled, capacities=capacities, parameters=parameters, layered_standards=layered_standards)
    if only_interface is not None:
        how["only_interface"] = only_interface
    if no_arrays:
        how["arrays"] = False
    if no_clocks:
        how["clocks"] = False
    system = given(
        split=split, communication_step=communication_step, ssp_version=ssp_version, states=states, library=library,
        around=around,
    )  # fmt: skip
    if boundary is not None:
        system["boundary"] = boundary
    chosen = FORMATS[form]
    chosen.check(how, system)
    parts = _parts(loaded, scenario, only, alone=not chosen.subsystems)
    if chosen.code and "stop" in loaded.settings and next(iter(parts.values())) is loaded.diagram:
        how["stop"] = loaded.settings["stop"]
    if report_outputs and any(part is loaded.diagram for part in parts.values()):
        _add_outputs(loaded, quiet)
    file = output if output and not chosen.folder and output.suffix.lower() == chosen.suffix else None
    if file and len(parts) > 1 and not chosen.together:
        raise ExportError(
            f"{file} can hold one of {', '.join(parts)} only: name a folder by --output, or the part by --only"
        )
    for option, given_ones in (("--capacity", capacities), ("--parameter", parameters)):
        if given_ones and len(parts) > 1:
            raise ExportError(f"{option} is for one part at a time: name it by --only, one of {', '.join(parts)}")
    folder = _folder(file.parent if file else output or Path(chosen.home) / loaded.name, chosen.files)
    files = []
    with _saying_what_is_needed(quiet):
        if chosen.together:
            files.append(chosen.write(parts, loaded.name, file or folder, how, system))
            parts = {}
        layered = layered_of_parts(layered_standards, parts)
        for name, part in parts.items():
            if layered_standards:
                how["layered_standards"] = layered[name]
            own = name if chosen.folder else f"{name}.{form}"
            path = folder if chosen.folder and len(parts) == 1 else file or folder / own
            files.append(chosen.write(part, name, path, how, system))
    if as_json:
        console.data({"name": loaded.name, "files": [str(path) for path in files]})
    elif not quiet:
        for path in files:
            console.output().print(f"wrote {path} ({_size(path) / 1000:,.0f} kB)", soft_wrap=True)
    return OK


class _Output(click.Path):
    """A path that is not empty: an empty one would be the working directory."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Raises ExportError."""
        if value == "":
            raise ExportError("--output is empty: name a folder, `.` for this one, or leave the option out")
        return super().convert(value, param, ctx)


next(option for option in export_command.params if option.name == "output").type = _Output(path_type=Path)


def _add_outputs(loaded: Scenario, quiet: bool) -> None:
    """Give a scenario that declares no outputs those that its report shows, and say so."""
    from blocks.report import add_outputs

    found = add_outputs(loaded.diagram, loaded.report)
    if found and not quiet:
        lines = "".join(f"\n    {name}: {source}" for name, source in found.items())
        console.note(
            f"Note: {loaded.name} declares no outputs. It gets those that its report shows; to choose, put them into "
            f"the diagram of the file (--no-report-outputs leaves them out):\n  outputs:{lines}"
        )


@contextlib.contextmanager
def _saying_what_is_needed(quiet: bool) -> Iterator[None]:
    """Print what FMUs with blocks written in Python need, before they are written, and what may not be as meant."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore" if quiet else "always", fmu.PythonNeeded)
        warnings.simplefilter("always", fmu.ExportWarning)
        other = warnings.showwarning

        def show(message: Warning | str, category: type[Warning], *rest: Any, **named: Any) -> None:
            if issubclass(category, fmu.PythonNeeded):
                console.note(f"Note: {message}")
            elif issubclass(category, fmu.ExportWarning):
                console.note(f"Warning: {message}")
            else:
                other(message, category, *rest, **named)

        warnings.showwarning = show
        yield


def _parts(loaded: Scenario, file: Path, only: tuple[str, ...], *, alone: bool) -> dict[str, Diagram | Block]:
    """What is exported, by the last part of its name. Raises ScenarioError for a name that does not exist."""
    from blocks.block import Block
    from blocks.diagram import Diagram

    diagram = loaded.diagram
    subsystems = [name for name, part in diagram.components.items() if isinstance(part, Diagram)]
    known = {name: diagram[name] for name in (*diagram.components, *diagram.blocks())}
    for name in only:
        if name != loaded.name and name not in known:
            raise ScenarioError(f"no part '{name}' in {file}{did_you_mean(name, [loaded.name, *known])}")
    chosen: dict[str, Diagram | Block] = {}
    for name in only or (loaded.name, *([] if alone else subsystems)):
        part = diagram if name == loaded.name else known[name]
        assert isinstance(part, (Block, Diagram))
        own = name.rpartition(".")[2]
        chosen[own if own not in chosen else name.replace(".", "_")] = part
    return chosen


def _folder(folder: Path, what: str) -> Path:
    """Make a folder to write to; what was made of it and stays empty, because nothing can be written, goes again."""
    if folder.exists() and not folder.is_dir():
        raise ScenarioError(f"cannot write {what} to {folder}: it is a file, and a folder is wanted")
    click.get_current_context().call_on_close(
        functools.partial(_leave_none_empty, [each for each in (folder, *folder.parents) if not each.exists()])
    )
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise ScenarioError(f"cannot write {what} to {folder}: {problem.strerror or problem}") from None
    return folder


def _leave_none_empty(folders: list[Path]) -> None:
    with contextlib.suppress(OSError):  # there is something in it
        for folder in folders:
            folder.rmdir()


def _size(path: Path) -> int:
    files = [path] if path.is_file() else path.rglob("*")
    return sum(file.stat().st_size for file in files if file.is_file())
