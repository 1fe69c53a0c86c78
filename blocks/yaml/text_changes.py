"""Changes of a text, line by line and item by item, as they are found; in the end none overlaps another."""

from __future__ import annotations

import yaml

from blocks.replacement import Replacement, Span
from blocks.yaml.layout_of_text import Text


class Changes:
    """The changes of a text."""

    def __init__(self, text: Text) -> None:
        self.text = text
        self.found: list[Replacement] = []

    def all(self) -> list[Replacement]:
        """All of them, in the order of the text."""
        changes = _joined(self.found)
        return changes if self.text.ended else _without_last_end(changes, self.text.text)

    def replace(self, span: Span, text: str) -> None:
        """Note a change."""
        self.found.append(Replacement(span, text))

    def joined(self, lines: list[str], column: int) -> str:
        """Lines as a text that begins in a column."""
        return (self.text.newline + " " * column).join(lines)

    def cut(self, start: int, end: int) -> None:
        """Take lines out; of empty lines on both sides those above go, too."""
        text = self.text.text
        if not text[end : self.text.line_end(end)].strip():
            while (line := self.text.before(start)) is not None and not line.strip():
                start -= len(line)
        self.replace(Span(start, end), "")

    def put_lines(self, at: int, lines: list[str]) -> None:
        """Put lines in at the start of a line, or behind the last one."""
        end = self.text.newline
        text = self.text.text
        if at == len(text) and text and not text.endswith(("\n", "\r")):
            self.replace(Span(at, at), end + end.join(lines))
        else:
            self.replace(Span(at, at), end.join(lines) + end)

    def in_flow(self, node: yaml.Node, spans: list[Span], gone: set[int], after: dict[int, list[str]]) -> None:
        """Take items out of a flow collection, and put others in behind those with given numbers, -1: first."""
        text = self.text
        end = text.content(node).end
        own_lines = len(spans) > 1 and all(text.begins_line(span.start) for span in spans)
        left = [number for number in range(len(spans)) if number not in gone]
        last = left[-1]
        for number in sorted(gone):
            span = spans[number]
            if number > last:
                continue
            following = spans[number + 1].start
            if own_lines:
                column = text.column(span.start)
                self.cut(text.comments_above(text.line_start(span.start), column), text.line_end(span.end))
            else:
                self.replace(Span(span.start, following), "")
        if gone and max(gone) > last:
            first = min(number for number in gone if number > last)
            tail = Span(spans[last].end, spans[-1].end)
            if own_lines and "#" in text.text[tail.start : tail.end]:
                comma = text.text.index(",", spans[last].end)
                if text.text[spans[-1].end : end].lstrip()[:1] != ",":
                    self.replace(Span(comma, comma + 1), "")
                column = text.column(spans[first].start)
                begin = text.comments_above(text.line_start(spans[first].start), column)
                finish = text.line_end(spans[-1].end)
                if finish > end - 1:
                    finish = spans[-1].end
                self.replace(Span(begin, finish), "")
            else:
                self.replace(tail, "")
        for number, group in after.items():
            if number < 0:
                at = spans[0].start
                self.replace(Span(at, at), "".join(f"{one}, " for one in group))
                continue
            at = spans[number].end
            nearest = text.text[at : text.line_end(at)].lstrip(" ,")
            if (
                own_lines
                and (number == len(spans) - 1 or spans[number + 1].start >= text.line_end(at))
                and (text.line_end(at) < end and (not nearest.strip() or nearest.startswith("#")))
            ):
                indent = text.text[text.line_start(spans[number].start) : spans[number].start]
                has_comma = text.text[at : text.line_end(at)].lstrip().startswith(",")
                is_last = number == last
                if not has_comma:
                    self.replace(Span(at, at), ",")
                joined = [f"{indent}{one}," for one in group]
                if is_last and not has_comma:
                    joined[-1] = joined[-1][:-1]
                self.put_lines(text.line_end(at), joined)
            else:
                self.replace(Span(at, at), "".join(f", {one}" for one in group))


def _joined(changes: list[Replacement]) -> list[Replacement]:
    """Changes that do not overlap: what is taken out twice is taken out once, and not what is put in between."""
    found: list[Replacement] = []
    for change in sorted(dict.fromkeys(changes), key=lambda change: change.span):
        last = found[-1] if found else None
        if last is None or last.text or change.span.start >= last.span.end:
            found.append(change)
        elif not change.text:
            found[-1] = Replacement(Span(last.span.start, max(last.span.end, change.span.end)), "")
        elif change.span.start == change.span.end:
            at, end = change.span.start, last.span.end
            found[-1:] = [
                Replacement(Span(last.span.start, at), ""),
                Replacement(Span(at, at), change.text),
                Replacement(Span(at, end), ""),
            ]
        else:
            found.append(change)
    return found


def _without_last_end(changes: list[Replacement], text: str) -> list[Replacement]:
    """Changes of a text whose last line has no end, after which it has none."""
    start, end, said = len(text), len(text), ""
    left = list(changes)
    while left and left[-1].span.end == start and left[-1].span.start < end:
        last = left.pop()
        start, said = last.span.start, last.text + said
    if start == end:
        return changes
    while not said and start > 0 and text[start - 1] in "\r\n":
        start -= 1
    return [*left, Replacement(Span(start, end), said.rstrip("\r\n"))]
