"""Edits: what can be done to a scenario's text."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from blocks.block import Block
from blocks.diagram import Diagram
from blocks.errors import ParameterError, ScenarioError, did_you_mean, shown
from blocks.model.component import Component
from blocks.model.file_origin import near
from blocks.replacement import Replacement
from blocks.scenario.differences import SECTIONS, ordered, placed
from blocks.scenario.edits import components, nesting, wires
from blocks.scenario.edits.applying import Applying
from blocks.scenario.edits.draft import Draft, Level
from blocks.scenario.edits.wires import Reference
from blocks.scenario.writing import as_written
from blocks.yaml.places import ItemPath


class Edits:
    """Edits of a scenario, each of which changes only the lines of its text that say it.

    The text that comes of an edit is read: that is its check. If it is not in order, ScenarioError says why, with the
    line of the text that it would have been, and text and diagram stay as they were. Diagrams and blocks stay the
    objects that they are.

    Components and ports are named by dotted names from the outermost diagram: "plant.vessel", "plant.vessel.eta[psi]".
    Values are written as they are given, text with its unit: "0.4 kn". Comments that stand directly above a removed
    entry go with it. Where an alias or a merge says what an edit changes in one place only, it is written out there.
    """

    def __init__(self, applying: Applying) -> None:
        self._applying = applying

    # --- parameters and settings -----------------------------------------------------------------------------------

    def set(self, path: str | Mapping[str, Any], value: Any = None) -> None:
        """Set a parameter, `set("plant.current.speed", "0.4 kn")`, or several together by a mapping.

        None takes what the file says away, so that the default or the vehicle's value holds.
        """
        given = path if isinstance(path, Mapping) else {path: value}

        def change(draft: Draft) -> None:
            for one, wanted in given.items():
                _set_parameter(draft, self._blocks(), one, wanted)

        self._do(change)

    def written(self, path: str) -> Any:
        """What the file says of a parameter, as it is written there; None if it says nothing of it."""
        owner, _, name = path.rpartition(".")
        applying = self._applying
        entry = Draft(applying.document(), applying.kept().folder).component(owner)[2]
        block = self._blocks().get(owner)
        given = entry.get("parameters", {}).items()
        return next((value for one, value in given if (block.parameter_name(one) if block else one) == name), None)

    def reset(self, *paths: str) -> None:
        """Take parameters out of the file, so that their defaults or the vehicle's values hold."""
        self.set(dict.fromkeys(paths))

    def setting(self, name: str, value: Any) -> None:
        """Set what stands under `run`: `setting("end", "10 min")`; None takes it away."""
        self.put(("run", name), value)

    def put(self, item: ItemPath, value: Any) -> None:
        """Set what stands at a place of the file: `put(("report", "plots"), ["vessel.eta[psi]"])`; None takes it away,
        and with it what it leaves empty."""

        def change(draft: Draft) -> None:
            _put(draft.data, tuple(item), _plain(value))
            known = {name: value for name, value in draft.data.items() if name in SECTIONS}
            draft.data = ordered(known, draft.document.data, SECTIONS) | draft.data

        self._do(change)

    # --- components ------------------------------------------------------------------------------------------------

    def add(
        self,
        path: str,
        what: str | type[Block] | Component,
        parameters: Mapping[str, Any] | None = None,
        *,
        vehicle: str | None = None,
        section: str | None = None,
        file: str | None = None,
        after: str | None = None,
        **declaration: Mapping[str, Any],
    ) -> None:
        """Add a component: `add("plant.pump", "basic.Gain", {"gain": 2})`, or a block or diagram made in Python.

        after: the component of the same diagram behind which it is written; behind all if not given. declaration: what
        a formula is, `outputs={"force": "k*u"}, inputs={"u": "m/s"}`.
        """
        given = {"vehicle": vehicle, "section": section, "file": file} | _plain(declaration)
        given["parameters"] = _plain(dict(parameters or {}))
        self._do(lambda draft: components.add(draft, path, components.entry_of(what, given), after))

    def remove(self, path: str) -> None:
        """Take a component out with its wires, and all that names it under `run`, `report`, `live` and `environment`;
        or an input or output of a diagram."""
        self._do(lambda draft: components.remove(draft, path))

    def rename(self, path: str, name: str) -> None:
        """Give a component, or an input or output of a diagram, another name wherever the file names it:
        `rename("plant.vessel", "ship")`."""
        self._do(lambda draft: components.rename(draft, path, name))

    def swap(
        self,
        path: str,
        type: str | type[Block],
        parameters: Mapping[str, Any] | None = None,
        **declaration: Mapping[str, Any],
    ) -> None:
        """Give a block another type. Parameters and wires stay that the new one has too; the others go.

        declaration: what a formula is, as for `add`.
        """
        given, said = _plain(dict(parameters or {})), _plain(declaration)
        self._do(lambda draft: components.swap(draft, path, components.named_type(type), given, said))

    # --- wires -----------------------------------------------------------------------------------------------------

    def connect(self, source: Reference, *sinks: Reference, replace: bool = False) -> None:
        """Wire a source to one or several sinks: `connect("plant.vessel.eta[psi]", "plant.heading.u")`.

        replace: sinks that have a source leave it; otherwise that is an error.
        """
        self._do(lambda draft: wires.connect(draft, self._diagram(), source, sinks, replace))

    def disconnect(self, *sinks: Reference) -> None:
        """Take out the wires that end at inputs of components."""

        def change(draft: Draft) -> None:
            for sink in sinks:
                wires.disconnect(draft, sink)

        self._do(change)

    def input(self, path: str, *sinks: Reference) -> None:
        """Declare an input of a diagram: `input("plant.command", "plant.thrusters.command")`."""
        self._do(lambda draft: wires.declare_input(draft, path, sinks))

    def output(self, path: str, source: Reference) -> None:
        """Declare an output of a diagram: `output("plant.eta", "plant.vessel.eta")`."""
        self._do(lambda draft: wires.declare_output(draft, path, source))

    # --- nesting and layout ----------------------------------------------------------------------------------------

    def nest(self, members: Iterable[str], name: str, title: str = "") -> None:
        """Gather components of one diagram into a new one there; wires across its border become its ports."""
        self._do(lambda draft: nesting.nest(draft, self._diagram(), list(members), name, title))

    def unnest(self, path: str) -> None:
        """Put what a diagram holds in its place."""
        self._do(lambda draft: nesting.unnest(draft, self._diagram(), path))

    def move(self, path: str, column: int, row: int) -> None:
        """Say where a component stands in the drawing, in units of its grid."""

        def change(draft: Draft) -> None:
            level, name, _ = draft.component(path)
            level.put("layout", placed(level.section("layout"), {name: [column, row]}, list(level.blocks)))

        self._do(change)

    def tidy(self, path: str | None = None) -> None:
        """Forget where a component was put in the drawing, or all components of a diagram; None: all there are."""

        def change(draft: Draft) -> None:
            if path is None:
                for level in _levels(draft.level("")):
                    level.put("layout", {})
                return
            level, name, entry = draft.component(path)
            level.put("layout", {one: cell for one, cell in level.section("layout").items() if one != name})
            if "diagram" in entry:
                draft.level(path).put("layout", {})

        self._do(change)

    # --- text ------------------------------------------------------------------------------------------------------

    @property
    def text(self) -> str:
        """The text as it is now."""
        return self._applying.text()

    def apply(self, changes: str | Iterable[Replacement]) -> None:
        """Replace parts of the text, by place, or all of it; what comes of it is read, as after any edit."""
        self._applying.replace(changes)

    @contextlib.contextmanager
    def together(self) -> Iterator[Edits]:
        """Make several edits one: what comes of all of them is read, and all are made or none.

        with scenario.edit.together() as edit:
            edit.set("battery.charge", [0, 1])
            edit.set("battery.open_circuit_voltage", [24, 33.6])
        """
        with self._applying.together():
            yield self

    def undo(self) -> bool:
        """Put the text back as it was before the last edit. False: there is none to be undone."""
        return self._applying.undo()

    def redo(self) -> bool:
        """Make the edit again that was undone last. False: there is none."""
        return self._applying.redo()

    # --- how -------------------------------------------------------------------------------------------------------

    def _do(self, change: Callable[[Draft], None]) -> None:
        self._applying.apply(change)

    def _diagram(self) -> Diagram:
        return self._applying.diagram()

    def _blocks(self) -> dict[str, Block]:
        return self._diagram().blocks()

    def __repr__(self) -> str:
        return f"<Edits of {self._applying.scenario!r}>"


