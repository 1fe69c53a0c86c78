"""A diagram without its FMUs: one model, ours, with inputs for what they give and outputs for what they get."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from blocks.diagram import Diagram
from blocks.model.component import Component, PortRef
from fmu.container.cautions import from_inputs
from fmu.container.parts import check_port
from fmu.container.stand_in import StandIn, stand_in
from fmu.foreign.importer import FmuBlock
from fmu.foreign.variables import Variable
from fmu.foreign.within import fmu_blocks


@dataclass(frozen=True)
class Wire:
    """A port of an FMU, and the input or output of the remainder that is connected with it."""

    path: str
    """Of the block in the diagram."""
    fmu_port: str
    """The port of the block."""
    variable: Variable
    """What the port is in the FMU."""
    port: str
    """Of the remainder."""


@dataclass
class Remainder:
    """What is left of a diagram."""

    diagram: Diagram
    blocks: dict[str, FmuBlock]
    """The FMUs, by their dotted names in the diagram."""
    given: list[Wire] = field(default_factory=list)
    """From outputs of FMUs to inputs of the remainder."""
    taken: list[Wire] = field(default_factory=list)
    """From outputs of the remainder to inputs of FMUs."""
    loops: list[tuple[str, str]] = field(default_factory=list)
    """From outputs of the remainder to inputs of it."""
    direct: dict[str, str] = field(default_factory=dict)
    """Inputs of the diagram that lead to an FMU as they are, by the output of the remainder that shows the same."""
    late: list[str] = field(default_factory=list)
    """Outputs of FMUs that follow inputs at once in `simulate`, and in a container at the end of a step."""
    first: list[str] = field(default_factory=list)
    """Outputs of FMUs that begin with what an input of the diagram has, where a block has its start value."""
    beginning: list[str] = field(default_factory=list)
    """What FMUs compute from inputs that are fed when they are initialized, in words."""
    shapes: dict[str, tuple[int, ...]] = field(default_factory=dict)
    """Of those of its inputs that are of no use outside."""
    shown: dict[str, str] = field(default_factory=dict)
    """What a port of an FMU is called, by the name of the variable that stands for it: "pump.flow.y": "pump.flow"."""

    @property
    def inner_ports(self) -> set[str]:
        """Inputs and outputs that nobody outside sees."""
        ends = {wire.port for wire in (*self.given, *self.taken)}
        return ends | {name for loop in self.loops for name in loop}


def remainder_of(diagram: Diagram, step: float, *, everything: bool) -> Remainder:
    """Cut the FMUs out of a copy of a diagram.

    step: the communication step, s. everything: whether outputs of FMUs that nothing takes are led through, too. Raises
    ExportError for a port that a container cannot connect.
    """
    whole = diagram.copy()
    found = Remainder(whole, fmu_blocks(whole))
    for path, block in found.blocks.items():
        owner, name = block.parent, block.name
        assert isinstance(owner, Diagram)
        taken = [port for port in block.input_ports if (block, port) in owner.wires]
        read = {source.port for source in owner.wires.values() if source.component is block}
        read |= {ref.name for ref in owner.boundary_outputs.values() if ref.block is block}
        given = [port for port in block.output_ports if port in read or (everything and _can_be_shown(block, port))]
        for port in (*taken, *given):
            check_port(path, block, port)
        found.late += [f"{path}.{port}" for port in given if {*block.feedthrough(port)} & {*taken}]
        direct = {port: start for port in taken if (start := _direct(whole, block, port))}
        at_once = [f"{path}.{p}" for p in given if {*super(FmuBlock, block).feedthrough(p)} & {*direct}]
        found.first += [output for output in at_once if output not in found.late]
        beginning = from_inputs(block, {*taken} - {*direct}) if given else ""
        found.beginning += [f"{path}: {beginning}"] if beginning else []
        made = stand_in(block, taken, given, step)
        owner.replace(name, made.diagram)
        _lead(found, path, block, made, path.replace(".", "_"))
        own = [wire for wire in found.taken if wire.path == path]
        found.direct |= {wire.port: direct[wire.fmu_port] for wire in own if wire.fmu_port in direct}
    return found


def _can_be_shown(block: FmuBlock, port: str) -> bool:
    """Whether there is anything in an output that nobody reads."""
    return block.face.sources[port].width > 0


def _direct(whole: Diagram, block: FmuBlock, port: str) -> str:
    """The input of the whole that leads to an input of an FMU, all of it and as a number of the same type and unit."""
    variable = block.face.sources[port]
    if variable.kind not in ("Real", "Float64") or any((c.scale, c.offset) != (1.0, 0.0) for c in variable.conversions):
        return ""
    inner: Component = block
    while True:
        owner = inner.parent
        assert isinstance(owner, Diagram)
        source = owner.wires.get((inner, port))
        if source is None or source.component is not None or source.start is not None:
            return ""
        if owner is whole:
            return source.port
        inner, port = owner, source.port


def _lead(found: Remainder, path: str, block: FmuBlock, made: StandIn, prefix: str) -> None:
    """Lead the ports of a stand-in that meet the FMU to the border of the whole."""
    whole = found.diagram
    for port, inner in made.to_fmu.items():
        name = _outwards(whole, f"{prefix}_{port}_taken", made.diagram.port(inner))
        found.taken.append(Wire(path, port, block.face.sources[port], name))
    for port, inner in made.from_fmu.items():
        variable = block.face.sources[port]
        name = _outwards(whole, f"{prefix}_{port}_given", made.diagram.input_port(inner))
        found.given.append(Wire(path, port, variable, name))
        found.shapes |= {name: variable.shape} if variable.shape else {}
        found.shown[f"{path}.{port}.y"] = f"{path}.{port}"
    for number, (out, back, shape) in enumerate(made.loops):
        start = _outwards(whole, f"{prefix}_loop{number}", made.diagram.port(out))
        end = _outwards(whole, f"{prefix}_loop{number}_back", made.diagram.input_port(back))
        found.loops.append((start, end))
        found.shapes |= {end: shape} if shape else {}


def _outwards(whole: Diagram, name: str, ref: PortRef) -> str:
    """Declare a port of every diagram around a component for a port of it; returns its name in the whole."""
    owner = ref.block.parent
    while True:
        assert isinstance(owner, Diagram)
        own = _free(name, (*owner.boundary_inputs, *owner.boundary_outputs, *owner.components))
        if ref.direction == "input":
            owner.inputs(**{own: ref})
        else:
            owner.outputs(**{own: ref})
        if owner is whole:
            return own
        ref = owner.input_port(own) if ref.direction == "input" else owner.port(own)
        owner = owner.parent


def _free(name: str, taken: Iterable[str]) -> str:
    found, number, known = name, 2, set(taken)
    while found in known:
        found, number = f"{name}_{number}", number + 1
    return found
