"""A typeset formula in lines of Unicode, no wider than a terminal."""

from __future__ import annotations

from blocks.formula.boxes import Box, beside, brace, bracket, fenced, fraction, raised, root, stacked, text
from blocks.formula.elements import (
    Cases,
    Element,
    Fence,
    Fraction,
    Letter,
    Matrix,
    Numeral,
    Raised,
    Root,
    Row,
    Sign,
    Word,
)
from blocks.formula.letters import above, below, dotted, drawn, spelled, split
from blocks.formula.tree import Equations
from blocks.formula.typeset import equations_of

_INDENT = 2
"""Columns by which the second line of a long row stands in."""
_LEAST = 12
"""Columns that a piece gets however deep it stands."""


def typeset(equations: Equations, width: int = 80) -> str:
    """All equations, one below the other, with their equals signs in one column.

    Source of the signs: Unicode 15, blocks Miscellaneous Technical (bracket pieces) and Box Drawing.
    """
    sides = [(laid_out(left, width), right) for _, _, left, right in equations_of(equations)]
    widest = max((left.width for left, _ in sides if left.width <= width // 3), default=0)
    blocks = []
    for left, right in sides:
        begin = beside((left.padded(max(widest, left.width), "right"), text(" = ")))
        found = beside((begin, laid_out(right, max(width - begin.width, _LEAST))))
        blocks.append("\n".join(line.rstrip() for line in found.lines))
    high = any("\n" in block for block in blocks)
    return ("\n\n" if high else "\n").join(blocks)


def laid_out(element: Element, width: int) -> Box:
    """A piece of a formula, broken where it is wider, if it can be."""
    found = _whole(element, width)
    return found if found.width <= width else _broken(element, width)


def _whole(element: Element, width: int) -> Box:
    """A piece with all signs of a row in one line."""
    if isinstance(element, Row):
        return beside(_whole(item, width) for item in element.items)
    if isinstance(element, Fence):
        return fenced(_whole(element.inner, width), element.kind)
    if isinstance(element, Fraction):
        return fraction(laid_out(element.over, width), laid_out(element.under, width))
    if isinstance(element, Raised):
        return _raised(_whole(element.base, width), element.power, width)
    if isinstance(element, Root):
        inner = laid_out(element.inner, max(width - 4, _LEAST))
        if inner.width + inner.height + 2 > width:  # the sign grows with what is below it
            inner = laid_out(element.inner, max(width - 3 * inner.height, _LEAST))
        return root(inner, element.degree)
    if isinstance(element, Matrix):
        return _matrix(element, width)
    if isinstance(element, Cases):
        return _cases(element, width)
    return text(_word(element))


def _word(element: Element) -> str:
    if isinstance(element, Letter):
        return _letter(element)
    if isinstance(element, Numeral):
        mantissa, _, power = element.text.lower().partition("e")
        return f"{mantissa}·10{above(str(int(power)))}" if power else mantissa
    if isinstance(element, Sign):
        if element.text == ",":
            return ", "
        return f" {element.text} " if element.spaced else element.text
    assert isinstance(element, Word)
    return "log₁₀" if element.text == "log10" else element.text


def _letter(letter: Letter) -> str:
    base, under = split(letter.name)
    found = spelled(letter.name)
    if letter.dotted:
        found = dotted(drawn(base)) + found[len(drawn(base)) :]
    if not letter.index:
        return found
    low = None if under or ":" in letter.index else below(letter.index.replace(",", "_"))
    return f"{found}[{_index(letter.index)}]" if low is None else f"{found}{low}"


def _index(index: str) -> str:
    return ", ".join(drawn(part) for part in index.split(","))


def _raised(base: Box, power: Element, width: int) -> Box:
    box = _whole(power, width)
    small = above(box.lines[0].replace("−", "-").strip()) if box.height == 1 else None
    if small is None:
        return raised(base, box)
    if base.height == 1:
        return beside((base, text(small)))
    lines = tuple(line + (small if not number else " " * len(small)) for number, line in enumerate(base.lines))
    return Box(lines, base.base)


def _matrix(element: Matrix, width: int) -> Box:
    columns = len(element.rows[0])
    each = max((width - 4 - 2 * (columns - 1)) // columns, _LEAST)
    rows = [[laid_out(item, each) for item in row] for row in element.rows]
    widths = [max(row[i].width for row in rows) for i in range(columns)]
    lines = [
        beside(part for i, box in enumerate(row) for part in ((text("  "),) if i else ()) + (box.padded(widths[i]),))
        for row in rows
    ]
    if any(line.height > 1 for line in lines):
        blank = text(" " * lines[0].width)
        lines = [part for i, line in enumerate(lines) for part in (((blank,) if i else ()) + (line,))]
    whole = stacked(lines)
    inner = Box(tuple(f" {line} " for line in whole.lines), (whole.height - 1) // 2)
    return fenced(inner, "[]") if len(element.rows) > 1 else fenced(Box(inner.lines, lines[0].base), "[]")


def _cases(element: Cases, width: int) -> Box:
    room = max(width - 2, _LEAST)
    values = [laid_out(value, room) for value, _ in element.rows]
    words = [
        text("otherwise") if condition is None else beside((text("if "), _whole(condition, room)))
        for _, condition in element.rows
    ]
    widest = max(box.width for box in values)
    if widest + 2 + max(box.width for box in words) <= room:
        rows = [
            beside((value.padded(widest, "left"), text("  "), word)) for value, word in zip(values, words, strict=True)
        ]
    else:
        rows = []
        for (_, condition), value, word in zip(element.rows, values, words, strict=True):
            if condition is not None:
                word = beside((text("if "), laid_out(condition, max(room - 5, _LEAST))))
            rows.append(stacked((value, beside((text("  "), word)))))
    lines = stacked(rows).lines
    if len(lines) % 2 == 0:
        between = rows[0].height if len(rows) == 2 else len(lines)
        lines = (*lines[:between], " " * len(lines[0]), *lines[between:])
        lines = tuple(line.ljust(len(lines[0])) for line in lines)
    return beside((brace(len(lines)), text(" "), Box(lines, len(lines) // 2)))


# in several lines


def _broken(element: Element, width: int) -> Box:
    """In lines one below the other."""
    if isinstance(element, (Row, Fence)):
        return _flowed(_pieces(element, max(width - _INDENT, _LEAST)), width)
    return _whole(element, max(width - _INDENT, _LEAST))


def _pieces(element: Element, width: int) -> list[tuple[Box, int]]:
    """What stands beside one another, and how well a line can be broken before it: 2 well, 1 if need be, 0 not."""
    if isinstance(element, Row):
        found: list[tuple[Box, int]] = []
        for item in element.items:
            if isinstance(item, Sign):
                found.append((text(_word(item)), (2 if item.spaced else 1) if item.breaks else 0))
                if item.text == ",":
                    found.append((text(""), 2))
            else:
                found += _pieces(item, width)
        return found
    box = laid_out(element, width) if not isinstance(element, Fence) else _whole(element, width)
    if not isinstance(element, Fence) or box.width <= width // 2:
        return [(box, 0)]
    inner = _pieces(element.inner, width)
    height_above, height_below = max(b.base for b, _ in inner), max(b.below for b, _ in inner)
    left, right = (bracket(kind, height_above + height_below + 1, height_above) for kind in element.kind)
    return [(left, 0), *inner, (right, 0)]


def _flowed(pieces: list[tuple[Box, int]], width: int) -> Box:
    """In as few lines as they fit in."""
    lines: list[Box] = []
    row: list[Box] = []

    def put(group: list[tuple[Box, int]]) -> None:
        nonlocal row
        one = beside(box for box, _ in group)
        room = width - (_INDENT if lines else 0)
        if row and sum(box.width for box in row) + one.width > room:
            if one.width > width - _INDENT and any(level for _, level in group[1:]):
                for part in _groups(group, 1):
                    put(part)
                return
            lines.append(beside(row))
            row = []
        elif not row and one.width > room and any(level for _, level in group[1:]):
            for part in _groups(group, 1):
                put(part)
            return
        row.append(one)

    for group in _groups(pieces, 2):
        put(group)
    lines.append(beside(row))
    high = any(line.height > 1 for line in lines)
    rows = [lines[0]]
    for line in lines[1:]:
        rows += [text("")] * high
        rows.append(beside((text(" " * _INDENT), line)))
    return stacked(rows)


def _groups(pieces: list[tuple[Box, int]], least: int) -> list[list[tuple[Box, int]]]:
    """What stays in one line if lines are broken where they can be so well."""
    found: list[list[tuple[Box, int]]] = []
    for box, level in pieces:
        if not found or level >= least:
            found.append([])
        found[-1].append((box, level if level < least else 0))
    return found
