"""What may not do in other tools what it does here, when FMUs from elsewhere leave in a system."""

from __future__ import annotations

from collections.abc import Iterable
from xml.etree import ElementTree as ET

from blocks.errors import ExportError
from fmu.foreign.importer import FmuBlock
from fmu.foreign.variables import is_negated
from fmu.notices import warn
from fmu.ssp.parts import Exported, Link
from fmu.ssp.system import System
from fmu.ssp.write.xml import NAMESPACES

PARAMETERS = ("parameter", "structuralParameter")
_CONTINUOUS = ("Real", "Float64", "Float32")


def smallest_step(system: System) -> float | None:
    """The smallest communication step of the FMUs from elsewhere, s; None if there are none."""
    return min(
        (float(part.component.values["communication_step"])
         for part in system.parts if isinstance(part.component, FmuBlock)),
        default=None,
    )  # fmt: skip


def has_fmi_3(system: System) -> FmuBlock | None:
    """An FMU from elsewhere that is of FMI 3.0."""
    blocks = (part.component for part in system.parts)
    return next((block for block in blocks if isinstance(block, FmuBlock) and block.description.fmi == 3), None)


def check_for_osp(system: System) -> None:
    """Raise ExportError for FMUs that the Open Simulation Platform does not load."""
    for part in system.parts:
        if isinstance(part.component, FmuBlock):
            model, file = part.component.description.model, part.component.file
            if part.component.description.fmi == 3:
                raise ExportError(
                    f"component '{part.path}' ({file}) is of FMI {model.fmiVersion}; the Open Simulation Platform "
                    f"loads FMUs of FMI 1.0 and FMI 2.0 only: export an SSP for other tools"
                )
            if model.coSimulation is None:
                raise ExportError(
                    f"component '{part.path}' ({file}) offers Model Exchange only; the Open Simulation Platform "
                    f"co-simulates: it has to be exported for Co-Simulation, too"
                )


def check_values_for_osp(exported: Exported) -> None:
    """Raise ExportError for values that the Open Simulation Platform cannot set."""
    for part in exported.parts:
        for variable in part.parameters if part.block else ():
            if variable.kind not in ("Real", "Integer", "Boolean", "String"):
                raise ExportError(
                    f"component '{part.part.path}' ({part.block.file if part.block else ''}): {variable.name} was set, "
                    f"and libcosim sets no variables of type {variable.kind}: export an SSP for other tools, or an FMU "
                    f"that begins with this value"
                )


def check_parameters(exported: Exported) -> None:
    """Raise ExportError for a parameter of an FMU that is fed by an output, which neither SSP nor OSP can express."""
    for link in _links(exported):
        if link.input.variable.causality in PARAMETERS and link.output.variable.causality != "calculatedParameter":
            raise ExportError(
                f"{_source(link)} is an output and feeds {_sink(link)}, a parameter of its FMU; systems of FMUs "
                f"connect outputs to inputs only: set the parameter to a value"
            )


def caution_of_parameters(exported: Exported) -> None:
    """Warn of what an SSP says of parameters of FMUs and not every reader takes from it."""
    driven = [
        f"{wire.source.port} to {_sink(link)}"
        for wire in exported.system.wires
        if wire.source.part is None
        for link in exported.links(wire)
        if link.input.variable.causality in PARAMETERS and link.sink is not None and link.sink.block
    ]
    if driven:
        warn(
            f"inputs of the system that are parameters of FMUs there: {_some(driven)}. read_ssp makes values of them, "
            f"and inputs no more"
        )


