"""The text of a scenario in a page, and where each parameter stands in it: the changed scenario can be copied.

For each parameter it is found once how the text changes when it gets another value; `studio/web/src/page/yaml.ts` puts
that together for those that were changed. What could not be put together with all others has no edit.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import yaml

from blocks.errors import KeelblocksError, ScenarioError
from blocks.plan.settings import Settings
from blocks.replacement import Replacement, Span, replaced
from blocks.scenario import Scenario
from blocks.scenario.places import item_of
from blocks.scenario.reading import SETTINGS
from blocks.scenario.writing import as_written
from blocks.yaml.layout_of_text import Text
from blocks.yaml.patching import patches
from blocks.yaml.places import ItemPath
from blocks.yaml.plain import same
from blocks.yaml.reading import Document, read
from blocks.yaml.rendering import flow, scalar
from blocks.yaml.scalars import MERGE
from studio.errors import ShareError
from studio.subject import Subject


@dataclass(frozen=True)
class Edit:
    """How the text changes with one parameter: text[start:end] gives way to before, the value and after."""

    path: str
    item: ItemPath
    start: int
    end: int
    before: str
    after: str
    head: int = 0
    """Characters of `before` that begin a section, which stand once where several parameters are put in."""
    parts: tuple[Span, ...] = ()
    """Where the elements of an array stand that is written as a list."""
    rows: tuple[Span, ...] = ()
    """Where the rows of an array stand that may grow, each with the comment behind it."""
    between: str = ""
    """What stands between two rows."""
    says: Any = field(default=None, compare=False)
    """What the file says of it as the page begins."""

    def written(self, at: Callable[[int], int]) -> dict[str, Any]:
        """As the page has it; at: from places in the text to those that a browser counts."""
        found: dict[str, Any] = {"start": at(self.start), "end": at(self.end), "before": self.before}
        found |= {"after": self.after, "head": _length(self.before[: self.head])}
        if self.parts:
            found["parts"] = [[at(start), at(end)] for start, end in self.parts]
        if self.rows:
            found |= {"rows": [[at(start), at(end)] for start, end in self.rows], "between": self.between}
        return found


def text_of(subject: Subject, parameters: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The text, and for each parameter what is to be replaced there.

    Raises ShareError if there is no scenario, or if it does not say what the page is of.
    """
    scenario = subject.scenario
    if scenario is None:
        raise ShareError("only a page of a scenario can hold its YAML: share the scenario's file with --with-yaml")
    _check_told(scenario, subject, parameters)
    document = scenario.kept_text().current(scenario)
    finder = _Finder(document, scenario)
    found = [edit for one in parameters if (edit := finder.edit(one)) is not None]
    edits = _sound(document, _apart(found))
    at = _units_of_browsers(document.text)
    return {"yaml": document.text, "edits": {edit.path: edit.written(at) for edit in edits}}


def _check_told(scenario: Scenario, subject: Subject, parameters: Iterable[Mapping[str, Any]]) -> None:
    """Raise ShareError unless a scenario says what ran: it may have been changed since, or run with other settings."""
    said = Settings(**{key: value for key, value in scenario.settings.items() if key in SETTINGS})
    every = int(scenario.settings.get("every", 1))
    if said == subject.plan.settings and every == subject.every and all(_told(scenario, one) for one in parameters):
        return
    raise ShareError(
        "the scenario does not say what the page is of: it was changed after it ran, or it ran with other settings "
        "than its own; share the scenario, with these in it"
    )


def _told(scenario: Scenario, parameter: Mapping[str, Any]) -> bool:
    """Whether a scenario has the value of a parameter with which the page begins."""
    owner, _, name = parameter["path"].rpartition(".")
    blocks = scenario.diagram.blocks()
    if parameter["kind"] == "input":
        value = (scenario.settings.get("inputs") or {}).get(parameter["path"])
    elif owner in blocks:
        value = blocks[owner].values[name]
    else:  # of a series that feeds an input
        return True
    now = _now(parameter)
    if isinstance(now, (str, bool)):
        return bool(value == now)
    if value is None or isinstance(value, dict):
        return False
    found, values = np.asarray(value, dtype=float).ravel(), np.ravel(now)
    return found.size in (1, values.size) and bool(np.all(found == values))


