"""Export a diagram or a block as C99 for controllers: a folder with a header, a file, an example and how to compile."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from os import PathLike
from pathlib import Path
from typing import Any

from blocks.block import Block
from blocks.compiled.structure import Structure
from blocks.diagram import Diagram
from blocks.errors import ExportError, shown
from blocks.plan import Plan, make_plan
from blocks.plan.settings import FIXED_STEP, SOLVERS
from fmu.exporting.context import about, signals_from_outside
from fmu.flat_c.folder import EXAMPLE, folder_of, write_code
from fmu.flat_c.header import header_text, names_of
from fmu.flat_c.layout import Layout
from fmu.flat_c.model import model_text
from fmu.flat_c.names import identifier_of_model
from fmu.flat_c.readme import main_text, readme_text
from fmu.flat_c.report import cost_of
from fmu.foreign.within import fmu_blocks


def export_c(
    component: Diagram | Block,
    folder: str | PathLike[str],
    *,
    step: float | str | None = None,
    solver: str = "rk4",
    start: float | str = 0.0,
    end: float | str | None = None,
    stop: str | None = None,
    name: str | None = None,
) -> Path:
    """Write a diagram or a block as C99 for microcontrollers and real-time targets; returns the folder.

    folder: what the files are written into; it is made if it is not there.
    step, solver, start: of the fixed steps, as for `simulate`: euler, heun or rk4. A call of the step function goes on
        by one step, and gives the numbers of `simulate` to the last bit.
    end: of no meaning here; it is taken so that the settings of a scenario can be handed over.
    stop: an output; where it exceeds 0.5, the step function says so, and time stands.
    name: of the files, and what all their names begin with, as a C identifier; else that of the diagram or block.

    The folder has `<name>.h`, with inputs, outputs and parameters as structs, `<name>.c`, `main.c`, an example of how
    to drive it, and README.md. The code allocates nothing, calls no library but `memcpy`, `memset` and `memcmp`, and
    keeps nothing but what is in the struct that its caller owns. A `main.c` that is there already stays, for it may
    have been edited; an ExportWarning says so.

    Raises ExportError if the model cannot leave as C: blocks written in Python, FMUs and libraries of users within, and
    solvers without a fixed step; and if a file would be replaced that no such export has written. Raises WiringError
    for a diagram that cannot run.
    """
    model = laid_out(component, step=step, solver=solver, start=start, end=end, stop=stop, name=name)
    target = folder_of(folder, "C")
    write_code(target, _texts(model), "C")
    return target


@dataclass(frozen=True)
class Model:
    """What is written. name: as a C identifier; title, about: for people; version: of Keelblocks."""

    layout: Layout
    name: str
    title: str
    about: str
    version: str


def laid_out(
    component: Diagram | Block,
    *,
    step: float | str | None,
    solver: str,
    start: float | str,
    end: float | str | None,
    stop: str | None,
    name: str | None,
    language: str = "C for controllers",
    input_shapes: Mapping[str, tuple[int, ...]] | None = None,
) -> Model:
    """The plan of a diagram or a block, and where it stands in memory. Arguments and errors are those of `export_c`.

    language: what errors speak of; input_shapes: of inputs that take any signal, if nothing else says.
    """
    if not isinstance(component, (Diagram, Block)):
        raise ExportError(f"{language} is made of a diagram or a block, not of {shown(component)}")
    if name is not None and not isinstance(name, str):
        raise ExportError(f"the name of the files must be text, such as 'autopilot', not {shown(name)}")
    check_solver(solver, language)
    _refuse_fmus(component)
    wanted = list(component.output_ports)
    settings: dict[str, Any] = {"solver": solver, "start": start}
    settings |= {key: value for key, value in (("step", step), ("end", end)) if value is not None}
    plan = make_plan(
        component,
        wanted=wanted or None,
        stop=stop,
        input_signals=signals_from_outside(component),
        input_shapes=input_shapes,
        **settings,
    )
    _refuse_what_has_no_c(plan)
    title = name or _name_of(component)
    own = identifier_of_model(title)
    layout = Layout(
        plan, Structure(plan.stored), alone=isinstance(component, Block), everything=not wanted, reserved=names_of(own)
    )
    return Model(layout, own, title, about(component), _version())


def _texts(model: Model) -> dict[str, str]:
    layout, own, title = model.layout, model.name, model.title
    header = header_text(layout, own, title, model.about, model.version)
    source = model_text(layout, own, title, model.version)
    cost = cost_of(layout, own, header, source)
    return {
        f"{own}.h": header,
        f"{own}.c": source,
        EXAMPLE: main_text(layout, own),
        "README.md": readme_text(layout, own, title, cost),
    }


def check_solver(solver: str, language: str) -> None:
    """Raise ExportError unless a solver has fixed steps; what is no solver at all, `make_plan` refuses."""
    if solver in SOLVERS and solver not in FIXED_STEP:
        raise ExportError(
            f"the solver {solver} chooses its steps as it goes, and {language} has fixed ones: take "
            f"{', '.join(FIXED_STEP[:-1])} or {FIXED_STEP[-1]} (--solver rk4)"
        )


def _refuse_fmus(component: Diagram | Block) -> None:
    found = {path or "it": block for path, block in fmu_blocks(component).items()}
    if found:
        raise ExportError(
            f"{', '.join(found)} {'is an FMU' if len(found) == 1 else 'are FMUs'}, a program of another tool, which "
            "does not become C: export the parts around by --only, or take blocks of Keelblocks in the place of it"
        )


def _refuse_what_has_no_c(plan: Plan) -> None:
    if plan.python_blocks:
        leaf = plan.flat.leaves[min(plan.python_blocks)]
        raise ExportError(
            f"'{leaf.name}' runs in Python, which does not become C: write it as a formula or a kernel, or export the "
            "parts around it by --only"
        )
    if plan.digests:
        raise ExportError(
            f"the library {', '.join(plan.digests)} of compiled blocks does not become flat C: its kernels are behind "
            "pointers to functions; export a source-code FMU (--sources), which has their C, or the parts around them"
        )


def _name_of(component: Diagram | Block) -> str:
    own = component.own_name if isinstance(component, Diagram) else ""
    return own or component.name or (type(component).__name__.lower() if isinstance(component, Block) else "model")


def _version() -> str:
    try:
        return version("keelblocks")
    except PackageNotFoundError:
        return ""
