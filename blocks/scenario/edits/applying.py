"""How edits are made: from data to text by place, and from the text to the diagram; with what was before."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Protocol

from blocks.diagram import Diagram
from blocks.errors import ScenarioError
from blocks.replacement import Replacement, replaced
from blocks.scenario.edits.draft import Draft
from blocks.scenario.kept_text import KeptText, Told
from blocks.scenario.reading import Reading, read_document
from blocks.scenario.reuse import Notation, Reuse, after
from blocks.yaml.patching import patches
from blocks.yaml.plain import same
from blocks.yaml.reading import Document, read

MOST = 500
"""Edits that can be undone."""


class Edited(Told, Protocol):
    """What is edited: a scenario."""

    notation: Notation

    def kept_text(self) -> KeptText:
        """Its text; a new one, if it has none."""

    def take(self, reading: Reading) -> None:
        """Become what a text says."""


class Applying:
    """The edits of one scenario: what was before them, and those that are being made together."""

    def __init__(self, scenario: Edited) -> None:
        self.scenario = scenario
        self.before: list[str] = []
        self.undone: list[str] = []
        self.last = self.kept().text
        """The text after the last edit; what has changed since was changed in Python."""

        self.pending: Document | None = None
        """What edits that are being made together have made of the text."""

        self.moved: dict[str, str] = {}
        self.built: Diagram | None = None
        """What the pending text says, where that was asked for."""

    def text(self) -> str:
        """The text as it is now."""
        return self.document().text

    def document(self) -> Document:
        """The text as it is now, as a document."""
        return self.pending or self.kept().current(self.scenario)

    def kept(self) -> KeptText:
        """The text of the scenario; a new one, if it has none."""
        return self.scenario.kept_text()

    def diagram(self) -> Diagram:
        """What the text says as it is now."""
        if self.pending is None:
            return self.scenario.diagram
        if self.built is None:
            self.built = read_document(self.pending, self.kept().folder).diagram
        return self.built

    def apply(self, change: Callable[[Draft], None]) -> None:
        """Make an edit of the data. Raises ScenarioError; then nothing has changed."""
        document = self.document()
        draft = Draft(document, self.kept().folder)
        change(draft)
        text = replaced(document.text, patches(document, draft.data, draft.renamed, draft.replaced))
        if text == document.text:
            return
        found = read(text, document.file, keep_tree=True)
        if not same(found.data, draft.data):
            raise ScenarioError(
                f"{document.file}: this edit cannot be made in the text as it is written; write the part that it "
                f"concerns in a plainer way, or change the scenario in Python and save it"
            )
        self.take(found, draft.moved)

    def replace(self, changes: str | Iterable[Replacement]) -> None:
        """Replace parts of the text, or all of it."""
        document = self.document()
        text = changes if isinstance(changes, str) else replaced(document.text, changes)
        self.take(read(text, document.file), {})

    def take(self, document: Document, moved: Mapping[str, str]) -> None:
        """Let the scenario be what another text says, or keep that for the end of what is made together."""
        if self.pending is not None:
            self.moved = {before: after(now, moved) for before, now in self.moved.items()} | {
                before: now for before, now in moved.items() if before not in self.moved.values()
            }
            self.pending, self.built = document, None
            return
        text = self.text()
        self.become(document, moved)
        since = [self.last] if text != self.last else []
        self.before = [*self.before, *since, text][-MOST:]
        self.undone.clear()
        self.last = document.text

    def become(self, document: Document, moved: Mapping[str, str]) -> None:
        """Let the scenario be what a text says."""
        scenario, kept = self.scenario, self.kept()
        reuse = Reuse(scenario.diagram, kept.entries, scenario.notation, moved, changed=not kept.holds(scenario))
        scenario.take(read_document(document, kept.folder, reuse))

    @contextlib.contextmanager
    def together(self) -> Iterator[None]:
        """Make all edits in here one."""
        if self.pending is not None:
            yield
            return
        before = self.pending = self.document()
        self.moved, self.built = {}, None
        try:
            yield
            made, moved = self.pending, self.moved
        finally:
            self.pending, self.built = None, None
        if made is not before:
            self.take(made, moved)

    def undo(self) -> bool:
        """Put the text back as it was before the last edit, or before the last change in Python."""
        now = self.text()
        if now != self.last:
            self.before.append(self.last)
        return self.back(self.before, self.undone, now)

    def redo(self) -> bool:
        """Make the edit again that was undone last, if nothing else has changed since."""
        now = self.text()
        return now == self.last and self.back(self.undone, self.before, now)

    def back(self, texts: list[str], others: list[str], now: str) -> bool:
        """Take the last of some texts, and put the present one to the others."""
        if self.pending is not None:
            raise ScenarioError("edits that are made together can be undone when they are made")
        if not texts:
            return False
        self.become(read(texts[-1], self.kept().document.file), {})
        others.append(now)
        self.last = texts.pop()
        return True