class _Finder:
    """Finds the edits of one text."""

    def __init__(self, document: Document, scenario: Scenario) -> None:
        self.document, self.text = document, Text(document.text)
        self.blocks = scenario.diagram.blocks()
        self.mark = next(number for number in _MARKS if str(number) not in document.text)
        """A number that does not stand in the text: it stands for values, and those next to it for elements."""

    def edit(self, parameter: Mapping[str, Any]) -> Edit | None:
        """The edit of a parameter; None if there is none that could be made together with any other."""
        item = self.item(parameter)
        if item is None:
            return None
        says = now = _now(parameter)
        stand_in: Any = f"kb{self.mark}" if "choices" in parameter else self.mark
        owner, _, own = parameter["path"].rpartition(".")
        declared = parameter["kind"] != "input" and bool(self.blocks[owner].declaration_keys)
        if declared:  # with its unit, which is its declaration
            if isinstance(now, list):
                return None
            try:
                stand_in, says = (as_written(self.blocks[owner], own, value) for value in (float(self.mark), now))
            except KeelblocksError:
                return None
        spot = self.own(item)
        changes = self.changes(item, stand_in)
        if not changes or (spot is None and (len(changes) > 1 or changes[0].span.start < changes[0].span.end)):
            return None
        start, end = changes[0].span.start, changes[-1].span.end
        if spot is not None and (start < spot.start or end > spot.end):
            return None
        said = replaced(self.document.text, changes)
        said = said[start : len(said) - len(self.document.text) + end]
        mark = f"{float(self.mark)!r}" if declared else f"{stand_in}"
        before, found, after = said.partition(mark)
        if not found or mark in after:
            return None
        if "choices" in parameter and before[-1:] not in ("'", '"') and not all(map(_plain, parameter["choices"])):
            before, after = f'{before}"', f'"{after}'
        head = 0 if spot is not None else self.head(before, after)
        whole = Edit(parameter["path"], item, start, end, before, after, head, says=says)
        if spot is None or declared or parameter["kind"] in ("choice", "switch"):
            return whole
        return self.by_element(whole, parameter, spot)

    def item(self, parameter: Mapping[str, Any]) -> ItemPath | None:
        """The place of a parameter in the file, whether it stands there or not; None if it can have none."""
        owner, _, name = parameter["path"].rpartition(".")
        if parameter["kind"] == "input":
            return ("run", "inputs", parameter["path"])
        block = self.blocks.get(owner)
        if block is None:  # a series that feeds an input
            return None
        item = item_of(self.document, owner)
        entry = _at(self.document.data, item)
        if not isinstance(entry, dict) or not isinstance(entry.get("parameters", {}), dict):
            return None
        there = [one for one in entry.get("parameters", {}) if block.parameter_name(one) == name]
        if block.file_origin is not None and (there or name in block.file_origin.values):
            return None  # what stands in the file of the block may not stand here, too
        words = entry["parameters"][there[0]] if there else None
        if isinstance(words, list) and any(isinstance(one, dict) for one in words):
            return None  # thrusters in words say more than the matrix: their limits would go with them
        if parameter["kind"] != "choice" and len(block.all_parameters()[name].shape) > 2:
            return None
        return (*item, "parameters", there[0] if there else name)

    def changes(self, item: ItemPath, value: Any) -> list[Replacement]:
        """What changes in the text where an item gets a value."""
        data = _with(self.document.data, item, value)
        return [] if data is None else patches(self.document, data)

    def entry(self, item: ItemPath) -> tuple[yaml.Node, Any] | None:
        """The key and the value of an entry that stands in the text itself, not by an alias or a merge."""
        pair, node = None, self.document.root
        for part in item:
            pairs = node.value if isinstance(node, yaml.MappingNode) else ()
            pair = next(((key, value) for key, value in pairs if key.tag != MERGE and key.value == part), None)
            if pair is None:
                return None
            node = pair[1]
        return pair

    def own(self, item: ItemPath) -> Span | None:
        """The characters of such an entry; with the end of its last line, if it has lines of its own."""
        found = self.entry(item)
        if found is None:
            return None
        key, value = found
        end = self.text.span(value).end
        in_lines = isinstance(value, yaml.CollectionNode) and not value.flow_style
        return Span(self.text.span(key).start, self.text.line_end(end) if in_lines else end)

    def head(self, before: str, after: str) -> int:
        """How much of what is put in ahead of a value begins a section."""
        newline = self.text.newline
        in_lines = before.rfind(newline)
        if in_lines < 0:
            return 0
        return in_lines + len(newline) if after.endswith(newline) else in_lines

    def by_element(self, whole: Edit, parameter: Mapping[str, Any], spot: Span) -> Edit:
        """The edit with the places of elements and rows, where an array is written as a list of its numbers."""
        data = _at(self.document.data, whole.item)
        marks = iter(range(self.mark, self.mark + 100_000))
        stand_ins = _marked(data, marks)
        values = np.ravel(whole.says)
        count = next(marks) - self.mark
        if not isinstance(data, list) or count != values.size or not _like(data, whole.says):
            return whole
        changes = self.changes(whole.item, stand_ins)
        if [change.text for change in changes] != [str(self.mark + number) for number in range(count)]:
            return whole
        parts = tuple(change.span for change in changes)
        if parts[0].start < spot.start or parts[-1].end > spot.end:
            return whole
        found = {**vars(whole), "parts": parts}
        if "rows" in parameter:
            rows, between = self.rows(whole.item)
            found |= {"rows": rows, "between": between}
        return Edit(**found)

    def rows(self, item: ItemPath) -> tuple[tuple[Span, ...], str]:
        """Where the rows of a list stand, each with the comment behind it, and what is between two of them."""
        found, text = self.entry(item), self.text
        assert found is not None
        spans = [text.span(one) for one in found[1].value]
        if not found[1].flow_style:
            column = text.column(text.content(found[1]).start)
            with_comments = tuple(Span(start, text.content_end(end)) for start, end in spans)
            return with_comments, f"{text.newline}{' ' * column}- "
        own_lines = len(spans) > 1 and text.begins_line(spans[1].start)
        return tuple(spans), f",{text.newline}{' ' * text.column(spans[1].start)}" if own_lines else ", "


