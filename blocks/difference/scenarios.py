"""Two scenarios: what was added, removed, changed and renamed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from os import PathLike
from pathlib import Path
from typing import Any, Literal

from blocks.difference.facts import BlockFacts, DiagramFacts, Fact, ScenarioFacts, facts_of, scenario_data
from blocks.difference.renaming import new_names, with_new_names
from blocks.errors import KeelblocksError
from blocks.scenario import Scenario
from blocks.scenario.model import DECLARED
from blocks.yaml.reading import read_text

__all__ = ["Change", "ScenarioDifference", "scenario_difference"]

Kind = Literal["added", "removed", "changed", "renamed"]
What = Literal["block", "diagram", "parameter", "formula", "wire", "input", "output", "setting"]
"""A formula: what a block says of its equations, "hull.outputs.drag"."""
SIGNS: dict[Kind, str] = {"added": "+", "removed": "-", "changed": "~", "renamed": ">"}


@dataclass(frozen=True)
class Change:
    """One difference. `path` is the dotted name in the second scenario, or in the first for what is only there.

    `before` and `after` are as they are written, `before_si` and `after_si` the same in SI where the unit is another.
    Of a wire, `path` is the input where it ends, and the values are where it starts; of a renamed block they are its
    names.
    """

    kind: Kind
    what: What
    path: str
    before: str = ""
    after: str = ""
    before_si: str = ""
    after_si: str = ""

    def __str__(self) -> str:
        def with_si(text: str, si: str) -> str:
            return f"{text} ({si})" if si else text

        before, after = with_si(self.before, self.before_si), with_si(self.after, self.after_si)
        value = f"{before} → {after}" if self.before and self.after else before or after
        head = f"{SIGNS[self.kind]} {self.what} {self.path}"
        if self.what in ("wire", "output"):
            return f"{head}: from {value}"
        return f"{head}: {value}" if value else head


@dataclass(frozen=True)
class ScenarioDifference:
    """How two scenarios differ.

    `changes` is empty where both say the same. `same_plan` is whether both make the same plan to the last bit, None
    where one of them makes none. `layout` is whether blocks were moved in the drawing, `text` whether the texts differ.
    """

    changes: tuple[Change, ...]
    same_plan: bool | None
    layout: bool
    text: bool

    def __bool__(self) -> bool:
        """Whether they differ in what they say."""
        return bool(self.changes)

    @property
    def summary(self) -> str:
        """One line about the whole."""
        if not self.text:
            return "the same text"
        if not self.changes:
            moved = ", and where blocks are drawn" if self.layout else ""
            plan = "same plan" if self.same_plan else "the same said" if self.same_plan is None else "another plan"
            return f"{plan}: only comments, order or notation differ{moved}"
        count = f"{len(self.changes)} difference{'s' if len(self.changes) > 1 else ''}"
        return f"{count}, and yet the same plan" if self.same_plan else count

    def __str__(self) -> str:
        return "\n".join([*map(str, self.changes), self.summary])

    def to_data(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "same": not self.changes,
            "same_plan": self.same_plan,
            "summary": self.summary,
            "changes": [asdict(change) for change in self.changes],
        }


@dataclass(frozen=True)
class Version:
    """One of the two: its text, its data, and the scenario, if it can be built."""

    text: str
    data: Mapping[str, Any]
    scenario: Scenario | None
    problem: KeelblocksError | None = None

    @property
    def facts(self) -> ScenarioFacts:
        """What it says."""
        return facts_of(self.data)


def scenario_difference(
    before: Scenario | str | PathLike[str], after: Scenario | str | PathLike[str]
) -> ScenarioDifference:
    """How two scenarios, or the scenarios in two files, differ.

    Raises ScenarioError where a file is no scenario. One that names blocks, ports or files that do not exist is
    compared all the same.
    """
    return difference_of(version_of(before), version_of(after))


def version_of(given: Scenario | str | PathLike[str], text: str | None = None) -> Version:
    """A scenario, or what a file says; `text` is what it says if it was read already."""
    if isinstance(given, Scenario):
        return Version(given.to_yaml(), given.to_data(), given)
    text = read_text(given, "a scenario") if text is None else text
    data = scenario_data(text, str(given))
    try:
        scenario, problem = Scenario.from_text(text, str(given)), None
        scenario.path = Path(given)
    except KeelblocksError as found:
        return Version(text, data, None, found)
    return Version(text, data, scenario, problem)


def difference_of(before: Version, after: Version) -> ScenarioDifference:
    """How two versions differ."""
    changes = tuple(changes_between(before.facts, after.facts))
    return ScenarioDifference(
        changes,
        _same_plan(before, after),
        _places(before.data.get("diagram")) != _places(after.data.get("diagram")),
        before.text != after.text,
    )


def _same_plan(before: Version, after: Version) -> bool | None:
    if before.scenario is None or after.scenario is None:
        return None
    try:
        return before.scenario.plan().checksum == after.scenario.plan().checksum
    except KeelblocksError:
        return None


def _places(diagram: Any) -> Any:
    """The layout of a diagram and of those in it."""
    if not isinstance(diagram, Mapping):
        return None
    inside = {name: _places(entry.get("diagram")) for name, entry in (diagram.get("blocks") or {}).items()}
    return diagram.get("layout"), {name: places for name, places in inside.items() if places and any(places)}


def changes_between(before: ScenarioFacts, after: ScenarioFacts) -> Iterator[Change]:
    """All differences: of the diagram from its top down, then of the settings."""
    yield from _of_diagrams(before.diagram, after.diagram, "")
    yield from _of_facts("setting", "", before.settings, after.settings)


def _of_diagrams(before: DiagramFacts, after: DiagramFacts, path: str) -> Iterator[Change]:
    names = new_names(before, after)
    yield from _of_facts("setting", path or "diagram.", before.about, after.about)
    for old, item in before.blocks.items():
        if old not in names:
            yield from _all_of(item, f"{path}{old}", "removed")
    old_names = {new: old for old, new in names.items()}
    for name, item in after.blocks.items():
        here = f"{path}{name}"
        if name not in old_names:
            yield from _all_of(item, here, "added")
            continue
        if old_names[name] != name:
            yield Change("renamed", _kind_of(item), here, f"{path}{old_names[name]}", here)
        yield from _of_blocks(before.blocks[old_names[name]], item, here)
    for name in (name for name in before.inputs if name not in after.inputs):
        yield Change("removed", "input", f"{path}{name}")
    for name in (name for name in after.inputs if name not in before.inputs):
        yield Change("added", "input", f"{path}{name}")
    wires = {with_new_names(sink, names): with_new_names(source, names) for sink, source in before.wires.items()}
    yield from _of_facts("wire", path, _as_facts(wires), _as_facts(after.wires))
    outputs = {name: with_new_names(source, names) for name, source in before.outputs.items()}
    yield from _of_facts("output", path, _as_facts(outputs), _as_facts(after.outputs))


def _of_blocks(before: BlockFacts | DiagramFacts, after: BlockFacts | DiagramFacts, path: str) -> Iterator[Change]:
    if isinstance(before, DiagramFacts) and isinstance(after, DiagramFacts):
        yield from _of_diagrams(before, after, f"{path}.")
    elif isinstance(before, BlockFacts) and isinstance(after, BlockFacts):
        if before.type != after.type:
            yield Change("changed", "block", path, before.type, after.type)
        yield from _of_parameters(before, after, f"{path}.")
    else:
        yield from _all_of(before, path, "removed")
        yield from _all_of(after, path, "added")


def _of_parameters(before: BlockFacts, after: BlockFacts, path: str) -> Iterator[Change]:
    """Of parameters; one that is left out is its default, where the type says that."""
    old, new = dict(before.parameters), dict(after.parameters)
    for name in (*old, *new):
        given = old.get(name) or new[name]
        for facts, block in ((old, before), (new, after)):
            default = block.default(name) if name not in facts else None
            if default is not None and default.same(given):
                old.pop(name, None)
                new.pop(name, None)
                break
    yield from _of_facts("parameter", path, old, new)


def _of_facts(what: What, path: str, before: Mapping[str, Fact], after: Mapping[str, Fact]) -> Iterator[Change]:
    for name in (*before, *(name for name in after if name not in before)):
        old, new = before.get(name), after.get(name)
        if what == "parameter" and "." in name and name.partition(".")[0] in DECLARED:
            yield from _of_facts("formula", path, *({name: fact} if fact else {} for fact in (old, new)))
        elif old is None and new is not None:
            yield Change("added", what, f"{path}{name}", after=new.text, after_si=new.si)
        elif new is None and old is not None:
            yield Change("removed", what, f"{path}{name}", before=old.text, before_si=old.si)
        elif old is not None and new is not None and not old.same(new):
            yield Change("changed", what, f"{path}{name}", *_apart(old, new), old.si, new.si)


def _apart(before: Fact, after: Fact) -> tuple[str, str]:
    """Two values as text; of long lists that differ in a few places, these."""
    old, new = before.written, after.written
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new) > 1:
        places = [i for i, (a, b) in enumerate(zip(old, new, strict=True)) if a != b]
        if "…" in before.text + after.text:
            i = places[0]
            inner = Fact(old[i], None, before.unit).text, Fact(new[i], None, after.unit).text
            return f"[{i}] {inner[0]}", f"{inner[1]} ({len(places)} of {len(old)} differ)"
    return before.text, after.text


def _all_of(item: BlockFacts | DiagramFacts, path: str, kind: Kind) -> Iterator[Change]:
    """A block with its parameters, or a diagram with all that is in it."""
    side = "after" if kind == "added" else "before"
    if isinstance(item, BlockFacts):
        yield Change(kind, "block", path, **{side: item.type})
        pair = ({}, item.parameters) if kind == "added" else (item.parameters, {})
        yield from _of_facts("parameter", f"{path}.", *pair)
        return
    yield Change(kind, "diagram", path)
    for name, inner in item.blocks.items():
        yield from _all_of(inner, f"{path}.{name}", kind)
    for what, facts in (("wire", item.wires), ("output", item.outputs)):
        found = _as_facts(facts)
        pair = ({}, found) if kind == "added" else (found, {})
        yield from _of_facts(what, f"{path}.", *pair)  # type: ignore[arg-type]


def _kind_of(item: BlockFacts | DiagramFacts) -> What:
    return "diagram" if isinstance(item, DiagramFacts) else "block"


def _as_facts(items: Mapping[str, str]) -> dict[str, Fact]:
    return {name: Fact(value) for name, value in items.items()}
