"""The text of a scenario, kept as it was written; and what it says now where the scenario was changed in Python."""

from __future__ import annotations

import itertools
import warnings
from pathlib import Path
from typing import Any, Protocol

from blocks.diagram import Diagram
from blocks.replacement import replaced
from blocks.scenario.differences import Side, diagram_in_line, in_line
from blocks.scenario.reading import Reading
from blocks.scenario.reuse import Snapshot, identical
from blocks.yaml.patching import patches
from blocks.yaml.places import ItemPath
from blocks.yaml.plain import copied, same
from blocks.yaml.reading import Document, read
from blocks.yaml.writing import write

_SECTIONS = ("name", "title", "description", "libraries", "settings", "report", "live", "environment")
_MARK = "\ufeff"


class Told(Protocol):
    """What a text is kept for: a scenario."""

    diagram: Diagram
    header: str

    def to_data(self, folder: Path | None = None) -> dict[str, Any]:
        """What the file says, as plain data."""

    @classmethod
    def from_text(cls, text: str, file: str = "scenario") -> Told:
        """Read one from text."""


class KeptText:
    """A text, what it says, and what was made of it."""

    def __init__(self, reading: Reading) -> None:
        self.document, self.text = reading.document, reading.document.text
        self.folder, self.entries = reading.builder.folder, reading.builder.entries

    def saw(self, scenario: Told) -> None:
        """Note what the scenario is that the text gave."""
        self.snapshot = Snapshot(scenario.diagram)
        self.said = {name: copied(getattr(scenario, name)) for name in _SECTIONS}

    def holds(self, scenario: Told) -> bool:
        """Whether the text says what the scenario is: whether nothing was changed in Python."""
        return (
            self.snapshot.diagram is scenario.diagram
            and self.snapshot.holds()
            and all(identical(self.said[name], getattr(scenario, name)) for name in _SECTIONS)
            and scenario.header == leading_comments(self.text)
        )

    def current(self, scenario: Told) -> Document:
        """The text as a document that says what the scenario is."""
        if self.holds(scenario):
            return self.document
        return read(self.seen_from(scenario, scenario.header, self.folder), self.document.file)

    def seen_from(self, scenario: Told, header: str, folder: Path | None) -> str:
        """The text that says what the scenario is, with paths of files as seen from a folder, and with a comment at
        the top."""
        here = folder is not None and folder.resolve() == self.folder.resolve()
        text = self.text if here and self.holds(scenario) else self._in_line(scenario, folder)
        return with_header(text, header)

    def _in_line(self, scenario: Told, folder: Path | None) -> str:
        as_read, now = self.holds(scenario), scenario
        before = scenario if as_read else self._read(scenario, self.text, Path(self.document.file))
        raw = copied(self.document.data)
        then, data = before.to_data(self.folder), now.to_data(folder)
        in_line(raw, *({name: value for name, value in one.items() if name != "diagram"} for one in (then, data)))
        renamed: dict[ItemPath, str] = {}
        raw["diagram"] = diagram_in_line(
            raw["diagram"],
            Side(before.diagram, then["diagram"]),
            Side(now.diagram, data["diagram"]),
            renamed,
            ("diagram",),
        )
        text = replaced(self.text, patches(self.document, raw, renamed))
        if as_read:
            return text
        again = self._read(scenario, text, (folder or Path()) / "scenario").to_data(folder)
        if same(again, data) and _order(again["diagram"]) == _order(data["diagram"]):
            return text
        return leading_comments(self.text) + write(data)

    @staticmethod
    def _read(scenario: Told, text: str, file: Path) -> Told:
        """What a text says, to be compared; it has warned of what it uses when it was read first."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return type(scenario).from_text(text, str(file))


def _order(diagram: dict[str, Any]) -> list[Any]:
    """The names of blocks and ports in their order."""
    own = [list(diagram.get(section, ())) for section in ("blocks", "inputs", "outputs")]
    return own + [_order(block["diagram"]) for block in diagram["blocks"].values() if "diagram" in block]


def leading_comments(text: str) -> str:
    """The comment lines with which a file begins."""
    lines = text.removeprefix(_MARK).splitlines(keepends=True)
    return "".join(itertools.takewhile(lambda line: line.startswith("#"), lines))


def with_header(text: str, header: str) -> str:
    """A text with another comment at the top."""
    mark = _MARK if text.startswith(_MARK) else ""
    return mark + header + text[len(mark) + len(leading_comments(text)) :]
