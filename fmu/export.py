"""Export a diagram or a block as an FMU: a zip of a plan, a description and a runtime that was built ahead."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from blocks.block import Block
from blocks.diagram import Diagram
from blocks.errors import ExportError, did_you_mean
from blocks.plan import Plan, make_plan
from blocks.settings import ADAPTIVE, FIXED_STEP, SCIPY
from fmu import runtime
from fmu.archive import pack, write
from fmu.context import signals_from_outside
from fmu.documentation import index_html
from fmu.foreign.nested import refuse_fmus
from fmu.model_description import Model, fmi2_description
from fmu.python.export import python_export
from fmu.resources import stored_variables
from fmu.sources import COMPILED, source_files
from fmu.variables import variables

VERSIONS = ("2.0",)
INTERFACES = ("cs",)


def export(
    component: Diagram | Block,
    path: str | PathLike[str],
    *,
    step: float | str | None = None,
    solver: str = "rk4",
    start: float | str = 0.0,
    end: float | str | None = None,
    relative_tolerance: float = 1e-6,
    absolute_tolerance: float = 1e-8,
    max_step: float | str = 0.0,
    stop: str | None = None,
    name: str | None = None,
    local_variables: bool | None = None,
    fmi: str = "2.0",
    interfaces: Iterable[str] = INTERFACES,
    platforms: Iterable[str] | None = None,
    sources: bool = False,
) -> Path:
    """Write a diagram or a block as an FMU that needs only the C library where it runs; returns its path.

    path: the file, ending in ".fmu", or an existing folder, where the file is called after the model.
    step, solver, tolerances: how the FMU integrates between communication points, as for `simulate`. Communication
        points that are multiples of `step` give the numbers of `simulate` to the last bit.
    start, end: the default experiment; importing tools may choose another.
    stop: an output; when it exceeds 0.5, fmi2DoStep returns fmi2Discard and the FMU asks to be terminated.
    name: the model's name; else that of the diagram or block.
    local_variables: show every output of every block, not only those of the diagram. None: only if the diagram has no
        outputs.
    fmi, interfaces: the version of the standard, "2.0", and "cs" for co-simulation.
    platforms: the platforms to run on, by the names of FMI 2.0 or 3.0 ("win64", "x86_64-windows"); None: all that a
        runtime was built for.
    sources: put the C sources in too, for tools that compile FMUs; with `platforms=[]`, the sources only.

    Equal models give equal bytes: the GUID is a hash of the model, and nothing tells the time. Variables are named by
    the structured convention: "vessel.mass", "force[1]", "vessel.inertia[1,2]", counted from 1. Parameters are tunable
    (at any time) or fixed (until initialization ends) as their blocks declare; those that decide ports, states or the
    order of evaluation are constants of the FMU.

    With blocks written in Python the FMU needs Python where it runs, and leaves through PythonFMU: a warning,
    `PythonNeeded`, says before it is written what that is; `requirements` tells without writing.

    Raises ExportError if the FMU cannot be written, if a block written in Python cannot travel, or if there is no
    runtime for a platform, and WiringError for a diagram that cannot run.
    """
    _check_choice("FMI version", [fmi], VERSIONS)
    _check_choice("interface", list(interfaces), INTERFACES)
    platforms = None if platforms is None else list(platforms)
    if platforms == [] and not sources:
        raise ExportError("an FMU without platforms has nothing to run: name one, or add the C files by sources=True")
    if solver in SCIPY:
        raise ExportError(f"solver {solver} is SciPy's and needs Python; an FMU has {', '.join(FIXED_STEP + ADAPTIVE)}")
    refuse_fmus(component)
    python = python_export(component)
    alone = isinstance(component, Block)
    shown = list(component.output_ports)
    everything = not shown if local_variables is None else local_variables
    settings: dict[str, Any] = {
        "solver": solver, "start": start, "relative_tolerance": relative_tolerance,
        "absolute_tolerance": absolute_tolerance, "max_step": max_step,
    }  # fmt: skip
    settings |= {key: value for key, value in (("step", step), ("end", end)) if value is not None}
    plan = make_plan(
        component, wanted=None if everything else shown, stop=stop, input_signals=signals_from_outside(component),
        **settings,
    )  # fmt: skip
    title = name or _name_of(component)
    model = Model(
        title, _identifier(title), _description(component), plan.flat, plan.settings,
        variables(plan, alone=alone, local_variables=everything), (COMPILED,) if sources else (),
    )  # fmt: skip
    if python:
        content = pack(python.files(model, plan, fmi, platforms))
    else:
        files = _files(model, plan) | runtime.binaries(platforms, fmi, model.identifier)
        content = pack(files | (source_files(model.identifier, fmi) if sources else {}))
    target = _target(path, model.identifier)
    write(target, content)
    return target


def _check_choice(what: str, given: list[str], valid: tuple[str, ...]) -> None:
    if not given:
        raise ExportError(f"name at least one {what}: {', '.join(valid)}")
    for item in given:
        if item not in valid:
            raise ExportError(f"there is no export for the {what} '{item}'{did_you_mean(item, valid)}")


def _name_of(component: Diagram | Block) -> str:
    own = component.own_name if isinstance(component, Diagram) else ""
    return own or component.name or (type(component).__name__ if isinstance(component, Block) else "model")


def _description(component: Diagram | Block) -> str:
    """The title of a diagram, or the first line of a block's documentation."""
    if isinstance(component, Diagram):
        return component.title or component.doc.strip().partition("\n")[0]
    return (type(component).__doc__ or "").strip().partition("\n")[0]


def _identifier(name: str) -> str:
    """A name as a C identifier, which names the binary."""
    text = re.sub(r"\W", "_", name, flags=re.ASCII)
    return text if re.match(r"[A-Za-z_]", text) else f"model_{text}"


def _files(model: Model, plan: Plan) -> dict[str, bytes]:
    """The files about the model. The GUID is a hash of everything that makes the model, with an empty GUID in it."""
    blank = fmi2_description(model, "")
    digest = hashlib.sha256(plan.stored + stored_variables(plan, model.variables, "") + blank).hexdigest()
    guid = "{" + "-".join((digest[:8], digest[8:12], digest[12:16], digest[16:20], digest[20:32])) + "}"
    return {
        "modelDescription.xml": blank.replace(b' guid=""', f' guid="{guid}"'.encode(), 1),
        "documentation/index.html": index_html(model),
        "resources/plan.bin": plan.stored,
        "resources/variables.bin": stored_variables(plan, model.variables, guid),
    }


def _target(path: str | PathLike[str], identifier: str) -> Path:
    target = Path(fspath(path))
    if target.is_dir():
        return target / f"{identifier}.fmu"
    if target.suffix.lower() != ".fmu":
        raise ExportError(f"the name of an FMU must end in .fmu, not '{target.name}'")
    return target
