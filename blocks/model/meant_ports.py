"""Which ports were probably meant, where a whole block is given in the place of one of its ports."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from blocks.errors import WiringError, shown
from blocks.model import wiring
from blocks.model.component import Component, PortRef

_SHOWN = 3


class HasComponents(Protocol):
    """A diagram, as far as it has to be known here."""

    @property
    def components(self) -> Mapping[str, Component]:
        """What it holds, by name."""

    @property
    def input_ports(self) -> Mapping[str, object]:
        """Its own inputs, by name."""

    @property
    def wires(self) -> Mapping[tuple[Component, str], object]:
        """Where each connected input reads."""


End = PortRef | Component
"""A port, or a block of which no port was named."""


def check_ports(diagram: HasComponents, source: object, sinks: Sequence[object]) -> None:
    """Raise WiringError if an end of a wire is neither a port nor text; for a block with the ports that fit."""
    home: object = diagram
    ends = [_end(diagram, given, number == 0) for number, given in enumerate((source, *sinks))]
    for given, end in zip((source, *sinks), ends, strict=True):
        if not isinstance(given, (str, PortRef, Component)):
            raise WiringError(
                f"{shown(given)} is not a port; a wire joins ports, such as vessel.eta or 'vessel.eta'", code="bad-name"
            )
        if isinstance(end, Component) and isinstance(given, Component) and end.parent is not home:
            where = "is in no diagram; add it first" if end.parent is None else "is in another diagram"
            raise WiringError(f"{end.path or type(end).__name__} {where}", code="bad-name")
    first, *others = ends
    for sink, given in zip(others, sinks, strict=True):
        if first is not None and sink is not None and (isinstance(first, Component) or isinstance(sink, Component)):
            named = source if isinstance(first, Component) else given
            raise _whole(diagram, first, sink, named if isinstance(named, str) else "")


def _end(diagram: HasComponents, given: object, source: bool) -> End | None:
    """A port or a block; None for what is neither, or a name that is looked up elsewhere."""
    if isinstance(given, (PortRef, Component)):
        return given
    if not isinstance(given, str) or (source and given in diagram.input_ports):
        return None
    if given in diagram.components:
        return diagram.components[given]
    name, _, port = given.partition("[")[0].partition(".")
    component = diagram.components.get(name)
    if component is None:
        return None
    return component.port(port) if component.find_input(port) or component.find_output(port) else None


def _whole(diagram: HasComponents, source: End, sink: End, text: str) -> WiringError:
    """A block was given for a port, perhaps by the text of its name."""
    blocks = [end.name for end in (source, sink) if isinstance(end, Component)]
    fitting = sorted(_pairs(diagram, source, sink), key=lambda pair: -pair[0])[:_SHOWN]
    best = [pair for pair in fitting if pair[0] >= fitting[0][0] - 1]
    if text:
        ports = dict.fromkeys(str(a if isinstance(source, Component) else b) for _, a, b in best)
        said = f"'{text}' is not a port; write it as component.port or component.port[element]"
        hint = f"did you mean {' or '.join(map(repr, ports))}?" if ports else ""
        return WiringError(said, code="bad-name", block=blocks[0], hint=hint)
    if best:
        hint = "did you mean " + " or ".join(f"connect({a}, {b})" for _, a, b in best) + "?"
    else:
        has = [_ports(end, outputs) for end, outputs in ((source, True), (sink, False)) if isinstance(end, Component)]
        hint = f"no output of the one fits a free input of the other: {'; '.join(has)}"
    are = "are blocks" if len(blocks) == 2 else "is a block"
    return WiringError(
        f"cannot connect {_called(source)} to {_called(sink)}: {' and '.join(blocks)} {are}, and a wire joins ports",
        code="bad-name",
        block=blocks[0],
        hint=hint,
    )


def _pairs(diagram: HasComponents, source: End, sink: End) -> Iterator[tuple[int, PortRef, PortRef]]:
    """Outputs and inputs that fit each other, with how likely they are meant for each other."""
    starts = [source] if isinstance(source, PortRef) else [source.port(name) for name in source.output_ports]
    ends = [sink] if isinstance(sink, PortRef) else [sink.input_port(name) for name in sink.inputs_to_name()]
    for start in starts:
        for end in ends:
            if (end.block, end.name) in diagram.wires or wiring.disagreement(start.signal, end.signal):
                continue
            known = start.signal.unit is not None and end.signal.unit is not None
            exact = known and start.signal == end.signal
            yield 4 * (start.name == end.name) + 2 * exact + known, start, end


def _ports(component: Component, outputs: bool) -> str:
    names = list(component.output_ports if outputs else component.input_ports)
    kind = "outputs" if outputs else "inputs"
    return f"{component.name} has the {kind} {', '.join(names)}" if names else f"{component.name} has no {kind}"


def _called(end: End) -> str:
    return str(end) if isinstance(end, PortRef) else end.name
