"""How wide a text will be, without asking any font.

The tables hold, for every printable ASCII character, the wider of its advances in DejaVu Sans and in Liberation Sans
(metrically Arial), in hundredths of the font size. Other sans fonts are hardly wider, so a box that is sized by these
tables holds its text on any machine.
"""

from __future__ import annotations

import re
import unicodedata

from . import metrics
from .graph import Graph, Node

__all__ = ["header_width", "printable", "text_width", "title_width"]

# fmt: off
_REGULAR = (
    32, 40, 46, 84, 64, 95, 78, 27, 39, 39, 50, 84, 32, 36, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 34, 34, 84,
    84, 84, 56, 102, 68, 69, 72, 77, 67, 61, 78, 75, 29, 50, 67, 56, 86, 75, 79, 67, 79, 72, 67, 61, 73, 68, 99, 69,
    67, 69, 39, 34, 39, 84, 56, 50, 61, 63, 55, 63, 62, 35, 63, 63, 28, 28, 58, 28, 97, 63, 61, 63, 63, 41, 52, 39, 63,
    59, 82, 59, 59, 52, 64, 34, 64, 84,
)
_BOLD = (
    35, 46, 52, 84, 70, 100, 87, 31, 46, 46, 52, 84, 38, 42, 38, 37, 70, 70, 70, 70, 70, 70, 70, 70, 70, 70, 40, 40,
    84, 84, 84, 61, 100, 77, 76, 73, 83, 68, 68, 82, 84, 37, 56, 77, 64, 100, 84, 85, 73, 85, 77, 72, 68, 81, 77, 110,
    77, 72, 73, 46, 37, 46, 84, 56, 50, 67, 72, 59, 72, 68, 44, 72, 71, 34, 34, 67, 34, 104, 71, 69, 72, 72, 49, 60,
    48, 71, 65, 92, 65, 65, 58, 71, 37, 71, 84,
)
# fmt: on
_ADVANCES = tuple(dict(zip(map(chr, range(32, 127)), table, strict=True)) for table in (_REGULAR, _BOLD))
_OTHER = (75, 85)  # Latin with accents, Greek and Cyrillic, regular and bold; on average they are narrower
_WIDE = 105  # East Asian full-width characters and emoji

# What XML 1.0 allows in a document is all but these.
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def printable(text: str) -> str:
    """The text on one line, with what XML cannot hold replaced by the replacement character."""
    return _NOT_XML.sub("\N{REPLACEMENT CHARACTER}", " ".join(text.split()))


def text_width(text: str, size: float, *, bold: bool = False) -> float:
    """The width of `text` set in a sans font of `size` pixels, in pixels; rather too much than too little."""
    known = _ADVANCES[bold]
    return sum(known[c] if c in known else _advance(c, bold) for c in printable(text)) * size / 100.0


def title_width(graph: Graph) -> float:
    """The width of what stands over a whole drawing."""
    return text_width(graph.title or graph.name, metrics.TITLE_SIZE, bold=True)


def header_width(node: Node) -> float:
    """The width of what stands at the top of a frame: name and title."""
    name = text_width(node.name, metrics.NAME_SIZE, bold=True)
    return name + metrics.BOX_PADDING + text_width(node.title, metrics.TYPE_SIZE)


def _advance(character: str, bold: bool) -> int:
    """Of a character that is not in the tables."""
    known = _ADVANCES[bold]
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):  # drawn on the character before, or not at all
        return 0
    if unicodedata.east_asian_width(character) in ("W", "F"):
        return _WIDE
    # By the letters under the accents, so that Ǆ is as wide as D and Z together.
    letters = unicodedata.normalize("NFKD", character)
    return max(_OTHER[bold], sum(known.get(letter, 0) for letter in letters))
