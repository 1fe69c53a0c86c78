"""Diagram: blocks plus wires. Add, connect, replace, nest; every check on wiring starts here."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, TypeVar

from blocks.errors import WiringError, did_you_mean
from blocks.model import wiring
from blocks.model.block import Block
from blocks.model.component import Component, PortRef
from blocks.model.declare import Input, Output
from blocks.model.meant_ports import check_ports

C = TypeVar("C", bound=Component)
Reference = PortRef | str

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_LONGEST = 200
DEEPEST = 32
"""How deep diagrams may be nested: as text, which may be four times as deep, they can be read again."""
_REFERENCE = re.compile(r"(?P<port>[A-Za-z_][A-Za-z0-9_.]*)(\[(?P<element>[^\]]+)\])?\Z")


@dataclass(frozen=True)
class Source:
    """Where a wire starts: an output of a component, or an input of the diagram itself (component None)."""

    component: Component | None
    port: str
    start: int | None = None
    stop: int | None = None


Sink = tuple[Component, str]


class Diagram(Component):
    """What a diagram is, without what it is asked for: see `blocks.diagram.Diagram`, which everybody imports."""

    def __init__(self, name: str = "", *, title: str = "", doc: str = "") -> None:
        if name:
            _check_name(name, "a diagram")
        self.own_name = name
        self.name = name
        self.title = title
        self.default_experiment: tuple[float, float] | None = None
        """Start and end in s of the file that the diagram was read from, for the next such file."""
        self.doc = doc
        self.components: dict[str, Component] = {}
        self.wires: dict[Sink, Source] = {}
        self.layout: dict[str, tuple[int, int]] = {}
        """Where components were put by hand: column and row of the drawing's grid, by name. It changes no run."""

        self._inputs: dict[str, tuple[PortRef, ...]] = {}
        self._outputs: dict[str, PortRef] = {}

    # --- composition -----------------------------------------------------------------------------------------------

    def add(self, name: str, component: C) -> C:
        """Add a block or a diagram under a name and return it."""
        _check_name(name, "a component")
        if name in self.components:
            raise WiringError(f"{self._called()} already has a component '{name}'; use replace to exchange it")
        self._check_can_hold(component)
        self.components[name] = component
        component.name, component.parent = name, self
        return component

    def _check_can_hold(self, component: Component) -> None:
        """Raise WiringError if a component is part of a diagram already, or would contain itself."""
        if not isinstance(component, Component):
            raise WiringError(f"{component!r} is neither a block nor a diagram")
        if component.parent is not None:
            raise WiringError(
                f"this {type(component).__name__} is already part of a diagram as '{component.path}'; "
                f"add a copy() of it"
            )
        if self._is_within(component):
            raise WiringError(f"{self._called()} cannot contain itself")
        if isinstance(component, Diagram) and self._level() + component._height() > DEEPEST:
            raise WiringError(
                f"{self._called()} cannot hold {component._called()}: diagrams nest {DEEPEST} deep at most; "
                f"add what is inside one level further out"
            )

    def _is_within(self, component: Component) -> bool:
        """Whether this diagram is a component or stands in it."""
        here: Component | None = self
        while here is not None and here is not component:
            here = here.parent
        return here is component

    def _level(self) -> int:
        """How many diagrams this one is in, with itself."""
        return 1 if self.parent is None else 1 + self.path.count(".") + 1

    def _height(self) -> int:
        """How many diagrams are nested in this one, with itself."""
        inner = [item._height() for item in self.components.values() if isinstance(item, Diagram)]
        return 1 + max(inner, default=0)

    def connect(self, source: Reference, *sinks: Reference) -> None:
        """Wire one source to one or more sinks: ports (`vessel.eta`) or their names ("vessel.eta", "vessel.eta[psi]").

        Raises WiringError if a name is unknown, if a sink has a source already, or if shape, unit, frame or labels
        differ.
        """
        if not sinks:
            raise WiringError(f"connect {source}: at least one sink is needed")
        check_ports(self, source, sinks)
        start = self._source(source)
        ends = [self._sink(sink) for sink in sinks]
        counts = Counter(ends)
        for end in ends:
            if end in self.wires or counts[end] > 1:
                taken = self._source_text(self.wires[end]) if end in self.wires else str(source)
                raise _double_feed(end, taken)
        signal = self._source_signal(start)
        for component, port in ends:
            sink = component.input_port(port).signal
            hint = start.component.unit_hint(start.port, sink) if start.component else ""
            wiring.check(signal, sink, self._source_text(start), _sink_text((component, port)), hint)
        for end in ends:
            self.wires[end] = start

    def disconnect(self, sink: Reference) -> None:
        """Remove the wire that ends at an input."""
        end = self._sink(sink)
        if end not in self.wires:
            raise WiringError(f"{_sink_text(end)} is not connected")
        source = self.wires[end]
        if source.component is None:
            left = tuple(ref for ref in self._inputs[source.port] if (ref.block, ref.name) != end)
            if not left:
                raise WiringError(
                    f"{_sink_text(end)} is all that input '{source.port}' of {self._called()} leads to; "
                    f"it stays connected; feed_input('{source.port}', …) puts a source in its place"
                )
            self._inputs[source.port] = left
        del self.wires[end]

    def inputs(self, **sinks: Reference | Iterable[Reference]) -> None:
        """Declare inputs of the diagram: `inputs(command=thrusters.command)`, with one or several sinks each."""
        found: dict[str, list[Sink]] = {}
        fed: dict[Sink, str] = {}
        for name, given in sinks.items():
            _check_boundary_name(name, "an input")
            many = [given] if isinstance(given, (PortRef, str)) else list(given)
            if not many:
                raise WiringError(f"input '{name}' of {self._called()} needs at least one sink")
            if name in self._inputs:
                raise WiringError(f"{self._called()} already has an input '{name}'")
            ends = [self._sink(sink) for sink in many]
            counts = Counter(ends)
            for end in ends:
                if end in self.wires or end in fed or counts[end] > 1:
                    taken = self._source_text(self.wires[end]) if end in self.wires else fed.get(end, f"input '{name}'")
                    raise _double_feed(end, taken)
            first = ends[0][0].input_port(ends[0][1]).signal
            for component, port in ends[1:]:
                wiring.check(first, component.input_port(port).signal, f"input '{name}'", f"{component.name}.{port}")
            found[name] = ends
            fed |= dict.fromkeys(ends, f"input '{name}'")
        for name, ends in found.items():
            self._inputs[name] = tuple(c.input_port(p) for c, p in ends)
            for end in ends:
                self.wires[end] = Source(None, name)

    def feed_input(self, name: str, source: PortRef) -> None:
        """Let a source inside the diagram take the place of one of its inputs."""
        start = self._source(source)
        if name not in self._inputs:
            raise WiringError(
                f"{self._called()} has no input '{name}'", code="unknown-input", wrong=name, valid=self._inputs
            )
        signal = self._source_signal(start)
        ends = [sink for sink, old in self.wires.items() if old.component is None and old.port == name]
        for component, port in ends:
            wiring.check(signal, component.input_port(port).signal, str(source), _sink_text((component, port)))
        for end in ends:
            self.wires[end] = replace(start, start=self.wires[end].start, stop=self.wires[end].stop)
        del self._inputs[name]

    def outputs(self, **sources: Reference) -> None:
        """Declare outputs of the diagram: `outputs(eta=vessel.eta)`."""
        found: dict[str, PortRef] = {}
        for name, given in sources.items():
            _check_boundary_name(name, "an output")
            if name in self._outputs:
                raise WiringError(f"{self._called()} already has an output '{name}'")
            start = self._source(given)
            if start.component is None:
                raise WiringError(f"output '{name}' of {self._called()} must come from a block, not from an input")
            found[name] = self._port_ref(start)
        self._outputs |= found

    # --- looking around --------------------------------------------------------------------------------------------

    def __getitem__(self, path: str) -> Component:
        """A component by its dotted name: `diagram["plant.vessel"]`."""
        owner, name = self._owner(path)
        return owner.components[name]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or "components" not in self.__dict__:
            raise AttributeError(name)
        if name in self._outputs or name in self._inputs:
            return self.port(name)
        if name in self.components:
            return self.components[name]
        valid = [*self._inputs, *self._outputs, *self.components]
        raise AttributeError(f"{self._called()} has no port or component '{name}'{did_you_mean(name, valid)}")

    @property
    def input_ports(self) -> Mapping[str, Input]:
        """The diagram's inputs; type, description and default are those of the first sink."""
        return {name: port for name in self._inputs if (port := self.find_input(name)) is not None}

    def find_input(self, name: str) -> Input | None:
        """One of the diagram's inputs, if there is one of this name."""
        refs = self._inputs.get(name)
        inner = refs[0].block.find_input(refs[0].name) if refs else None
        return inner and Input(inner.signal, inner.doc, default=inner.default, name=name)

    @property
    def output_ports(self) -> Mapping[str, Output]:
        """The diagram's outputs, typed as their sources."""
        return {name: port for name in self._outputs if (port := self.find_output(name)) is not None}

    def find_output(self, name: str) -> Output | None:
        """One of the diagram's outputs, if there is one of this name."""
        ref = self._outputs.get(name)
        inner = ref.block.find_output(ref.name) if ref else None
        return Output(ref.signal, inner.doc, name=name) if ref and inner else None

    @property
    def boundary_inputs(self) -> Mapping[str, tuple[PortRef, ...]]:
        """The sinks of each input."""
        return MappingProxyType(self._inputs)

    @property
    def boundary_outputs(self) -> Mapping[str, PortRef]:
        """The source of each output."""
        return MappingProxyType(self._outputs)

    def all_components(self) -> Iterable[Component]:
        """Every component in this diagram and below, outer ones first."""
        for component in self.components.values():
            yield component
            if isinstance(component, Diagram):
                yield from component.all_components()

    def blocks(self) -> Mapping[str, Block]:
        """Every block in this diagram and below, by its dotted name seen from here."""
        found: dict[str, Block] = {}
        for name, component in self.components.items():
            if isinstance(component, Diagram):
                found |= {f"{name}.{inner}": block for inner, block in component.blocks().items()}
            elif isinstance(component, Block):
                found[name] = component
        return found

    def connections(self) -> list[tuple[PortRef | str, list[PortRef]]]:
        """Every wire: its source (a port, or the name of an input of this diagram, "eta[psi]") and its sinks."""
        grouped: dict[Source, list[PortRef]] = {}
        for (component, port), source in self.wires.items():
            grouped.setdefault(source, []).append(component.input_port(port))
        return [(self._source_name(s), sinks) for s, sinks in grouped.items()]

    def _ipython_key_completions_(self) -> list[str]:
        return [item.path.removeprefix(f"{self.path}.") for item in self.all_components()]

    def __repr__(self) -> str:
        return f"<Diagram {self.own_name or self.name or 'without a name'}: {', '.join(self.components) or 'empty'}>"

    # --- names -----------------------------------------------------------------------------------------------------

    def _called(self) -> str:
        return f"diagram '{self.path or self.name}'" if self.path or self.name else "the diagram"

    def _owner(self, path: str) -> tuple[Diagram, str]:
        first, _, rest = path.partition(".")
        if first not in self.components:
            raise self._no_component(first)
        component = self.components[first]
        if not rest:
            return self, first
        if not isinstance(component, Diagram):
            raise WiringError(f"{first} is a block and has no component '{rest}'")
        return component._owner(rest)

    def _no_component(self, name: str) -> WiringError:
        return WiringError(
            f"no component '{name}' in {self._called()}",
            code="unknown-block",
            wrong=name,
            valid=self.components,
            block=name,
        )

    def _component_port(self, reference: Reference) -> PortRef:
        if isinstance(reference, PortRef):
            if reference.block.parent is not self:
                where = reference.block.path or type(reference.block).__name__
                raise WiringError(
                    f"{reference} does not belong to {self._called()}: {where} is "
                    + ("in no diagram; add it first" if reference.block.parent is None else "in another diagram")
                )
            return reference
        match = _REFERENCE.match(reference)
        if not match or "." not in match["port"]:
            raise WiringError(
                f"'{reference}' is not a port; write it as component.port or component.port[element]", code="bad-name"
            )
        name, _, port = match["port"].partition(".")
        if name not in self.components:
            raise self._no_component(name)
        if "." in port:
            raise WiringError(
                f"'{reference}' reaches into '{name}'; declare {port} as an input or output of it and connect that",
                code="reaches-inside",
                block=name,
            )
        ref = self.components[name].port(port)
        return _select(ref, match["element"]) if match["element"] else ref

    def _source(self, reference: Reference) -> Source:
        if isinstance(reference, str) and (match := _REFERENCE.match(reference)) and match["port"] in self._inputs:
            whole = self.input_port(match["port"])
            reference = _select(whole, match["element"]) if match["element"] else whole
        if isinstance(reference, PortRef) and reference.block is self and reference.direction == "input":
            return Source(None, reference.name, reference.start, reference.stop)
        ref = self._component_port(reference)
        if ref.direction != "output":
            raise _wrong_direction(ref, "is an input and cannot be a source", ref.block.output_ports)
        return Source(ref.block, ref.name, ref.start, ref.stop)

    def _sink(self, reference: Reference) -> Sink:
        ref = self._component_port(reference)
        if ref.block.find_input(ref.name) is None:
            raise _wrong_direction(ref, "is an output and cannot be a sink", ref.block.input_ports)
        if ref.start is not None:
            raise WiringError(f"{ref}: a wire ends at a whole input; build vectors with a Mux", code="part-of-input")
        return ref.block, ref.name

    def _port_ref(self, source: Source) -> PortRef:
        assert source.component is not None
        return _part(source.component.port(source.port), source)

    def _source_signal(self, source: Source) -> Any:
        if source.component is None:
            return _part(self.input_port(source.port), source).signal
        return self._port_ref(source).signal

    def _source_name(self, source: Source) -> PortRef | str:
        if source.component is not None:
            return self._port_ref(source)
        return f"{source.port}{_part(self.input_port(source.port), source).selection}"

    def _source_text(self, source: Source) -> str:
        name = self._source_name(source)
        return f"input '{name}'" if isinstance(name, str) else str(name)


