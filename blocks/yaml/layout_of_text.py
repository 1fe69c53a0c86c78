"""Where entries of collections stand in a YAML text, line by line: what belongs to them, and what is around them."""

from __future__ import annotations

import re
from typing import NamedTuple

import yaml

from blocks.replacement import Span
from blocks.yaml.nodes import Alias
from blocks.yaml.places import span_of

_PROPERTIES = re.compile(r"(?:[&!][^\s,\[\]{}]*|#[^\r\n]*|\s)*")
"""An anchor, a tag, and the comments and empty space around them."""
_END = re.compile(r"\r\n|\r|\n")
_COLON = re.compile(r"\s*:")
_ANCHOR = re.compile(r"(?:![^\s]*\s+)?&([^\s,\[\]{}]+)")


class Region(NamedTuple):
    """Whole lines of a text, text[start:end]: with the end of the last one, unless the text ends there."""

    start: int
    end: int


class Text:
    """A text and its lines."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.returns = "\r" in text
        self.ended = text.endswith(("\n", "\r"))
        """Whether the last line has an end."""

        found = _END.search(text)
        self.newline = found[0] if found else "\n"

    # --- lines -----------------------------------------------------------------------------------------------------

    def line_start(self, at: int) -> int:
        """Where the line of a character begins."""
        if self.returns and self.text[at - 1 : at + 1] == "\r\n":  # one end, of two characters
            at -= 1
        start = max(self.text.rfind("\n", 0, at), self.text.rfind("\r", 0, at) if self.returns else -1) + 1
        return 1 if start == 0 and self.text.startswith("\ufeff") else start

    def line_end(self, at: int) -> int:
        """Where the next line begins, or where the text ends."""
        found = _END.search(self.text, at)
        return found.end() if found else len(self.text)

    def content_end(self, at: int) -> int:
        """Where the line of a character ends, without what ends it."""
        end = self.line_end(at)
        return at + len(self.text[at:end].rstrip("\r\n"))

    def column(self, at: int) -> int:
        """How many characters stand before one on its line."""
        return at - self.line_start(at)

    def begins_line(self, at: int) -> bool:
        """Whether nothing but space stands before a character on its line."""
        return not self.text[self.line_start(at) : at].strip()

    def before(self, start: int) -> str | None:
        """The line before one that begins at `start`; None: there is none."""
        return None if start <= self.line_start(0) else self.text[self.line_start(start - 1) : start]

    def comments_above(self, start: int, column: int) -> int:
        """Where the comment lines directly above a line begin, at a column; else where the line begins."""
        while (line := self.before(start)) is not None and line.startswith(" " * column + "#"):
            start -= len(line)
        return start

    def comments_below(self, end: int, column: int) -> int:
        """Where the comment lines below a line end, deeper than a column; else where the next line begins."""
        at, found = end, end
        while at < len(self.text):
            line = self.text[at : (next_line := self.line_end(at))]
            bare = line.lstrip(" \t")
            if bare.startswith("#") and len(line) - len(bare) > column:
                found = next_line
            elif bare.strip():
                break
            at = next_line
        return found

    def behind_comment(self, end: int) -> int:
        """Where the comment ends that stands behind something on its line; without one, where that ends itself."""
        behind = self.content_end(end)
        return behind if end > self.line_start(end) and self.text[end:behind].lstrip().startswith("#") else end

    # --- nodes -----------------------------------------------------------------------------------------------------

    def span(self, node: yaml.Node) -> Span:
        """The characters of a node, with its anchor and tag."""
        return span_of(self.text, node)

    def content(self, node: yaml.Node) -> Span:
        """The characters of a node without its anchor and tag."""
        start, end = self.span(node)
        if not isinstance(node, Alias) and self.text[start : start + 1] in ("&", "!"):
            found = _PROPERTIES.match(self.text, start, end)
            start = found.end() if found else start
        return Span(start, end)

    def anchor(self, node: yaml.Node) -> str | None:
        """The name of a node's anchor, if it has one."""
        found = None if isinstance(node, Alias) else _ANCHOR.match(self.text, self.span(node).start)
        return found[1] if found else None

    def colon(self, key: yaml.Node) -> int:
        """Where the colon after a key ends."""
        found = _COLON.match(self.text, self.span(key).end)
        return found.end() if found else self.span(key).end

    def value_end(self, key: yaml.Node, value: yaml.Node) -> int:
        """Where the value of a key ends: where the colon does, if it has none."""
        start, end = self.span(value)
        return self.colon(key) if start == end else end

    def region(self, key: yaml.Node, value: yaml.Node) -> Region:
        """The lines of an entry of a block mapping: with the comments directly above it and the deeper ones below."""
        at = self.span(key).start
        column = self.column(at)
        start = self.comments_above(self.line_start(at), column)
        return Region(start, self.comments_below(self.line_end(self.value_end(key, value)), column))
