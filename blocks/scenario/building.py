"""From a scenario's structure to a diagram, with messages that name the line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from blocks.block import Block, block_class, library
from blocks.diagram import Diagram
from blocks.errors import ScenarioError, did_you_mean
from blocks.files.writing import is_file, is_folder
from blocks.model.declare import Value
from blocks.model.file_origin import check_names, constructor_for, options_of, reads_files
from blocks.model.text_parameter import FileParameter
from blocks.scenario.model import BlockEntry, DiagramEntry
from blocks.scenario.reuse import Notation, Reuse
from blocks.yaml.places import ItemPath
from blocks.yaml.reading import Document


@dataclass
class Builder:
    """Builds one scenario's diagram."""

    document: Document
    folder: Path
    notation: Notation = field(default_factory=WeakKeyDictionary)
    entries: dict[str, BlockEntry] = field(default_factory=dict)
    """What was read of each block, by its dotted name."""

    reuse: Reuse | None = None
    """What was built of the text as it was before, for what has not changed."""

    def diagram(self, entry: DiagramEntry, item: ItemPath, name: str, path: str = "") -> Diagram:
        """The diagram of an item of the file."""
        diagram = Diagram(name, title=entry.title, doc=entry.doc)
        if self.reuse is not None:
            diagram = self.reuse.diagram(path[:-1], diagram)
        for block_name, part in entry.blocks.items():
            here = (*item, "blocks", block_name)
            inner = f"{path}{block_name}"
            component: Block | Diagram
            if isinstance(part, BlockEntry):
                component = self.block_as_before(part, here, inner)
            else:
                component = self.diagram(part.diagram, (*here, "diagram"), block_name, f"{inner}.")
            diagram.add(block_name, component)
        inside = f"in '{path[:-1]}': " if path else ""
        for input_name, sinks in entry.inputs.items():
            with self.document.at((*item, "inputs", input_name), inside):
                diagram.inputs(**{input_name: sinks})
        for source, sinks in entry.connections.items():
            with self.document.at((*item, "connections", source), inside):
                diagram.connect(source, *sinks)
        for output_name, port in entry.outputs.items():
            with self.document.at((*item, "outputs", output_name), inside):
                diagram.outputs(**{output_name: port})
        for block_name, cell in entry.layout.items():
            with self.document.at((*item, "layout", block_name), inside):
                if block_name not in diagram.components:
                    near = did_you_mean(block_name, diagram.components)
                    raise ScenarioError(f"layout: there is no block '{block_name}' here{near}")
                diagram.layout[block_name] = cell
        return diagram

    def block_as_before(self, entry: BlockEntry, item: ItemPath, path: str) -> Block:
        """One block: that which was built of the text as it was before, as far as the text says the same."""
        self.entries[path] = entry
        if self.reuse is None:
            return self.block(entry, item, path)
        found = self.reuse.block(path, entry)
        if found is None:
            return self.reuse.renewed(path, self.block(entry, item, path), self.notation)
        self.note(found, entry.parameters if entry.file is None else self.reuse.noted(found))
        return found

    def block(self, entry: BlockEntry, item: ItemPath, path: str) -> Block:
        """One block of the library."""
        named = block_class(entry.type)
        if named is None:
            raise self.document.error(
                (*item, "type"), f"no block type '{entry.type}'{did_you_mean(entry.type, library())}"
            )
        with self.document.at((*item, "parameters", "path"), f"{path}: "):
            cls = named.chosen(entry.parameters, self.folder)
        if entry.section is not None and entry.vehicle is None:
            raise self.document.error((*item, "section"), f"{path}: 'section' is of use with 'vehicle' only")
        if "file" in entry.model_fields_set and not entry.file:
            raise self.document.error((*item, "file"), f"{path}: 'file' is empty: name the file with the tables")
        if entry.file is not None:
            return self.block_from_file(cls, entry.file, entry, item, path)
        values = self.parameters(cls, entry.parameters, (*item, "parameters"), path)
        if entry.vehicle is None:
            with self.document.at(item, f"{path}: "):
                block = cls(**values)
        else:
            with self.document.at((*item, "vehicle"), f"{path}: "):
                block = cls.from_vehicle(self.vehicle(entry.vehicle), entry.section, **values)
        self.note(block, entry.parameters)
        return block

    def block_from_file(self, cls: type[Block], file: str, entry: BlockEntry, item: ItemPath, path: str) -> Block:
        """One block whose tables stand in a file. `parameters` are its others, and how the file is read."""
        if entry.vehicle is not None:
            raise self.document.error(
                (*item, "file"),
                f"{path}: 'file' and 'vehicle' exclude each other; give what the vehicle's file says as parameters",
            )
        if not reads_files(cls):
            can = ", ".join(name for name, known in library().items() if reads_files(known))
            raise self.document.error(
                (*item, "file"), f"{path}: {cls.type_name()} reads no file; those that do are {can}"
            )
        there = self.folder / file
        with self.document.at((*item, "file"), f"{path}: "):
            if not is_file(there):
                raise ScenarioError(_no_file(there))
            constructor = constructor_for(cls, there)
        options = options_of(constructor)
        given = {name: value for name, value in entry.parameters.items() if name in options}
        rest = {name: value for name, value in entry.parameters.items() if name not in options}
        for name in rest:
            with self.document.at((*item, "parameters", name), f"{path}: "):
                check_names(cls, constructor.__name__, options, [cls.parameter_name(name)])
        values = self.parameters(cls, rest, (*item, "parameters"), path)
        with self.document.at((*item, "file"), f"{path}: "):
            block: Block = constructor(there, **given, **values)
        origin = block.file_origin
        for name in rest:
            if origin is not None and cls.parameter_name(name) in origin.overridden:
                raise self.document.error(
                    (*item, "parameters", name),
                    f"{path}: '{name}' stands in {there}, and here it is something else: leave one of them out",
                )
        self.note(block, rest)
        return block

    def note(self, block: Block, given: Mapping[str, Any]) -> None:
        """Keep how parameters are written."""
        names = {block.parameter_name(written): value for written, value in given.items()}
        self.notation[block] = {name: (value, block.values[name]) for name, value in names.items()}

    def parameters(self, cls: type[Block], given: Mapping[str, Any], item: ItemPath, path: str) -> dict[str, Value]:
        """Parameters in SI."""
        known = cls.all_parameters()
        values: dict[str, Value] = {}
        for written, value in given.items():
            name = cls.parameter_name(written)
            with self.document.at((*item, written)):
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


def _no_file(path: Path) -> str:
    """What is said of a file that is not there, with the nearest that is."""
    if is_folder(path):
        return f"{path} is a folder; name a file in it"
    beside = [other.name for other in path.parent.iterdir() if other.is_file()] if is_folder(path.parent) else []
    near = did_you_mean(path.name, beside)
    return f"there is no file {path}{near if near.endswith('?') else '; paths are seen from where this file is'}"
