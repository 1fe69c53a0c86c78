"""Inputs, wires and outputs of a diagram from a file: each by itself where not all go together."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from blocks.diagram import Diagram
from blocks.errors import KeelblocksError, ScenarioError
from blocks.model.component import Component
from blocks.model.diagram import Source
from blocks.model.wiring import disagreement
from blocks.replacement import Span
from blocks.scenario.model import DiagramEntry
from blocks.scenario.unbuilt import Unbuilt
from blocks.yaml.locating import respelt
from blocks.yaml.places import ItemPath
from blocks.yaml.reading import Document


@dataclass
class Wires:
    """Wires the diagrams of one file; what is wrong goes to `faults`.

    A wire of which one end is misspelt is drawn to what was probably meant, and one that leads nowhere from an
    `Unbuilt`, so that nobody complains of what follows from it.
    """

    document: Document
    faults: list[ScenarioError]
    unsure: list[tuple[Diagram, str, str]] = field(default_factory=list)
    """Sinks that could not be found: an input of this name, of that component if it is one, may have been meant."""

    def add(self, diagram: Diagram, entry: DiagramEntry, item: ItemPath, path: str) -> None:
        """Inputs, connections and outputs of a diagram whose components are there."""
        for name, sinks in entry.inputs.items():
            try:
                diagram.inputs(**{name: sinks})
            except KeelblocksError as fault:
                self._input(diagram, name, sinks, fault, _At(self, (*item, "inputs", name), path))
        for source, sinks in entry.connections.items():
            try:
                diagram.connect(source, *sinks)
            except KeelblocksError:
                self._connection(diagram, source, sinks, _At(self, (*item, "connections", source), path))
        for name, port in entry.outputs.items():
            try:
                diagram.outputs(**{name: port})
            except KeelblocksError as fault:
                self._output(diagram, name, port, fault, _At(self, (*item, "outputs", name), path))

    def _input(self, diagram: Diagram, name: str, sinks: list[str], fault: KeelblocksError, at: _At) -> None:
        found = {}
        before = len(self.faults)
        for number, sink in enumerate(sinks):
            meant = self._meant(diagram._sink, sink, at.item_of(number), at)
            if meant is None:
                self._lose(diagram, sink)
            elif diagram._sink(meant) not in found:
                found[diagram._sink(meant)] = meant
        with contextlib.suppress(KeelblocksError):
            diagram.inputs(**{name: list(found.values())})
        if name not in diagram.boundary_inputs:
            diagram._inputs[name] = (Unbuilt().input_port(name),)
            for end in found:
                diagram.wires.setdefault(end, Source(Unbuilt(name=diagram.name), name))
        if len(self.faults) == before:
            at.note(fault, at.item, key=fault.code == "bad-name")

    def _connection(self, diagram: Diagram, source: str, sinks: list[str], at: _At) -> None:
        start = self._meant(diagram._source, source, at.item, at, key=True)
        for number, sink in enumerate(sinks):
            item = at.item_of(number)
            meant = self._meant(diagram._sink, sink, item, at)
            if meant is None:
                self._lose(diagram, sink)
                continue
            end = diagram._sink(meant)
            try:
                if start is not None:
                    diagram.connect(start, meant)
            except KeelblocksError as fault:
                at.note(fault, item)
                self._take_back(diagram, str(start), *end)
            name, _, port = source.partition(".")
            diagram.wires.setdefault(end, Source(Unbuilt(name=name), port or "y"))

    def _output(self, diagram: Diagram, name: str, port: str, fault: KeelblocksError, at: _At) -> None:
        meant = self._meant(diagram._source, port, at.item, at)
        if meant == port:
            at.note(fault, at.item, key=fault.code == "bad-name")
        with contextlib.suppress(KeelblocksError):
            if meant is not None:
                diagram.outputs(**{name: meant})
                return
        diagram._outputs[name] = Unbuilt().port(name)

    def _meant(self, find: Callable[[str], Any], text: str, item: ItemPath, at: _At, key: bool = False) -> str | None:
        """A port as it is written, or as it was probably meant; None if that cannot be told."""
        for attempt in range(3):  # component, port, element
            try:
                find(text)
            except KeelblocksError as fault:
                if attempt == 0:
                    at.note(fault, item, key=key)
                change = (
                    respelt(text, Span(0, len(text)), fault.wrong, fault.near[0], fault.code != "unknown-block")
                    if fault.near
                    else None
                )
                if change is None:
                    return None
                text = text[: change.span.start] + change.text + text[change.span.end :]
            else:
                return text
        return None

    def _lose(self, diagram: Diagram, sink: str) -> None:
        component, _, port = re.sub(r"\[.*", "", sink).partition(".")
        known = component if component in diagram.components else ""
        port = port if not known else ""
        self.unsure.append((diagram, known, port))

    def _take_back(self, diagram: Diagram, source: str, component: Component, port: str) -> None:
        """A wire ends where it cannot: another input of the component, to which it could lead, may have been meant."""
        signal = diagram._source_signal(diagram._source(source))
        for name, other in component.input_ports.items():
            if name != port and other.signal.unit is not None and not disagreement(signal, other.signal):
                self.unsure.append((diagram, component.name, name))

    def is_unsure(self, component: Component, port: str) -> bool:
        """Whether a wire that leads nowhere may have been meant for an input."""
        return any(
            diagram is component.parent and name in ("", component.name) and meant in ("", port)
            for diagram, name, meant in self.unsure
        )


@dataclass
class _At:
    """An entry of the file, and how errors about it are told."""

    wires: Wires
    item: ItemPath
    path: str
    """Of the diagram that it is in: "plant.", or "" for the outermost one."""

    def item_of(self, number: int) -> ItemPath:
        """The place of one of several ports, which may stand there as a single text."""
        item = (*self.item, number)
        return item if item in self.wires.document else self.item

    def note(self, fault: KeelblocksError, item: ItemPath, key: bool = False) -> None:
        """Tell of an error, with dotted names as they are seen from the outermost diagram."""
        inside = f"in '{self.path[:-1]}': " if self.path else ""
        found = self.wires.document.located(fault, item, inside, key=key)
        problems = tuple(
            replace(problem, block=f"{self.path}{problem.block}") if problem.block else problem
            for problem in found.problems
        )
        self.wires.faults.append(ScenarioError(str(found), problems=problems))