_MARKS = [7_354_810_000_000 + 10_007_000_003 * number for number in range(1000)]


def _now(parameter: Mapping[str, Any]) -> Any:
    """The value with which the page begins, as a file says it: a number, a switch, a choice or lists."""
    values, rows, columns = parameter["values"], parameter.get("rows"), parameter.get("columns")
    if "choices" in parameter:
        return parameter["choices"][int(values[0])]
    if parameter["kind"] == "switch":
        return bool(values[0])
    if rows is not None:
        values = values[: rows["now"] * (columns or 1)]
    if columns:
        return [list(values[at : at + columns]) for at in range(0, len(values), columns)]
    return values[0] if parameter["count"] == 1 and len(values) == 1 and rows is None else list(values)


def _plain(choice: str) -> bool:
    return scalar(choice) == choice


def _at(data: Any, item: ItemPath) -> Any:
    for part in item:
        data = data.get(part) if isinstance(data, dict) else None
    return data


def _with(data: Any, item: ItemPath, value: Any) -> Any:
    """Data with a value at a place, those given as they were; None if the place cannot be."""
    part, *rest = item
    if not isinstance(data, dict):
        return None
    if rest:
        value = _with(data.get(part, {}), tuple(rest), value)
        if value is None:
            return None
    return {**data, part: value}


def _marked(data: Any, marks: Any) -> Any:
    """A list of lists with a number of its own in the place of each item."""
    return [_marked(one, marks) for one in data] if isinstance(data, list) else next(marks)


def _like(data: Any, values: Any) -> bool:
    """Whether a list of the text has the form of the values: rows where they have rows."""
    if not isinstance(values, list):
        return (
            _like(data[0], values) if isinstance(data, list) and len(data) == 1 else not isinstance(data, (list, dict))
        )
    if not isinstance(data, list) or len(data) != len(values):
        return False
    return all(_like(one, value) for one, value in zip(data, values, strict=True))


# --- all together ----------------------------------------------------------------------------------------------------


def _apart(edits: Iterable[Edit]) -> list[Edit]:
    """Those that can be made together with any others: what they replace does not overlap, and what is put in at one
    place goes into one section, one line each."""
    by_place: dict[Span, list[Edit]] = defaultdict(list)
    for edit in edits:
        by_place[Span(edit.start, edit.end)].append(edit)
    left = {span: group for span, group in by_place.items() if len(group) == 1 or _one_section(group)}
    clear = [span for span in left if not any(_overlap(span, other) for other in left if other != span)]
    return [edit for span in clear for edit in left[span]]


def _one_section(edits: Sequence[Edit]) -> bool:
    """Whether edits of one place put entries into one section, none of which ends it."""
    sections = {(edit.item[:-1], edit.before[: edit.head]) for edit in edits}
    put_in = all(edit.start == edit.end for edit in edits)
    return put_in and len(sections) == 1 and not any(edit.after.strip("\r\n ,") for edit in edits)


def _overlap(one: Span, other: Span) -> bool:
    return one.start < other.end and other.start < one.end


def _sound(document: Document, edits: list[Edit]) -> list[Edit]:
    """Those which together make a text that says just this: all of them, unless something was not foreseen."""
    if not edits or _say_it(document, edits):
        return edits
    if len(edits) == 1:
        return []
    half = len(edits) // 2
    one, other = _sound(document, edits[:half]), _sound(document, edits[half:])
    return both if _say_it(document, both := one + other) else one


def _say_it(document: Document, edits: Iterable[Edit]) -> bool:
    """Whether the text that edits make together, with the values that there are, says these and else what it did."""
    data, text, at, last = document.data, "", 0, -1
    for edit in sorted(edits, key=lambda one: one.start):
        data = _with(data, edit.item, edit.says)
        before = edit.before[edit.head :] if edit.start == edit.end == last else edit.before
        text += document.text[at : edit.start] + before + _said(edit) + edit.after
        at = edit.end
        last = edit.start if edit.start == edit.end else last
    try:
        found = read(text + document.text[at:], document.file)
    except ScenarioError:
        return False
    return same(found.data, data)


def _said(edit: Edit) -> str:
    """The value that there is; without its unit, where that stands behind it."""
    if not isinstance(edit.says, str):
        return flow(edit.says)
    value, _, unit = edit.says.partition(" ")
    return value if unit and edit.after.startswith(f" {unit}") else edit.says


def _units_of_browsers(text: str) -> Callable[[int], int]:
    """From places in a text to those that JavaScript counts, which counts some characters twice (UTF-16)."""
    twice = [at for at, letter in enumerate(text) if letter > "\uffff"] if not text.isascii() else []
    return lambda at: at + bisect_left(twice, at)


def _length(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
