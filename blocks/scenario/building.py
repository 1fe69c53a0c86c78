"""From a scenario's structure to its diagram. All that is wrong is found: what cannot be made is stood for."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Set
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from blocks.block import Block, block_class, library
from blocks.diagram import Diagram
from blocks.errors import KeelblocksError, ScenarioError, near_misses, raise_all
from blocks.files.writing import is_file, is_folder
from blocks.model.declare import Value
from blocks.model.file_origin import check_names, constructor_for, options_of, reads_files
from blocks.model.library import unknown_type
from blocks.model.text_parameter import FileParameter
from blocks.scenario.model import BlockEntry, DiagramEntry
from blocks.scenario.reuse import Notation, Reuse
from blocks.scenario.structure import NO_TYPE
from blocks.scenario.unbuilt import Unbuilt
from blocks.scenario.wires import Wires
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

    faults: list[ScenarioError] = field(default_factory=list)
    """What was found wrong, in the order of the file."""
    lacking: Set[str] = frozenset()
    """Libraries that the file names and that cannot be imported."""
    wires: Wires = field(init=False)

    def __post_init__(self) -> None:
        self.wires = Wires(self.document, self.faults)

    def diagram(self, entry: DiagramEntry, item: ItemPath, name: str) -> Diagram:
        """The diagram of an item of the file. Raises ScenarioError for all that is wrong in it."""
        made = self.found(entry, item, name)
        raise_all(self.faults)
        return made

    def found(self, entry: DiagramEntry, item: ItemPath, name: str, path: str = "") -> Diagram:
        """The diagram of an item of the file. What is wrong in it is left to `faults`."""
        diagram = Diagram(name, title=entry.title, doc=entry.doc)
        if self.reuse is not None:
            diagram = self.reuse.diagram(path[:-1], diagram)
        for block_name, part in entry.blocks.items():
            here = (*item, "blocks", block_name)
            inner = f"{path}{block_name}"
            component: Block | Diagram | Unbuilt
            if isinstance(part, BlockEntry):
                component = self._as_before(part, here, inner)
            else:
                component = self.found(part.diagram, (*here, "diagram"), block_name, f"{inner}.")
            try:
                diagram.add(block_name, component)
            except KeelblocksError as fault:
                self.faults.append(self.document.located(fault, here, key=True))
        self.wires.add(diagram, entry, item, path)
        self._lay_out(diagram, entry, item, path)
        return diagram

    def _lay_out(self, diagram: Diagram, entry: DiagramEntry, item: ItemPath, path: str) -> None:
        """Where the components of a diagram stand in its drawing."""
        inside = f"in '{path[:-1]}': " if path else ""
        for name, cell in entry.layout.items():
            if name in diagram.components:
                diagram.layout[name] = cell
                continue
            fault = self.document.error(
                (*item, "layout", name),
                f"{inside}layout: there is no block '{name}' here",
                key=True,
                code="unknown-block",
                wrong=name,
                valid=diagram.components,
            )
            self.faults.append(fault)

    def _as_before(self, entry: BlockEntry, item: ItemPath, path: str) -> Block | Unbuilt:
        """One block: that which was built of the text as it was before, as far as the text says the same."""
        self.entries[path] = entry
        if self.reuse is None:
            return self._block_or_its_like(entry, item, path)
        found = self.reuse.block(path, entry)
        if found is None:
            made = self._block_or_its_like(entry, item, path)
            return self.reuse.renewed(path, made, self.notation) if isinstance(made, Block) else made
        self.note(found, entry.parameters if entry.file is None else self.reuse.noted(found))
        return found

    def _block_or_its_like(self, entry: BlockEntry, item: ItemPath, path: str) -> Block | Unbuilt:
        """One block, or what stands for it."""
        if entry.type == NO_TYPE or entry.type.partition(".")[0] in self.lacking:
            return Unbuilt()
        try:
            return self.block(entry, item, path)
        except KeelblocksError as fault:
            problems = tuple(problem.of_block(path) for problem in fault.problems)
            self.faults.append(ScenarioError(str(fault), problems=problems))
            mended = _mended(entry, fault)
        try:
            if mended is not None:
                return self.block(mended, item, path)
        except KeelblocksError:
            pass
        return Unbuilt(block_class((mended or entry).type))

    def block(self, entry: BlockEntry, item: ItemPath, path: str) -> Block:
        """One block of the library. Raises ScenarioError."""
        named = block_class(entry.type)
        if named is None:
            raise self.document.error(
                (*item, "type"),
                f"no block type '{entry.type}'",
                code="unknown-type",
                wrong=entry.type,
                valid=library(),
                hint=unknown_type(entry.type),
            )
        declaration = self.declaration(named, entry, item, path)
        with self.document.at((*item, *(() if declaration else ("parameters", "path"))), f"{path}: "):
            cls = named.chosen(entry.parameters, self.folder, declaration)
        if entry.section is not None and entry.vehicle is None:
            raise self.document.error(
                (*item, "section"), f"{path}: 'section' is of use with 'vehicle' only", code="missing-vehicle"
            )
        if "file" in entry.model_fields_set and not entry.file:
            raise self.document.error((*item, "file"), f"{path}: 'file' is empty: name the file with the tables")
        if entry.file is not None:
            return self.block_from_file(cls, entry.file, entry, item, path)
        faults: list[ScenarioError] = []
        try:
            given = cls.spelled_out(entry.parameters, path)
        except KeelblocksError as fault:
            raise self.document.located(fault, (*item, "parameters", *fault.inside)) from None
        values = self.parameters(cls, given, (*item, "parameters"), path, faults)
        if entry.vehicle is None:
            with self.document.noting(faults, item, f"{path}: ", key=True):
                cls.check_complete(_names_meant(cls, given, values))
            raise_all(faults)
            with self.document.at(item, f"{path}: ", key=True):
                block = cls(**values)
        else:
            vehicle = self.vehicle(entry.vehicle)
            try:
                block = cls.from_vehicle(vehicle, entry.section, **({} if faults else values))
            except KeelblocksError as fault:
                at = "section" if fault.code == "unknown-section" else "vehicle"
                if not faults or fault.code in _OF_VEHICLES:
                    faults.append(self.document.located(fault, (*item, at), f"{path}: "))
            raise_all(faults)
        self.note(block, entry.parameters)
        return block

    def declaration(self, cls: type[Block], entry: BlockEntry, item: ItemPath, path: str) -> dict[str, Any]:
        """What the file says of ports and equations. Raises ScenarioError where the type has its own."""
        found = entry.declaration
        for key in found:
            if key not in cls.declaration_keys:
                can = ", ".join(name for name, known in library().items() if key in known.declaration_keys)
                raise self.document.error(
                    (*item, key),
                    f"{path}: {cls.type_name()} has ports and equations of its own; '{key}' is of use with {can}",
                    key=True,
                )
        return found

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
                raise _no_file(there)
            constructor = constructor_for(cls, there)
        options = options_of(constructor)
        given = {name: value for name, value in entry.parameters.items() if name in options}
        rest = {name: value for name, value in entry.parameters.items() if name not in options}
        faults: list[ScenarioError] = []
        for name in rest:
            with self.document.noting(faults, (*item, "parameters", name), f"{path}: ", key=True):
                check_names(cls, constructor.__name__, options, [cls.parameter_name(name)])
        raise_all(faults)
        values = self.parameters(cls, rest, (*item, "parameters"), path, faults)
        raise_all(faults)
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
        block.note_units(names)

    def parameters(
        self, cls: type[Block], given: Mapping[str, Any], item: ItemPath, path: str, faults: list[ScenarioError]
    ) -> dict[str, Value]:
        """Parameters in SI; what is wrong with any of them goes to `faults`."""
        known = cls.all_parameters()
        values: dict[str, Value] = {}
        for written, value in given.items():
            name = cls.parameter_name(written)
            if name not in known:
                faults.append(
                    self.document.error(
                        (*item, written),
                        f"no parameter '{name}' on {path} ({cls.type_name()})",
                        key=True,
                        code="unknown-parameter",
                        wrong=name,
                        valid=(*known, *cls.aliases),
                        parameter=name,
                    )
                )
                continue
            if name in values:
                both = " and ".join(other for other in given if cls.parameter_name(other) == name)
                faults.append(
                    self.document.error((*item, written), f"{path}: {both} are the same: give one of them", key=True)
                )
                continue
            try:
                values[name] = known[name].read(value, f"{path}.{written}")
            except KeelblocksError as fault:
                fault.parameter = name
                place = (*item, written, *fault.inside)
                faults.append(self.document.located(fault, place, key=fault.code == "unknown-key"))
                continue
            if isinstance(known[name], FileParameter):
                values[name] = str(self.folder / str(value))
        return values

    def vehicle(self, name: str) -> str:
        """A vehicle's name, or the path of its file, which is written as seen from the scenario."""
        return str(self.folder / name) if name.endswith((".yaml", ".yml")) else name


