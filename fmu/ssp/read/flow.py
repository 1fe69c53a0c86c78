"""Which values come to which component before a run, and which of its variables have to be ports.

A value of a parameter set goes along connections to the parameters and inputs that it means, which keep it. What an
FMU calculates of its parameters is only known when a run begins: it goes by wires, and a parameter that is at the
other end becomes an input.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from blocks.errors import FmuError, did_you_mean
from fmu.foreign.units import ANY
from fmu.identifiers import resolve
from fmu.ssp.read.fmus import Fmus
from fmu.ssp.read.package import Package
from fmu.ssp.read.parameters import Given, Values, values_of
from fmu.ssp.read.structure import PARAMETERS, ComponentNode, Connection, Element, Endpoint, SystemNode

Path = tuple[str, ...]
"""Names of elements from below the outermost system."""
_HIDDEN = ("calculatedParameter", "local", "constant")
"""Kinds of sources that an FMU does not show as outputs."""


@dataclass
class Flow:
    """What `flow_of` finds, by the paths of components and systems."""

    values: dict[Path, Values] = field(default_factory=dict)
    ports: dict[Path, list[str]] = field(default_factory=dict)
    """Variables that are ports besides inputs and outputs."""
    wired: dict[Path, set[str]] = field(default_factory=dict)
    """Parameters of systems and components that get their values by wires."""


def flow_of(system: SystemNode, package: Package, fmus: Fmus) -> Flow:
    """Follow all values from the outermost system. Raises FmuError."""
    tracer = _Tracer(package, fmus, Flow())
    tracer.visit(system, (), {}, set())
    return tracer.flow


@dataclass(frozen=True)
class _Tracer:
    package: Package
    fmus: Fmus
    flow: Flow

    def visit(self, element: Element, path: Path, outer: Values, wired: set[str]) -> None:
        """`outer`: values from around it; `wired`: its parameters that get theirs by wires."""
        values: Values = {}
        for binding in element.bindings:  # later ones over earlier ones, outer ones over all of them
            values |= values_of(binding)
        values |= outer
        values = {name: given for name, given in values.items() if name not in wired}
        self.flow.values[path], self.flow.wired[path] = values, wired
        if isinstance(element, ComponentNode):
            self.port(path, *sorted(wired))
        elif isinstance(element, SystemNode):
            self.inside(element, path, values, wired)

    def inside(self, system: SystemNode, path: Path, values: Values, wired: set[str]) -> None:
        for connection in system.connections:
            source = connection.source.element
            hidden = system.connector(connection.source).kind in _HIDDEN and not self.is_static(system, connection)
            if hidden and source is not None and isinstance(system.elements[source], ComponentNode):
                self.port((*path, source), connection.source.connector)
        for name, child in system.elements.items():
            inner = {key.removeprefix(f"{name}."): v for key, v in values.items() if key.startswith(f"{name}.")}
            by_wire = set()
            for connection in system.connections:
                if connection.sink.element != name:
                    continue
                self.check(system, connection, child, path)
                given = self.static(system, connection, path, values)
                if given is not None:
                    _add(inner, connection, given)
                elif self.by_wire(system, connection, wired):
                    if system.connector(connection.sink).kind == "structuralParameter":
                        raise self.error(system, connection, "a structural parameter has to be known before a run")
                    by_wire.add(connection.sink.connector)
            self.visit(child, (*path, name), inner, by_wire)

    def check(self, system: SystemNode, connection: Connection, child: Element, path: Path) -> None:
        """Raise FmuError for a connection to a parameter that the FMU does not have."""
        name = connection.sink.connector
        if isinstance(child, ComponentNode) and system.connector(connection.sink).kind in PARAMETERS:
            known = self.fmus.variables(child, ".".join((*path, child.name)))
            if name not in known and resolve(name, set(known)) is None:
                near = [key for key, (_, member) in known.items() if member.causality in PARAMETERS]
                raise self.error(
                    system, connection, f"the FMU of '{child.name}' has no such parameter{did_you_mean(name, near)}"
                )

    def is_static(self, system: SystemNode, connection: Connection) -> bool:
        """Whether a constant goes to a parameter, which then has its value before any run."""
        sink = connection.sink
        return (
            system.connector(connection.source).kind == "constant"
            and sink.element is not None
            and system.connector(sink).kind in PARAMETERS
        )

    def by_wire(self, system: SystemNode, connection: Connection, wired: set[str]) -> bool:
        """Whether a parameter gets its value by a wire: from an element, or from outside in the same way."""
        if system.connector(connection.sink).kind not in PARAMETERS:
            return False
        return connection.source.element is not None or connection.source.connector in wired

    def static(
        self, system: SystemNode, connection: Connection, path: Path, values: Values
    ) -> tuple[Given, ...] | None:
        """The values at the source of a connection, as they come to its sink; None if it is no matter of values."""
        source = connection.source
        if source.element is None:
            return _through(values.get(source.connector, ()), system, connection) or None
        if self.is_static(system, connection):
            constant = self.constant(system, source, path)
            return None if constant is None else _through((constant,), system, connection)
        return None

    def constant(self, system: SystemNode, end: Endpoint, path: Path) -> Given | None:
        """The value of a constant of an FMU, however deep it lies; None for one that a wire has to bring."""
        assert end.element is not None
        element, where = system.elements[end.element], (*path, end.element)
        if isinstance(element, ComponentNode):
            found = self.fmus.variables(element, ".".join(where)).get(end.connector)
            start = found[0].start() if found else None
            if found is None or start is None:
                return None
            variable, member = found
            at = variable.members.index(member)
            texts = start if len(variable.members) == 1 else [start[at]]
            unit = variable.conversions[at] if variable.conversions else ANY
            shape = variable.shape if len(variable.members) == 1 else ()
            return Given(tuple(_text(text) for text in texts), variable.kind, unit, element.source, shape=shape)
        if isinstance(element, SystemNode):
            for connection in element.connections:
                if connection.sink == Endpoint(None, end.connector) and connection.source.element is not None:
                    inner = self.constant(element, connection.source, where)
                    return None if inner is None else inner.through(
                        element.connector(connection.source).unit, connection.stages
                    )  # fmt: skip
        return None

    def port(self, path: Path, *names: str) -> None:
        known = self.flow.ports.setdefault(path, [])
        known += [name for name in names if name not in known]

    def error(self, system: SystemNode, connection: Connection, text: str) -> FmuError:
        return self.package.error(
            f"the connection from {connection.source} to {connection.sink} in system '{system.name}': {text}"
        )


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _through(given: tuple[Given, ...], system: SystemNode, connection: Connection) -> tuple[Given, ...]:
    """Values that go along a connection, or the one of an element of an array."""
    source, sink = connection.source, connection.sink
    unit = system.connector(source).unit
    found = []
    for item in given:
        if source.indices and item.indices and item.indices != source.indices:
            continue
        taken = () if item.indices else source.indices
        indices = sink.indices or (() if source.indices else item.indices)
        if taken and item.taken:
            continue
        found.append(replace(item.through(unit, connection.stages), taken=taken or item.taken, indices=indices))
    return tuple(found)


def _add(values: Values, connection: Connection, given: tuple[Given, ...]) -> None:
    """Take values for a connector, or for single elements of it besides those that are there."""
    name = connection.sink.connector
    values[name] = (*values.get(name, ()), *given) if connection.sink.indices else given