def caution(exported: Exported, step: float, *, own_steps: bool, enumerations: bool) -> None:
    """Warn of what a system of FMUs from elsewhere does not carry, or not into every tool.

    own_steps: whether FMUs may be stepped at multiples of the communication step. enumerations: whether the
    tools read their values.
    """
    blocks = [(part.name, part.block) for part in exported.parts if part.block is not None]
    once: set[str] = set()
    for name, block in blocks:
        settings = block.description.settings(block.used_interface)
        own = float(block.values["communication_step"])
        if not (near(own, step) or (own_steps and near(own / step, max(1, round(own / step))))):
            warn(
                f"{name} will be stepped every {step:g} s, the communication step of the system, not every {own:g} s "
                f"as here: communication_step=… is the one for all"
            )
        if float(block.values["communication_offset"]):
            warn(f"{name} will be stepped from the start: systems have no place for its communication_offset")
        if block.description.model.coSimulation is None:
            warn(f"{name} ({block.file}) offers Model Exchange only: tools that co-simulate refuse it")
        if settings.canBeInstantiatedOnlyOncePerProcess and block.description.package.checksum in once:
            warn(f"{name} ({block.file}) can be instantiated only once in a process, and is used more than once")
        once.add(block.description.package.checksum)
    _caution_of_aliases(exported)
    set_in_fmi_1 = [f"{part.name}.{variable.name}" for part in exported.parts if part.block is not None
                    and part.block.description.fmi == 1 for variable in part.parameters]  # fmt: skip
    if set_in_fmi_1 and not own_steps:
        warn(
            f"{_some(set_in_fmi_1)}: set in FMUs of FMI 1.0, whose values in an SSP libcosim (libcosimpy 0.0.6) passes "
            f"over; an OSP system has them for it"
        )
    if not own_steps:
        _caution_of_units(exported)
    if not enumerations:
        named = {part.name: v.name for part in exported.parts if part.block for v in part.parameters
                 if v.kind == "Enumeration"}  # fmt: skip
        if named:
            texts = ", ".join(f"{part}.{variable}" for part, variable in named.items())
            warn(f"{texts}: an enumeration that was set; libcosim, Ecos and OMSimulator 3 refuse sets with one")
    mixed = list(_mixed(exported))
    if mixed:
        warn(f"connections between types, which here are all numbers, and which tools may refuse: {_some(mixed)}")


def _caution_of_aliases(exported: Exported) -> None:
    """Of what FMPy 0.3.32, libcosimpy 0.0.6 and Ecos 0.7.2 pass over in FMUs of FMI 1.0."""
    negated = {
        f"{part.name}.{member.name}": None
        for link in _links(exported)
        for part, end in ((link.source, link.output), (link.sink, link.input))
        if part is not None and part.block is not None
        for source in part.block.face.sources.values()
        for member in source.members
        if is_negated(member) and member.name == end.variable.name
    }
    if negated:
        warn(
            f"connections with negated aliases of FMI 1.0, which FMPy, libcosim and Ecos give with the sign of what "
            f"they are aliases of: {_some(list(negated))}"
        )


def _caution_of_units(exported: Exported) -> None:
    changing = [f"{_source(link)} to {_sink(link)}" for link in _links(exported) if link.change != (1.0, 0.0)]
    if changing:
        warn(
            f"connections that change units, by linear transformations that FMPy and OMSimulator 2 pass over: "
            f"{_some(changing)}"
        )


def caution_of_boundary(structure: bytes) -> None:
    """Warn of connectors of the system that OMSimulator 2 ends at."""
    system = ET.fromstring(structure).find("ssd:System", NAMESPACES)
    assert system is not None
    components = {node.get("name") for node in system.iterfind("ssd:Elements/*", NAMESPACES)}
    names = [node.get("name", "") for node in system.iterfind("ssd:Connectors/*", NAMESPACES)]
    refused = [name for name in names if not name.isidentifier() or name in components]
    if refused:
        warn(
            f"connectors of the system that have indices, or the name of a component: {_some(refused)}. OMSimulator 2 "
            f"does not open the file; boundary=False (--no-boundary) leaves inputs and outputs out"
        )


def near(a: float, b: float) -> bool:
    """Equal but for rounding."""
    return abs(a - b) <= 1e-9 * max(abs(a), abs(b))


def _mixed(exported: Exported) -> Iterable[str]:
    """Connections of which the ends are not both real, or not of one type."""
    for link in _links(exported):
        kinds = (link.output.variable.kind, link.input.variable.kind)
        if kinds[0] != kinds[1] and not all(kind in _CONTINUOUS for kind in kinds):
            yield f"{_source(link)} ({kinds[0]}) to {_sink(link)} ({kinds[1]})"


def _links(exported: Exported) -> Iterable[Link]:
    """The connections between parts, element by element."""
    for wire in exported.system.wires:
        if wire.source.part is not None:
            yield from exported.links(wire)


def _source(link: Link) -> str:
    assert link.source is not None
    return f"{link.source.name}.{link.output.variable.name}"


def _sink(link: Link) -> str:
    assert link.sink is not None
    return f"{link.sink.name}.{link.input.variable.name}"


def _some(texts: list[str]) -> str:
    more = f" and {len(texts) - 3} more" if len(texts) > 3 else ""
    return ", ".join(texts[:3]) + more
