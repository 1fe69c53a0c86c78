"""Export a diagram for the Open Simulation Platform: FMUs, their variable groups, and how the groups are connected."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from os import PathLike, fspath
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
from numpy.typing import ArrayLike

from blocks.block import Block
from blocks.diagram import Diagram
from blocks.errors import ExportError, did_you_mean
from blocks.plan.settings import Settings
from fmu.exporting.archive import write_all
from fmu.ssp.cautions import caution, check_for_osp, check_parameters, check_values_for_osp, near
from fmu.ssp.osp_groups import Group, group_of, model_description
from fmu.ssp.parts import Exported, ExportedPart, export_parts
from fmu.ssp.ssp import communication_settings
from fmu.ssp.system import Wire, system_of

NAMESPACE = "http://opensimulationplatform.com/MSMI/OSPSystemStructure"
Groups = dict[tuple[str, str], Group]


def export_osp(
    component: Diagram | Block,
    folder: str | PathLike[str],
    *,
    subsystems: Iterable[str] | None = None,
    communication_step: float | str | None = None,
    inputs: Mapping[str, ArrayLike] | None = None,
    **settings: Any,
) -> Path:
    """Write a diagram as a system of the Open Simulation Platform; returns the folder.

    folder: is made if it is not there; files in it with the names of ours are replaced.
    subsystems: dotted paths of parts that become FMUs of their own, as for `export_ssp`.
    communication_step: how often the FMUs exchange values, in s; None: as often as those `FmuBlock`s do that do it
        most often, or if there are none, at every `step` of the FMUs.
    inputs: values of inputs of the diagram, in SI. OSP systems have no inputs of their own: these become the initial
        values of the variables that the inputs lead to. Those that are not given have their defaults.
    settings: as for `fmu.export`, for all FMUs. They are of FMI 2.0, which is what OSP's tools load.

    The folder holds OspSystemStructure.xml, and for each part NAME.fmu and NAME_OspModelDescription.xml. Ports are
    variable groups by their units: Force, Torque, LinearVelocity, AngularVelocity and so on; a wrench, a pose or a
    velocity of six components is a Generic group of two. Whole ports of equal groups are connected as groups, others
    variable by variable.

    An `FmuBlock` is a part with its FMU as it is, once for all blocks that use it. The values that were set are initial
    values, and it keeps its own communication step where that is a multiple of the system's. Connections that change
    units lead through linear transformations.

    Raises ExportError if a part cannot be exported (named), and WiringError for a diagram that cannot run.
    Source: OSP Interface Specification 1.0 (2020); OspSystemStructure 0.1 of libcosim.
    """
    if settings.pop("fmi", "2.0") != "2.0":
        raise ExportError("the Open Simulation Platform loads FMUs of FMI 2.0 only, not 3.0")
    system = system_of(component, subsystems)
    check_for_osp(system)
    step, known = communication_settings(communication_step, settings, system)
    exported = export_parts(system, fmi="2.0", **settings)
    check_values_for_osp(exported)
    check_parameters(exported)
    groups: Groups = {}
    for part in exported.parts:
        for kind, ports in (("input", part.part.component.input_ports), ("output", part.part.component.output_ports)):
            for port in ports:
                elements = part.interface.port(port, kind)
                if elements:
                    groups[part.name, port] = group_of(port, elements)
    files = {"OspSystemStructure.xml": _structure(exported, groups, step, known, _initial(exported, inputs or {}))}
    for part in exported.parts:
        files[part.file] = part.content
        mine = [group for (owner, _), group in groups.items() if owner == part.name]
        name = f"{part.interface.model_name}_OspModelDescription.xml"
        described = model_description(part.interface, mine)
        if files.setdefault(name, described) != described:
            raise ExportError(
                f"component '{part.part.path}': another FMU is called '{part.interface.model_name}', too, and the Open "
                f"Simulation Platform tells what is in their ports by that name: give one of them another model name"
            )
    caution(exported, step, own_steps=True, enumerations=True)
    target = Path(fspath(folder))
    if target.exists() and not target.is_dir():
        raise ExportError(f"cannot write an OSP system to '{target}': it is a file, and a folder is wanted")
    write_all(target, files)
    return target


def _initial(exported: Exported, given: Mapping[str, ArrayLike]) -> dict[str, dict[str, float]]:
    """Values of the diagram's inputs, by part and variable, as the FMUs have them."""
    found: dict[str, dict[str, float]] = {part.name: {} for part in exported.parts}
    values = {}
    for name, value in given.items():
        if name not in exported.inputs:
            raise ExportError(
                f"no input '{name}' of {exported.system.diagram._called()}{did_you_mean(name, exported.inputs)}"
            )
        try:
            values[name] = np.broadcast_to(np.asarray(value, dtype=np.float64).reshape(-1), len(exported.inputs[name]))
        except (TypeError, ValueError):
            count = len(exported.inputs[name])
            raise ExportError(f"input '{name}' has {count} element{'s' * (count > 1)}, not {value!r}") from None
    for wire in exported.system.wires:
        if wire.source.part is None and wire.source.port in values:
            chosen = values[wire.source.port][wire.source.start : wire.source.stop]
            for link, number in zip(exported.links(wire), chosen, strict=True):
                assert link.sink is not None
                scale, offset = link.change
                found[link.sink.name][link.input.variable.name] = scale * float(number) + offset
    return found


