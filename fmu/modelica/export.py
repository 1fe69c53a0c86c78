"""Export diagrams and blocks as a Modelica package: models that C of ours stands behind."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any, Literal, get_args

from blocks.block import Block
from blocks.diagram import Diagram
from blocks.errors import ExportError, did_you_mean, shown
from blocks.files.writing import is_file, path_of
from blocks.plan.settings import ADAPTIVE
from fmu.description.model import version
from fmu.exporting.archive import write, write_all
from fmu.flat_c.export import check_solver, laid_out
from fmu.modelica.fmu_side import fmu_files
from fmu.modelica.library import library_blocks
from fmu.modelica.names import c_name, class_name
from fmu.modelica.package import MARK, Package, in_a_folder, in_one_file
from fmu.modelica.stale import remove_others
from fmu.modelica.subject import States, Subject, subject_of

Around = Literal["c", "fmu"]
"""What stands behind a model."""
_LANGUAGE = "a Modelica package"


def export_modelica(
    components: Diagram | Block | Mapping[str, Diagram | Block],
    path: str | PathLike[str],
    *,
    name: str | None = None,
    states: States = "auto",
    step: float | str | None = None,
    solver: str = "rk4",
    start: float | str = 0.0,
    end: float | str | None = None,
    stop: str | None = None,
    library: bool = False,
    around: Around = "c",
    about: str = "",
) -> Path:
    """Write a Modelica package with a model of a diagram or a block, or of several; returns its path.

    components: one, or several by the names that they get: each becomes a class, `autopilot` the class Autopilot.
    path: a folder, which holds the folder of the package, or a file ending in ".mo", which holds all of it, the C too.
    name: of the package; else that of the file, or of the only component.
    states: who integrates. "tool": the Modelica tool, with its solver and together with all other equations, which can
        be where a model is a function of time, continuous states and inputs; "solver": Keelblocks, by `solver` with
        steps of `step`, as a sampled system; "auto": the tool where that can be.
    step, solver, start, end: as for `simulate`, with fixed steps.
    stop: an output of the first component, which ends the simulation where it exceeds 0.5.
    library: add all blocks of the library that can leave as C, in a package for each family, as their examples are.
    around: what a model is put around: our C, which the tool compiles, or its FMU for co-simulation, which stands
        unpacked in the resources, with binaries for the platforms that there is a runtime for; `step` then says how
        often values are exchanged, and the solver may be any that FMUs have.
    about: what the package is, in words.

    Models have vector connectors, which connect with those of Modelica.Blocks.Interfaces, parameters with units, ranges
    and texts, the drawing as icon, and documentation. They need nothing but the compiler of C that a Modelica tool has.

    Raises ExportError if a model cannot leave as C (blocks written in Python, FMUs, libraries of users, solvers without
    a fixed step), if the tool shall integrate what it cannot, or if a file would be replaced that no such export has
    written. Raises WiringError for a diagram that cannot run.
    """
    for what, choice, choices in (("states", states, get_args(States)), ("around", around, get_args(Around))):
        if choice not in choices:
            raise ExportError(f"{what}: there is no choice {shown(choice)}{did_you_mean(str(choice), choices)}")
    target = path_of(path, "a Modelica package", ExportError)
    single = target.suffix == ".mo"
    if single and around == "fmu":
        raise ExportError(f"{target} is one file, in which FMUs have no place: name a folder for the package")
    if states == "tool" and around == "fmu":
        raise ExportError("an FMU for co-simulation has its own solver: leave states='tool', or take around='c'")
    parts = components if isinstance(components, Mapping) else {_name_of(components): components}
    for what, text in (("name", name), ("about", about), *(("the name of a component", part) for part in parts)):
        if text is not None and not isinstance(text, str):
            raise ExportError(f"{what} must be text, not {shown(text)}")
    if not parts and not library:
        raise ExportError("a Modelica package is made of at least one diagram or block: name one, or take the library")
    own = class_name(name or (target.stem if single else next(iter(parts), "Keelblocks")))
    if single and own != target.stem:
        raise ExportError(
            f"the package in {target.name} would be called {own}, and tools look for a package in a file of its name: "
            f"call it {own}.mo"
        )
    how: dict[str, Any] = {"step": step, "solver": solver, "start": start, "end": end, "stop": stop}
    subjects: list[Subject] = []
    for title, component in parts.items():
        subjects.append(_subject(component, title, own, {s.name for s in subjects} | {own}, states, around, how))
        how["stop"] = None
    families = _families(own, {s.name for s in subjects}, states, around, how) if library else {}
    package = Package(own, about or _about(parts), subjects, families, version())
    return _write(package, target, single=single)


def _subject(
    component: Diagram | Block, title: str, package: str, taken: set[str], states: States, around: Around,
    how: Mapping[str, Any], shapes: Mapping[str, tuple[int, ...]] | None = None,
) -> Subject:  # fmt: skip
    name = class_name(title if class_name(title) != package else "system", taken)
    solver = how["solver"]
    free = states != "solver" or around == "fmu"
    own = f"{c_name(package, name)}_plan"
    settings = {**how, "solver": _fixed(solver) if free else solver}
    laid = laid_out(component, name=own, language=_LANGUAGE, input_shapes=shapes, **settings)
    subject = subject_of(component, title, name, package, laid, states if around == "c" else "solver")
    if around == "fmu":
        given = {key: value for key, value in how.items() if value is not None}
        return replace(subject, files=fmu_files(component, subject, given | {"input_shapes": shapes}))
    if not subject.by_tool:
        check_solver(solver, _LANGUAGE)
    return subject


def _fixed(solver: str) -> str:
    """A solver with fixed steps in the place of one that is ours no more where the tool integrates."""
    return solver if solver not in ADAPTIVE else "rk4"


def _families(
    package: str, taken: set[str], states: States, around: Around, how: Mapping[str, Any]
) -> dict[str, list[Subject]]:
    """Models of the blocks of the library, by family."""
    found: dict[str, list[Subject]] = {}
    names = {package, *taken}
    for block in library_blocks():
        family = found.setdefault(class_name(block.family, taken), [])
        family.append(_subject(block.block, block.name, package, names, states, around, how, block.shapes))
        names.add(family[-1].name)
    return found


def _name_of(component: object) -> str:
    if not isinstance(component, (Diagram, Block)):
        raise ExportError(f"{_LANGUAGE} is made of a diagram or a block, or of several, not of {shown(component)}")
    own = component.own_name if isinstance(component, Diagram) else ""
    return own or component.name or type(component).__name__


def _about(parts: Mapping[str, Diagram | Block]) -> str:
    first = next(iter(parts.values()), None)
    return (first.title if isinstance(first, Diagram) else "") or ""


def _write(package: Package, target: Path, *, single: bool) -> Path:
    if single:
        if is_file(target):
            _check_that_it_is_ours(target)
        write(target, in_one_file(package).encode())
        return target
    folder = target / package.name
    if target.exists() and not target.is_dir():
        raise ExportError(f"cannot write {_LANGUAGE} to {target}: it is a file, and a folder is wanted, or NAME.mo")
    files = in_a_folder(package)
    for file in files:
        if file.endswith(".mo") and is_file(folder / file):
            _check_that_it_is_ours(folder / file)
    write_all(folder, files)
    remove_others(folder, files)
    return folder


def _check_that_it_is_ours(path: Path) -> None:
    try:
        there = path.read_bytes()
    except OSError as problem:
        raise ExportError(f"cannot read '{path}', which would be replaced: {problem.strerror or problem}") from None
    if MARK.encode() not in there:
        raise ExportError(
            f"cannot write {_LANGUAGE} to {path.parent}: {path.name} is there and not of such an export, and it would "
            "be replaced; give another folder (--output) or another name, or take that file away"
        )
