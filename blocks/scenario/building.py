"""From a scenario's structure to a diagram, with messages that name the line."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from blocks.block import Block, library
from blocks.declare import Value
from blocks.diagram import Diagram
from blocks.errors import KeelblocksError, ScenarioError, did_you_mean
from blocks.scenario.model import BlockEntry, DiagramEntry
from blocks.scenario.yaml_text import Document, Place
from blocks.text_parameter import FileParameter

Notation = WeakKeyDictionary[Block, dict[str, tuple[Any, Value]]]
"""How parameters are written in the file, and the values that this stands for."""


@dataclass
class Builder:
    """Builds one scenario's diagram."""

    document: Document
    folder: Path
    notation: Notation = field(default_factory=WeakKeyDictionary)

    def diagram(self, entry: DiagramEntry, place: Place, name: str, path: str = "") -> Diagram:
        """The diagram that stands at a place of the file."""
        diagram = Diagram(name, title=entry.title, doc=entry.doc)
        for block_name, item in entry.blocks.items():
            here = (*place, "blocks", block_name)
            inner = f"{path}{block_name}"
            component: Block | Diagram
            if isinstance(item, BlockEntry):
                component = self.block(item, here, inner)
            else:
                component = self.diagram(item.diagram, (*here, "diagram"), block_name, f"{inner}.")
            diagram.add(block_name, component)
        inside = f"in '{path[:-1]}': " if path else ""
        for input_name, sinks in entry.inputs.items():
            with self.at((*place, "inputs", input_name), inside):
                diagram.inputs(**{input_name: sinks})
        for source, sinks in entry.connections.items():
            with self.at((*place, "connections", source), inside):
                diagram.connect(source, *sinks)
        for output_name, port in entry.outputs.items():
            with self.at((*place, "outputs", output_name), inside):
                diagram.outputs(**{output_name: port})
        return diagram

    def block(self, entry: BlockEntry, place: Place, path: str) -> Block:
        """One block of the library."""
        known = library()
        if entry.type not in known:
            raise self.document.error(
                (*place, "type"), f"no block type '{entry.type}'{did_you_mean(entry.type, known)}"
            )
        with self.at((*place, "parameters", "path"), f"{path}: "):
            cls = known[entry.type].chosen(entry.parameters, self.folder)
        if entry.section is not None and entry.vehicle is None:
            raise self.document.error((*place, "section"), f"{path}: 'section' is of use with 'vehicle' only")
        values = self.parameters(cls, entry.parameters, (*place, "parameters"), path)
        if entry.vehicle is None:
            with self.at(place, f"{path}: "):
                block = cls(**values)
        else:
            with self.at((*place, "vehicle"), f"{path}: "):
                block = cls.from_vehicle(self.vehicle(entry.vehicle), entry.section, **values)
        self.notation[block] = {
            name: (given, block.values[name])
            for name, given in ((cls.parameter_name(written), g) for written, g in entry.parameters.items())
        }
        return block

    def parameters(self, cls: type[Block], given: Mapping[str, Any], place: Place, path: str) -> dict[str, Value]:
        """Parameters in SI."""
        known = cls.all_parameters()
        values: dict[str, Value] = {}
        for written, value in given.items():
            name = cls.parameter_name(written)
            with self.at((*place, written)):
                if name not in known:
                    raise ScenarioError(
                        f"no parameter '{name}' on {path} ({cls.type_name()}){did_you_mean(name, known)}"
                    )
                values[name] = known[name].read(value, f"{path}.{name}")
                if isinstance(known[name], FileParameter):
                    values[name] = str(self.folder / str(value))
        return values

    def vehicle(self, name: str) -> str:
        """A vehicle's name, or the path of its file, which is written as seen from the scenario."""
        return str(self.folder / name) if name.endswith((".yaml", ".yml")) else name

    @contextlib.contextmanager
    def at(self, place: Place, prefix: str = "") -> Iterator[None]:
        """Give errors the line of a place."""
        try:
            yield
        except KeelblocksError as problem:
            raise self.document.error(place, f"{prefix}{problem}") from None