def _structure(
    exported: Exported, groups: Groups, step: float, settings: Settings, initial: dict[str, dict[str, float]]
) -> bytes:
    top = ET.Element("OspSystemStructure", {"xmlns": NAMESPACE, "version": "0.1"})
    ET.SubElement(top, "StartTime").text = repr(settings.start)
    if math.isfinite(settings.end):
        ET.SubElement(top, "EndTime").text = repr(settings.end)
    ET.SubElement(top, "BaseStepSize").text = repr(step)
    ET.SubElement(top, "Algorithm").text = "fixedStep"
    simulators = ET.SubElement(top, "Simulators")
    for part in exported.parts:
        simulator = ET.SubElement(
            simulators, "Simulator", name=part.name, source=part.file, stepSize=repr(_own_step(part, step))
        )
        given = [(name, "Real", repr(value)) for name, value in initial[part.name].items()]
        if part.block:
            given += [(variable.name, variable.kind, variable.start or "") for variable in part.parameters]
        if given:
            values = ET.SubElement(simulator, "InitialValues")
            for name, kind, text in given:
                ET.SubElement(ET.SubElement(values, "InitialValue", variable=name), kind, value=text)
    wires = [wire for wire in exported.system.wires if wire.source.part is not None]
    if wires:
        functions, connections = ET.Element("Functions"), ET.Element("Connections")
        for wire in wires:
            _connect(functions, connections, exported, groups, wire)
        top.extend([functions] * bool(len(functions)) + [connections])
    ET.indent(top)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ET.tostring(top, encoding="unicode")}\n'.encode()


def _own_step(part: ExportedPart, step: float) -> float:
    """That of an FMU from elsewhere where it is a multiple of the system's."""
    own = float(part.block.values["communication_step"]) if part.block else step
    return own if round(own / step) >= 1 and near(own / step, round(own / step)) else step


def _connect(functions: ET.Element, parent: ET.Element, exported: Exported, groups: Groups, wire: Wire) -> None:
    """One connection of groups where both ends are whole ports with equal groups, else one for each variable.

    Where the unit changes, a linear transformation stands between the two.
    """
    assert wire.source.part is not None
    links = exported.links(wire)
    source, sink = groups.get((wire.source.part.name, wire.source.port)), groups.get((wire.sink.name, wire.port))
    if any(link.table for link in links):
        raise ExportError(
            f"what feeds {wire.sink.name}.{wire.port} is looked up in a table, which the Open Simulation Platform does "
            f"not have: export an SSP for other tools"
        )
    plain = wire.first is None and all(link.change == (1.0, 0.0) for link in links)
    if plain and wire.source.start is None and source is not None and sink is not None and source.fits(sink):
        _pair(
            parent, "VariableGroup",
            ("VariableGroup", {"simulator": wire.source.part.name, "name": wire.source.port}),
            ("VariableGroup", {"simulator": wire.sink.name, "name": wire.port}),
        )  # fmt: skip
        return
    for link in links:
        start, end = _end(link.source, link.output.variable.name), _end(link.sink, link.input.variable.name)
        factor, offset = link.change
        if (factor, offset) == (1.0, 0.0):
            _pair(parent, "Variable", start, end)
            continue
        name = f"unit_{len(functions) + 1}"
        ET.SubElement(functions, "LinearTransformation", name=name, factor=repr(factor), offset=repr(offset))
        _pair(parent, "Signal", start, ("Signal", {"function": name, "name": "in"}))
        _pair(parent, "Signal", ("Signal", {"function": name, "name": "out"}), end)


def _pair(parent: ET.Element, kind: str, *ends: tuple[str, dict[str, str]]) -> None:
    connection = ET.SubElement(parent, f"{kind}Connection")
    for tag, attributes in ends:
        ET.SubElement(connection, tag, attributes)


def _end(part: ExportedPart | None, name: str) -> tuple[str, dict[str, str]]:
    assert part is not None
    return "Variable", {"simulator": part.name, "name": name}
