"""What was built of a text, for the text that an edit makes of it: blocks that say the same are not built again.

Diagrams and blocks stay the objects that they are, so that who holds one sees the edit; and all of them can be put back
as they were, where the edit fails.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from weakref import WeakKeyDictionary

from blocks.block import Block
from blocks.diagram import Diagram
from blocks.model.component import Component
from blocks.model.declare import Value
from blocks.scenario.model import BlockEntry
from blocks.yaml.plain import same

Notation = WeakKeyDictionary[Block, dict[str, tuple[Any, Value]]]
"""How parameters are written in the file, and the values that this stands for."""


class Snapshot:
    """What a diagram and all in it are at a time."""

    def __init__(self, diagram: Diagram) -> None:
        self.diagram = diagram
        self.states = [(one, _state(one)) for one in (diagram, *diagram.all_components())]

    def holds(self) -> bool:
        """Whether all is as it was."""
        for one, state in self.states:
            now = vars(one)
            if len(now) != len(state):
                return False
            for name, value in state.items():
                other = now.get(name, self)
                if other is value:
                    continue
                if not _unchanged(value, other):
                    return False
        return True

    def restore(self) -> None:
        """Let all be as it was."""
        for one, state in self.states:
            vars(one).clear()
            vars(one).update(_copied(state))


class Reuse:
    """The parts of a diagram as it was, by the dotted names that they have after an edit."""

    def __init__(
        self,
        diagram: Diagram,
        entries: Mapping[str, BlockEntry],
        notation: Notation,
        moved: Mapping[str, str],
        *,
        changed: bool = False,
    ) -> None:
        """moved: dotted names of components before the edit, and after it. changed: blocks are no longer what the
        entries say."""
        self.notation = notation
        self.before = Snapshot(diagram)
        self.parts: dict[str, Component] = {"": diagram}
        self.entries: dict[str, BlockEntry] = {}
        for one in diagram.all_components():
            path = one.path
            now = after(path, moved)
            self.parts[now] = one
            if path in entries and not changed:
                self.entries[now] = entries[path]
        for one in self.parts.values():
            if one is not diagram:
                one.parent = None

    def diagram(self, path: str, new: Diagram) -> Diagram:
        """The diagram that stood at a place, empty, with name, title and documentation of a new one; else the new."""
        old = self.parts.get(path)
        if not isinstance(old, Diagram):
            return new
        for name in ("own_name", "title", "doc", "components", "wires", "layout", "_inputs", "_outputs"):
            vars(old)[name] = vars(new)[name]
        if not path:
            old.name = new.name
        return old

    def block(self, path: str, entry: BlockEntry) -> Block | None:
        """The block that stood at a place, if the text says the same of it."""
        old, said = self.parts.get(path), self.entries.get(path)
        if not isinstance(old, Block) or said is None:
            return None
        head = (said.type, said.vehicle, said.section, said.file) == (
            entry.type,
            entry.vehicle,
            entry.section,
            entry.file,
        )
        alike = identical(said.declaration, entry.declaration) and identical(said.parameters, entry.parameters)
        return old if head and alike else None

    def noted(self, block: Block) -> dict[str, Any]:
        """How its parameters are written."""
        return {name: written for name, (written, _) in self.notation.get(block, {}).items()}

    def renewed(self, path: str, new: Block, notation: Notation) -> Block:
        """The block that stood at a place, with all that a new one of its type is; the new one, if it is another."""
        old = self.parts.get(path)
        if type(old) is not type(new) or not isinstance(old, Block):
            return new
        notation[old] = notation.pop(new)
        vars(old).clear()
        vars(old).update(vars(new))
        return old

    def restore(self) -> None:
        """Let all be as it was."""
        self.before.restore()


def after(path: str, moved: Mapping[str, str]) -> str:
    """The dotted name after an edit of what was called `path`."""
    for before, now in moved.items():
        if path == before or path.startswith(f"{before}."):
            return now + path[len(before) :]
    return path


def identical(one: Any, other: Any) -> bool:
    """Whether data are written alike: 1 and 1.0 are not."""
    return same(one, other) and repr(one) == repr(other)


def _state(component: Component) -> dict[str, Any]:
    return _copied(vars(component))


def _copied(state: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value.copy() if type(value) is dict else value for name, value in state.items()}


def _unchanged(value: Any, other: Any) -> bool:
    """Whether an attribute is what it was: of mappings, whether they hold the same objects in the same order."""
    if type(value) is not dict or type(other) is not dict:
        return type(value) is type(other) and isinstance(value, (str, int, float, tuple)) and bool(value == other)
    if len(value) != len(other):
        return False
    for (key, one), (name, two) in zip(value.items(), other.items(), strict=True):
        if key != name or (one is not two and not _equal(one, two)):
            return False
    return True


def _equal(one: Any, two: Any) -> bool:
    return type(one) is type(two) and type(one) in (str, int, float, bool, tuple) and bool(one == two)
