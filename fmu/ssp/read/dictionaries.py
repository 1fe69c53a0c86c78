"""Signal dictionaries: what is written to an entry anywhere is led to wherever the entry is read.

Every reference to a dictionary shows the same signals, on whichever level it stands. So a connection from an entry is
one from what is connected to that entry, through connectors that are added to the systems in between.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from xml.etree import ElementTree as ET

from blocks.errors import FmuError, did_you_mean
from fmu.ssp.read.package import Package
from fmu.ssp.read.structure import (
    SSC,
    Connection,
    Connector,
    DictionaryNode,
    Element,
    Endpoint,
    SystemNode,
    bounded,
    dimension,
    read_enumerations,
    read_units,
)  # fmt: skip
from fmu.ssp.read.transformation import Stage, conversion_of

_SSB = "{http://ssp-standard.org/SSP1/SystemStructureSignalDictionary}"
DICTIONARY = f"{_SSB}SignalDictionary"

Path = tuple[str, ...]
"""Names of the systems from below the outermost one."""
Entry = tuple[Path, str, str]
"""Where its dictionary is defined, the name of that, and its own."""


def entries_of(top: ET.Element) -> dict[str, Connector]:
    """The entries of a <SignalDictionary>. Raises ValueError."""
    units, enumerations = read_units(top.find(f"{_SSB}Units")), read_enumerations(top.find(f"{_SSB}Enumerations"))
    found = {}
    for node in top.findall(f"{_SSB}DictionaryEntry"):
        name, kind, unit, items = node.get("name", ""), "", None, None
        shape = []
        for child in node:
            tag = child.tag.removeprefix(SSC)
            if tag == "Dimension":
                try:
                    shape.append(dimension(child.get("size", "")))
                    bounded(shape)
                except ValueError as problem:
                    raise ValueError(f"entry '{name}' has {problem}") from None
            elif tag != child.tag:
                kind, unit = tag, child.get("unit")
                items = enumerations.get(child.get("name", ""))
        found[name] = Connector(name, "inout", kind, conversion_of(unit, units), tuple(shape), items)
    return found


def without_dictionaries(system: SystemNode, package: Package) -> SystemNode:
    """The same system with connections in the place of references to dictionaries.

    Raises FmuError for a dictionary or an entry that there is not, and for an entry that is written twice.
    """
    resolver = _Resolver(package)
    resolver.collect(system, (), ())
    if not resolver.has_references:
        return system
    for path, connection in resolver.reading:
        resolver.lead(path, connection.source, connection.stages, _Sink(path, connection.sink), frozenset())
    return resolver.rebuilt(system, ())


@dataclass(frozen=True)
class _Written:
    """What is connected to an entry, in which system."""

    path: Path
    connection: Connection


@dataclass(frozen=True)
class _Sink:
    """A connector that reads an entry, and the system of the connection."""

    path: Path
    end: Endpoint


@dataclass
class _Resolver:
    package: Package
    systems: dict[Path, SystemNode] = field(default_factory=dict)
    scopes: dict[Path, tuple[tuple[Path, SystemNode], ...]] = field(default_factory=dict)
    """A system and those around it, inner ones first."""
    written: dict[Entry, dict[tuple[int, ...], _Written]] = field(default_factory=dict)
    reading: list[tuple[Path, Connection]] = field(default_factory=list)
    connections: dict[Path, list[Connection]] = field(default_factory=dict)
    connectors: dict[Path, dict[str, Connector]] = field(default_factory=dict)
    made: dict[tuple[Path, str, tuple[Path, Endpoint]], str] = field(default_factory=dict)
    """Names of added connectors: where, of which kind, for which source."""
    has_references: bool = False

    def collect(self, system: SystemNode, path: Path, around: tuple[tuple[Path, SystemNode], ...]) -> None:
        """All that is written to and read from dictionaries; other connections stay."""
        self.systems[path], self.scopes[path] = system, ((path, system), *around)
        self.connections[path], self.connectors[path] = [], dict(system.connectors)
        for element in system.elements.values():
            if isinstance(element, SystemNode):
                self.collect(element, (*path, element.name), self.scopes[path])
            elif isinstance(element, DictionaryNode):
                self.has_references = True
                for connector in element.connectors:
                    self.entry(path, Endpoint(element.name, connector))
        for connection in system.connections:
            if self.is_entry(path, connection.sink):
                entry = self.entry(path, connection.sink)
                others = self.written.setdefault(entry, {})
                indices = connection.sink.indices
                if indices in others or (others and () in (indices, *others)):
                    other = others.get(indices, next(iter(others.values()))).connection.source
                    raise self.error(
                        path, f"entry '{entry[2]}' of the signal dictionary '{entry[1]}' is written by "
                        f"{connection.source} and by {other}",
                    )  # fmt: skip
                others[indices] = _Written(path, connection)
            elif self.is_entry(path, connection.source):
                self.reading.append((path, connection))
            else:
                self.connections[path].append(connection)

    def is_entry(self, path: Path, end: Endpoint) -> bool:
        return end.element is not None and isinstance(self.systems[path].elements[end.element], DictionaryNode)

    def entry(self, path: Path, end: Endpoint) -> Entry:
        """The entry that a connector of a reference shows."""
        reference = self.systems[path].elements[str(end.element)]
        assert isinstance(reference, DictionaryNode)
        for where, system in self.scopes[path]:
            entries = system.dictionaries.get(reference.dictionary)
            if entries is not None:
                if end.connector not in entries:
                    raise self.error(
                        path, f"'{end}' shows no entry of the signal dictionary '{reference.dictionary}'"
                        f"{did_you_mean(end.connector, entries)}",
                    )  # fmt: skip
                return where, reference.dictionary, end.connector
        known = {name for _, system in self.scopes[path] for name in system.dictionaries}
        raise self.error(
            path, f"'{reference.name}' refers to the signal dictionary '{reference.dictionary}', which is not there"
            f"{did_you_mean(reference.dictionary, known)}",
        )  # fmt: skip

    def lead(self, path: Path, end: Endpoint, stages: tuple[Stage, ...], sink: _Sink, seen: frozenset[Entry]) -> None:
        """Connect what is written to an entry to a connector that reads it; without a writer nothing is connected."""
        if not self.is_entry(path, end):
            self.route(path, end, stages, sink, self.name_of(seen))
            return
        entry = self.entry(path, end)
        if entry in seen:
            raise self.error(path, f"entry '{entry[2]}' of the signal dictionary '{entry[1]}' is written by itself")
        shown = self.systems[entry[0]].dictionaries[entry[1]][entry[2]]
        for indices, written in self.written.get(entry, {}).items():
            source, target = written.connection.source, sink.end
            if indices and end.indices and indices != end.indices:
                continue
            if indices and not end.indices:
                target = replace(target, indices=indices)
            elif end.indices and not indices:
                source = replace(source, indices=end.indices)
            before = written.connection.stages
            before = (*before[:-1], replace(before[-1], into=shown.unit))
            self.lead(written.path, source, before + stages, _Sink(sink.path, target), seen | {entry})

    @staticmethod
    def name_of(entries: frozenset[Entry]) -> str:
        """Of a connector for a signal of these entries."""
        _, dictionary, name = min(entries)
        return f"{dictionary}_{name}"

    def route(self, start: Path, source: Endpoint, stages: tuple[Stage, ...], sink: _Sink, name: str) -> None:
        """Connect two connectors through the systems between them; the last connection does all that is to be done."""
        shared, stop = 0, sink.path
        while shared < min(len(start), len(stop)) and start[shared] == stop[shared]:
            shared += 1
        whole = self.systems[start].connector(source)
        if source.indices:
            whole = replace(whole, shape=())
        end, origin = source, (start, source)
        for depth in range(len(start), shared, -1):
            end = self.passed(start[:depth], end, origin, replace(whole, name=name, kind="output"))
        for depth in range(shared, len(stop)):
            end = self.passed(stop[: depth + 1], end, origin, replace(whole, name=name, kind="input"))
        self.connections[stop].append(Connection(end, sink.end, stages))

    def passed(self, path: Path, end: Endpoint, origin: tuple[Path, Endpoint], connector: Connector) -> Endpoint:
        """Through a connector of a system: from inside to outside for outputs, from outside to inside for inputs."""
        out = connector.kind == "output"
        key = (path, connector.kind, origin)
        if key not in self.made:
            name = connector.name
            while name in self.connectors[path]:
                name += "_"
            self.made[key] = name
            self.connectors[path][name] = replace(connector, name=name)
            inner, sink = (path, Endpoint(None, name)) if out else (path[:-1], Endpoint(path[-1], name))
            self.connections[inner].append(Connection(end, sink))
        return Endpoint(path[-1], self.made[key]) if out else Endpoint(None, self.made[key])

    def rebuilt(self, system: SystemNode, path: Path) -> SystemNode:
        elements: dict[str, Element] = {}
        for name, element in system.elements.items():
            if isinstance(element, SystemNode):
                elements[name] = self.rebuilt(element, (*path, name))
            elif not isinstance(element, DictionaryNode):
                elements[name] = element
        return replace(
            system, elements=elements, connections=tuple(self.connections[path]), connectors=self.connectors[path]
        )

    def error(self, path: Path, text: str) -> FmuError:
        names = (self.systems[()].name, *path)
        return self.package.error(f"system '{'.'.join(names)}': {text}")