def _set_parameter(draft: Draft, blocks: Mapping[str, Block], path: str, value: Any) -> None:
    if not isinstance(path, str):
        raise ScenarioError(f"the dotted name of a parameter is wanted, such as plant.current.speed, not {path!r}")
    owner, _, written = path.rpartition(".")
    if owner not in blocks:
        every = [f"{name}.{parameter}" for name, item in blocks.items() for parameter in item.all_parameters()]
        raise ScenarioError(f"no parameter '{path}'{did_you_mean(path, every)}")
    block = blocks[owner]
    name = block.parameter_name(written)
    _, _, entry = draft.component(owner)
    parameters = dict(entry.get("parameters", {}))
    there = next((one for one in parameters if block.parameter_name(one) == name), written)
    if value is None:
        if name not in block.all_parameters():
            raise ParameterError(f"no parameter '{written}' on {owner}{near(type(block), written)}")
        parameters.pop(there, None)
    else:
        parameters[there] = as_written(block, name, _plain(value))
    if parameters:
        entry["parameters"] = parameters
    else:
        entry.pop("parameters", None)


def _put(data: dict[str, Any], item: ItemPath, value: Any) -> None:
    if not item or not all(isinstance(part, str) for part in item):
        raise ScenarioError(f"the place of an item is its keys, such as ('run', 'end'), not {item!r}")
    part, *rest = item
    if rest:
        inner = data.setdefault(str(part), {})
        if not isinstance(inner, dict):
            raise ScenarioError(f"'{part}' holds no keys, but {inner!r}")
        _put(inner, tuple(rest), value)
        if not inner:
            del data[str(part)]
    elif value is None:
        data.pop(str(part), None)
    else:
        data[str(part)] = value


def _levels(level: Level) -> Iterator[Level]:
    """A diagram and all in it."""
    yield level
    for name, entry in list(level.blocks.items()):
        if "diagram" in entry:
            yield from _levels(level.draft.level(level.dotted(name)))


def _plain(value: Any) -> Any:
    """A value as YAML has it: arrays as lists."""
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if isinstance(value, (np.ndarray, np.generic)):
        return value.tolist()
    if value is None or isinstance(value, (str, int, float)):
        return value
    raise ScenarioError(f"a number, text, a list or a mapping is wanted, not {shown(value)}")