_OF_VEHICLES = ("unknown-vehicle", "unknown-section", "missing-section")
"""What is wrong with a vehicle, whatever the parameters are."""


def _names_meant(cls: type[Block], given: Mapping[str, Any], read: Collection[str]) -> set[str]:
    """The parameters that are given, those that are misspelt among them, and what a list that was not read may say."""
    names = {cls.parameter_name(name) for name in given}
    known = cls.all_parameters()
    near = [near_misses(name, (*known, *cls.aliases))[:1] for name in names if name not in known]
    names |= {cls.parameter_name(name) for found in near for name in found}
    unread = [known[name] for name in names if name in known and name not in read]
    return names | {name for parameter in unread for targets in parameter.item_numbers.values() for name in targets}


def _mended(entry: BlockEntry, fault: KeelblocksError) -> BlockEntry | None:
    """The entry with the names that were probably meant, and without values that do not decide its ports.

    None if something else is wrong.
    """
    changes: dict[str, Any] = {}
    parameters = dict(entry.parameters)
    for problem in fault.problems:
        *_, section, name = ("", "", *problem.path)
        if section == "parameters" and name in parameters:
            value = parameters.pop(name)
            if problem.code == "unknown-parameter":
                parameters |= dict.fromkeys(problem.near[:1], value)
            elif problem.near:
                parameters[name] = problem.near[0]
            elif not _leave_out(block_class(entry.type), str(name), parameters):
                return None
        elif problem.near:
            changes[str(name)] = problem.near[0]
        else:
            return None
    return entry.model_copy(update=changes | {"parameters": parameters})


def _leave_out(cls: type[Block] | None, name: str, parameters: dict[str, Any]) -> bool:
    """Give a parameter the value of an example, or its default; false if that might change the ports."""
    known = cls.all_parameters().get(cls.parameter_name(name)) if cls else None
    if cls is None or known is None or known.structural is not False:
        return False
    if known.required:
        values = [example[known.name] for example in cls.examples if known.name in example]
        parameters |= dict.fromkeys([name], values[0]) if values else {}
    return True


def _no_file(path: Path) -> ScenarioError:
    """What is said of a file that is not there, with the nearest that is."""
    if is_folder(path):
        return ScenarioError(f"{path} is a folder; name a file in it", code="no-file")
    beside = [other.name for other in path.parent.iterdir() if other.is_file()] if is_folder(path.parent) else []
    hint = "" if near_misses(path.name, beside) else "paths are seen from where this file is"
    return ScenarioError(f"there is no file {path}", code="no-file", wrong=path.name, valid=beside, hint=hint)