def _wrong_direction(ref: PortRef, reason: str, valid: Iterable[str]) -> WiringError:
    return WiringError(
        f"{ref} {reason}", code="wrong-direction", wrong=ref.name, valid=valid, block=ref.block.name, port=ref.name
    )


def _double_feed(sink: Sink, taken: str) -> WiringError:
    return WiringError(
        f"{_sink_text(sink)} is already connected to {taken}; an input has one source: "
        f"disconnect {_sink_text(sink)} first, or let a Sum add the two",
        code="double-feed",
        block=sink[0].name,
        port=sink[1],
    )


def _check_name(name: str, what: str) -> None:
    if not isinstance(name, str) or not _NAME.match(name):
        raise WiringError(
            f"'{name}' cannot be the name of {what}: use letters, digits and underscores, and begin with a letter",
            code="bad-name",
        )
    if len(name) > _LONGEST:
        raise WiringError(
            f"the name of {what} has {len(name)} characters, and {_LONGEST} is the most: {name[:40]}…", code="bad-name"
        )


def _check_boundary_name(name: str, what: str) -> None:
    _check_name(name, what)
    if name == "time":
        raise WiringError(
            f"'time' cannot be the name of {what}: a result has its times under that name", code="bad-name"
        )


def _select(ref: PortRef, element: str) -> PortRef:
    if re.fullmatch(r"-?\d+", element):
        return ref[int(element)]
    if match := re.fullmatch(r"(-?\d+)?:(-?\d+)?", element):
        return ref[slice(*(int(part) if part else None for part in match.groups()))]
    return ref[element]


def _part(whole: PortRef, source: Source) -> PortRef:
    """The elements of a port that a wire takes."""
    if source.start is None or source.stop is None:
        return whole
    return whole[source.start] if source.stop == source.start + 1 else whole[source.start : source.stop]


def _sink_text(sink: Sink) -> str:
    return f"{sink[0].name}.{sink[1]}"
