"""The data of a file while an edit works on them, and which keys it calls otherwise."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from blocks.diagram import Diagram
from blocks.errors import ScenarioError, did_you_mean
from blocks.scenario.differences import many, one_or_many, ordered
from blocks.scenario.edits.references import References, Rename
from blocks.yaml.places import ItemPath
from blocks.yaml.plain import copied
from blocks.yaml.reading import Document

_PORT = re.compile(r"(?P<head>[A-Za-z_]\w*)(?P<port>\.[A-Za-z_][\w.]*)?(?P<element>\[[^\]]*\])?\Z")
Local = Callable[[str], str | None]
"""From a reference within a diagram, "vessel.eta[psi]", to its new form; None: there is no more."""


class Draft:
    """Data that are to become those of a file."""

    def __init__(self, document: Document, folder: Path) -> None:
        self.document, self.folder = document, folder
        self.data: dict[str, Any] = copied(document.data)
        self.renamed: dict[ItemPath, str] = {}
        self.replaced: set[ItemPath] = set()
        """Entries that go, though another one gets their key."""

        self.moved: dict[str, str] = {}
        """Dotted names of components before and after."""

    def level(self, path: str) -> Level:
        """A diagram by its dotted name; "": the outermost."""
        item: ItemPath = ("diagram",)
        data, so_far = self.data["diagram"], ""
        for name in path.split(".") if path else ():
            part = data["blocks"].get(name)
            if part is None:
                there = so_far or "the diagram"
                raise ScenarioError(f"there is no component '{name}' in {there}{did_you_mean(name, data['blocks'])}")
            so_far = f"{so_far}.{name}" if so_far else name
            if "diagram" not in part:
                raise ScenarioError(f"{so_far} is a block; name a diagram")
            data, item = part["diagram"], (*item, "blocks", name, "diagram")
        return Level(self, path, item, data)

    def owner(self, path: str) -> tuple[Level, str]:
        """The diagram that something stands in, and its name there."""
        if not isinstance(path, str) or not path:
            raise ScenarioError(f"a dotted name such as plant.vessel is wanted, not {path!r}")
        outer, _, name = path.rpartition(".")
        return self.level(outer), name

    def component(self, path: str) -> tuple[Level, str, dict[str, Any]]:
        """A component: the diagram that it stands in, its name there, and its entry."""
        level, name = self.owner(path)
        if name not in level.blocks:
            raise level.unknown(name)
        return level, name, level.blocks[name]

    def references(self, rename: Rename) -> None:
        """Change what `run`, `report`, `live` and `environment` name."""
        References(rename, self.renamed).change(self.data)


class Level:
    """A diagram of a draft: its data, its dotted name, and its place in the file."""

    def __init__(self, draft: Draft, path: str, item: ItemPath, data: dict[str, Any]) -> None:
        self.draft, self.path, self.item, self.data = draft, path, item, data

    @property
    def blocks(self) -> dict[str, Any]:
        """The entries of its components."""
        blocks: dict[str, Any] = self.data["blocks"]
        return blocks

    def section(self, name: str) -> dict[str, Any]:
        """`inputs`, `connections`, `outputs` or `layout`."""
        section: dict[str, Any] = self.data.get(name) or {}
        return section

    def dotted(self, name: str) -> str:
        """The dotted name of something in it."""
        return f"{self.path}.{name}" if self.path else name

    def called(self) -> str:
        """What it is called in messages."""
        return f"'{self.path}'" if self.path else "the diagram"

    def unknown(self, name: str) -> ScenarioError:
        """What is said of a name that there is not."""
        known = [*self.blocks, *self.section("inputs"), *self.section("outputs")]
        return ScenarioError(f"there is no component or port '{name}' in {self.called()}{did_you_mean(name, known)}")

    def outer(self) -> tuple[Level, str]:
        """The diagram around it, and its name there."""
        return self.draft.owner(self.path)

    def diagram(self, root: Diagram) -> Diagram:
        """The same in what was built."""
        found = root[self.path] if self.path else root
        assert isinstance(found, Diagram)
        return found

    def put(self, section: str, data: dict[str, Any]) -> None:
        """Set a section; an empty one goes."""
        if data:
            now = ordered(self.data | {section: data}, self.data)
            self.data.clear()
            self.data.update(now)
        else:
            self.data.pop(section, None)

    def refer(self, local: Local) -> list[tuple[str, str]]:
        """Change all references to ports in it. Returns the inputs and outputs that nothing is left of: section, name.

        The names of inputs and outputs themselves do not change by this.
        """
        emptied: list[tuple[str, str]] = []
        inputs: dict[str, Any] = {}
        for name, sinks in self.section("inputs").items():
            kept = self.ports(sinks, local)
            if kept is None:
                emptied.append(("inputs", name))
            else:
                inputs[name] = kept
        connections: dict[str, Any] = {}
        for source, sinks in self.section("connections").items():
            now, kept = local(source), self.ports(sinks, local)
            if now is None or kept is None:
                continue
            if now in connections:
                connections[now] = one_or_many([*many(connections[now]), *many(kept)])
                continue
            connections[now] = kept
            if now != source:
                self.draft.renamed |= {(*self.item, "connections", source): now}
        outputs: dict[str, Any] = {}
        for name, source in self.section("outputs").items():
            now = local(source)
            if now is None:
                emptied.append(("outputs", name))
            else:
                outputs[name] = now
        for section, data in (("inputs", inputs), ("connections", connections), ("outputs", outputs)):
            self.put(section, data)
        return emptied

    def sinks(self) -> list[list[str]]:
        """The sinks of each wire, and of each input."""
        return [many(given) for section in ("inputs", "connections") for given in self.section(section).values()]

    @staticmethod
    def ports(given: Any, local: Local) -> Any:
        """One port or several, as they are written; None if none is left."""
        kept = [now for port in many(given) if (now := local(port)) is not None]
        return (kept if isinstance(given, list) else kept[0]) if kept else None

    def drop(self, section: str, name: str) -> None:
        """Take an input or output out, with all wires to it, inside and around."""
        data = dict(self.section(section))
        del data[name]
        self.put(section, data)
        if section == "inputs":
            self.refer(lambda port: None if split(port)[:2] == (name, "") else port)
        self.draft.references(_without(self.dotted(name)))
        if self.path:
            outer, own = self.outer()
            outer.forget(lambda port: split(port)[:2] == (own, name))

    def forget(self, gone: Callable[[str], bool]) -> None:
        """Take out all wires to ports, and what nothing is left of."""
        for section, name in self.refer(lambda port: None if gone(port) else port):
            self.put(section, self.section(section) | {name: ""})
            self.drop(section, name)

    def rename_keys(self, section: str, names: dict[str, str]) -> None:
        """Give entries of a section other names, in their places."""
        data = self.data.get(section)
        if not data:
            return
        for name in data:
            if names.get(name, name) != name:
                self.draft.renamed |= {(*self.item, section, name): names[name]}
        self.put(section, {names.get(name, name): value for name, value in data.items()})


def split(port: str) -> tuple[str, str, str]:
    """Component, port and elements of a reference: ("vessel", "eta", "[psi]"); ("eta", "", "") for an input."""
    found = _PORT.match(port)
    if found is None:
        return port, "", ""
    return found["head"], (found["port"] or "")[1:], found["element"] or ""


def _without(port: str) -> Rename:
    return lambda kind, name: None if kind == "signal" and name == port else name
