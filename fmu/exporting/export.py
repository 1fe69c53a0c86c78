"""Export a diagram or a block as an FMU: a zip of a plan, a description and a runtime that was built ahead."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from blocks.block import Block
from blocks.diagram import Diagram
from blocks.errors import ExportError
from blocks.plan import make_plan
from cython_kernels.plain_c.platforms import written_out
from fmu import runtime
from fmu.description.catalogue import catalogue
from fmu.description.dependencies import Dependencies
from fmu.description.description2 import description2
from fmu.description.description3 import description3, value_references
from fmu.description.documentation import index_html
from fmu.description.icon import icon
from fmu.description.legal_variables import legal_variables
from fmu.description.maps import Map
from fmu.description.model import Model
from fmu.description.shown import what_is_shown
from fmu.description.terminals import terminals_and_icons
from fmu.exporting.archive import pack, write
from fmu.exporting.arguments import (
    INTERFACES,
    VERSIONS,
    check_component,
    check_format,
    check_shapes,
    check_solver,
    read_names,
    read_shapes,
)
from fmu.exporting.compiled import compiled_libraries, refuse_to_compile
from fmu.exporting.context import about, signals_from_outside
from fmu.exporting.layered import check_layered, layered_files, refuse_layered, tables_of
from fmu.exporting.libraries import (
    common_platforms,
    library_binaries,
    library_notes,
    runtime_kernels,
)
from fmu.exporting.licences import licence_text
from fmu.exporting.nested import container_of, holds_fmus
from fmu.exporting.resources import stored_variables, with_token
from fmu.exporting.source_code import compiled_files, source_files
from fmu.notices import warn
from fmu.python.export import python_export
from fmu.runtime.compiled_libraries import libraries_of

__all__ = ["INTERFACES", "VERSIONS", "export"]

_IDENTIFIER_LENGTH = 100


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
    only_interface: bool | None = None,
    parameters: str | Iterable[str] | None = None,
    fmi: str = "2.0",
    interfaces: str | Iterable[str] = INTERFACES,
    platforms: str | Iterable[str] | None = None,
    sources: bool = False,
    compiled: bool = False,
    layered_standards: str | Iterable[str] = (),
    input_shapes: Mapping[str, int | tuple[int, ...]] | None = None,
    capacities: Mapping[str, int] | None = None,
    arrays: bool = True,
    clocks: bool = True,
    communication_step: float | str | None = None,
    author: str | None = None,
    version: str | None = None,
    copyright: str | None = None,
    license: str | None = None,
) -> Path:
    """Write a diagram or a block as an FMU that needs only the C library where it runs; returns its path.

    path: the file, ending in ".fmu", or an existing folder, where the file is called after the model.
    step, solver, tolerances: how the FMU integrates between communication points, as for `simulate`. Communication
        points that are multiples of `step` give the numbers of `simulate` to the last bit. In model exchange the
        importing tool integrates.
    start, end: the default experiment; importing tools may choose another.
    stop: an output; when it exceeds 0.5, the FMU asks to be terminated.
    name: the model's name; else that of the diagram or block.
    local_variables: show every output of every block, not only those of the diagram. None: only if the diagram has no
        outputs.
    only_interface: show inputs, outputs, what model exchange needs, and no more than that, since some tools go through
        all variables at each step. False: parameters and what is calculated from them as well. None: that too, but an
        FMU for co-simulation alone shows nothing that is calculated from parameters, and no constants, unless
        `local_variables` are asked for.
    parameters: those that are shown, by their names, "heading.integral_gain", those of their blocks, "heading", or
        patterns, "*.speed"; the others stay as they are. None: all, or with `only_interface` none.
    fmi: the version of the standard, "2.0" or "3.0".
    interfaces: "cs" for co-simulation, "me" for model exchange; both are in one FMU unless only one is named.
    platforms: the platforms to run on, by the names of FMI 2.0 or 3.0 ("win64", "x86_64-windows"), or "all"; None:
        those that a runtime was built for.
    sources: put the C sources in too, for tools that compile FMUs; with `platforms=[]`, the sources only.
    compiled: let a C compiler make the binary for this model alone, which runs faster and gives the same numbers: this
        machine's for this machine, zig for platforms that are named.
    layered_standards: "ref" adds the results of the default experiment, as FMI-LS-REF and the cross-check rules have
        them; for FMI 3.0 "struct" a terminal for each lookup table, as FMI-LS-STRUCT has it, and "wasm" a component of
        WebAssembly, which zig compiles, as the draft FMI-LS-WASM has it.
    input_shapes: how many elements inputs have that take any signal, if nothing else says: {"u": 3}.
    capacities: FMI 3.0: room for more rows than there are now, by the size that counts them: {"guidance.n": 50}. The
        importing tool sets the size in configuration mode.
    arrays, clocks: FMI 3.0: whether ports, parameters and states are arrays, else their elements are variables as in
        FMI 2.0, and whether sample rates are clocks; without, for tools that take no arrays or no clocks.
    communication_step: how often FMUs within a diagram exchange values, s; None: as often as that `FmuBlock` does that
        does it most often.
    author, version, copyright, license: of the model, as the description states them.

    Equal models give equal bytes: the GUID or instantiation token is a hash of the model, and nothing tells the time.
    Variables are named by the structured convention: "vessel.mass", "force[1]", "vessel.inertia[1,2]", counted from 1.
    In FMI 3.0 a port, parameter or state is one variable, an array. Parameters are tunable (at any time) or fixed
    (until initialization ends) as their blocks declare; those that decide ports, states or the order of evaluation are
    constants of the FMU.

    A diagram that holds `FmuBlock`s leaves as one FMU of FMI 2.0 for co-simulation, with theirs inside, which takes the
    extra `container`.

    An FMU without outputs has only local variables to show, which no tool can connect: an `ExportWarning` says so.

    With blocks written in Python the FMU needs Python where it runs, and leaves through PythonFMU, for co-simulation
    only: a warning, `PythonNeeded`, says before it is written what that is; `requirements` tells without writing.

    Raises ExportError if the FMU cannot be written, if a block written in Python cannot travel, or if there is no
    runtime for a platform, ParameterError for capacities that cannot be, and WiringError for a diagram that cannot run.
    """
    asked = dict(locals())
    check_component(component)
    chosen = read_names("interfaces", interfaces)
    layered = read_names("layered_standards", layered_standards)
    check_format(fmi, chosen, arrays, capacities)
    check_layered(layered, fmi, arrays)
    check_solver(solver)
    wanted = None if platforms is None else written_out(read_names("platforms", platforms))
    if wanted == [] and not (sources or "wasm" in layered):
        raise ExportError("an FMU without platforms has nothing to run: name one, or add the C files by sources=True")
    if holds_fmus(component, communication_step):
        assert isinstance(component, Diagram)
        refuse_layered(layered, "FMUs inside")
        title = name or _name_of(component)
        identifier = _identifier(title)
        content = container_of(component, title, identifier, asked)
        target = _target(path, identifier)
        _warn_without_outputs(component, title, local_variables is not False)
        write(target, content)
        return target
    python = python_export(component)
    if python:
        refuse_layered(layered, "blocks written in Python")
        chosen = python.interfaces(chosen, sources, capacities)
    shapes = read_shapes(component, input_shapes)
    to_show = what_is_shown(
        only_interface, parameters, for_hosts="me" not in chosen, local_variables=local_variables is True
    )
    shown = list(component.output_ports)
    everything = not (shown or only_interface) if local_variables is None else local_variables
    settings: dict[str, Any] = {
        "solver": solver, "start": start, "relative_tolerance": relative_tolerance,
        "absolute_tolerance": absolute_tolerance, "max_step": max_step,
    }  # fmt: skip
    settings |= {key: value for key, value in (("step", step), ("end", end)) if value is not None}
    plan = make_plan(
        component, wanted=None if everything else shown, stop=stop, input_signals=signals_from_outside(component),
        input_shapes=shapes, capacities=capacities, **settings,
    )  # fmt: skip
    check_shapes({name: given.shape for name, given in plan.inputs.items()}, shapes)
    libraries = libraries_of(plan)
    if python:
        python.refuse_libraries(plan.digests)
        if compiled:
            refuse_to_compile(plan)
    if not compiled:
        wanted = common_platforms(libraries, wanted)
    title = name or _name_of(component)
    identifier = _identifier(title)
    notes = {"author": author, "version": version, "copyright": copyright, "license": license}
    variables = catalogue(
        plan,
        alone=isinstance(component, Block),
        local_variables=everything,
        continuous="me" in chosen,
        clocks=clocks and fmi == "3.0",
    )
    variables = legal_variables(to_show.of(variables, capacities or ()), arrays=arrays and fmi == "3.0")
    model = Model(
        title, identifier, about(component), component, plan, chosen, variables, arrays=arrays,
        notes={key: text for key, text in notes.items() if text is not None},
        sources=compiled_files(libraries) if sources else (), libraries=tuple(library.title for library in libraries),
    )  # fmt: skip
    if python:
        content = pack(python.files(model, fmi, wanted))
        python.warn_of_needs()
    else:
        kernels = runtime_kernels(plan)
        files = _files(model, fmi, tables_of(layered, model))
        c_files = partial(source_files, identifier, fmi, kernels, libraries, _resources(files))
        if compiled:
            binaries = compiled_libraries(plan, wanted, fmi, identifier, libraries)
        else:
            binaries = runtime.libraries(wanted, fmi, identifier, kernels) | library_binaries(libraries, wanted, fmi)
        files |= library_notes(libraries) | layered_files(layered, model, fmi, c_files)
        content = pack(files | (c_files() if sources else {}), binaries)
    target = _target(path, identifier)
    _warn_without_outputs(component, title, everything)
    write(target, content)
    return target


def _warn_without_outputs(component: Diagram | Block, title: str, everything: bool) -> None:
    if component.output_ports:
        return
    blocks = component.blocks() if isinstance(component, Diagram) else {}
    example = next((f"{name}.{port}" for name, block in blocks.items() for port in block.output_ports), "vessel.eta")
    shown = "all that can be seen are local variables, which no tool can connect" if everything else "nothing is seen"
    port = example.rpartition(".")[2]
    warn(
        f"the FMU '{title}' has no outputs: {shown}. Declare some: diagram.outputs({port}='{example}') in Python, "
        f"'outputs: {{{port}: {example}}}' in the diagram of a scenario file; blocks.report.add_outputs(diagram) "
        f"declares what a report shows"
    )


def _name_of(component: Diagram | Block) -> str:
    own = component.own_name if isinstance(component, Diagram) else ""
    return own or component.name or (type(component).__name__ if isinstance(component, Block) else "model")


def _identifier(name: str) -> str:
    """A name as a C identifier, which names the binary: not longer than names of files may be everywhere."""
    text = re.sub(r"\W", "_", name, flags=re.ASCII)[:_IDENTIFIER_LENGTH]
    return text if re.match(r"[A-Za-z_]", text) else f"model_{text}"


def _files(model: Model, fmi: str, tables: Sequence[Map]) -> dict[str, bytes]:
    """All files of the FMU but libraries and sources; tables: those that have a terminal."""
    picture = icon(model.drawing)
    files = _model_files(model, fmi) | {
        "documentation/index.html": index_html(model, fmi),
        "documentation/licenses/license.txt": licence_text(),
    }
    if fmi == "2.0":
        return files | {"model.png": picture.png}
    return files | {
        "terminalsAndIcons/terminalsAndIcons.xml": terminals_and_icons(model.variables, picture, model.arrays, tables),
        "terminalsAndIcons/icon.png": picture.png,
        "terminalsAndIcons/icon.svg": picture.svg,
    }


def _resources(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """What the runtime reads, by its names."""
    return {name.removeprefix("resources/"): text for name, text in files.items() if name.startswith("resources/")}


def _model_files(model: Model, fmi: str) -> dict[str, bytes]:
    """The description and the resources, with a GUID or instantiation token that is a hash of all that is in them."""
    if fmi == "3.0":
        dependencies = Dependencies(model, value_references(model.listed))
        blank, attribute = description3(model, "", dependencies), "instantiationToken"
    else:
        dependencies = None
        blank, attribute = description2(model, ""), "guid"
    numbers = stored_variables(model.plan, model.variables, model.listed, dependencies, "")
    digest = hashlib.sha256(model.plan.stored + numbers + blank).hexdigest()
    token = "{" + "-".join((digest[:8], digest[8:12], digest[12:16], digest[16:20], digest[20:32])) + "}"
    return {
        "modelDescription.xml": blank.replace(f' {attribute}=""'.encode(), f' {attribute}="{token}"'.encode(), 1),
        "resources/plan.bin": model.plan.stored,
        "resources/variables.bin": with_token(numbers, token),
    }


def _target(path: str | PathLike[str], identifier: str) -> Path:
    target = Path(fspath(path))
    if target.is_dir():
        return target / f"{identifier}.fmu"
    if target.suffix.lower() != ".fmu":
        raise ExportError(f"the name of an FMU must end in .fmu, not '{target.name}'")
    return target
