"""How wide a text will be, without asking any font.

The table holds, for every printable ASCII character, the wider of its advance in DejaVu Sans and in Liberation Sans
(metrically Arial), in hundredths of the font size. Every usual sans font is at most that wide, so a box that is sized
by this table holds its text on any machine.
"""

from __future__ import annotations

import re
import unicodedata

__all__ = ["printable", "text_width"]

# fmt: off
_ASCII = (
    32, 40, 46, 84, 64, 95, 78, 27, 39, 39, 50, 84, 32, 36, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 34, 34, 84,
    84, 84, 56, 102, 68, 69, 72, 77, 67, 61, 78, 75, 29, 50, 67, 56, 86, 75, 79, 67, 79, 72, 67, 61, 73, 68, 99, 69,
    67, 69, 39, 34, 39, 84, 56, 50, 61, 63, 55, 63, 62, 35, 63, 63, 28, 28, 58, 28, 97, 63, 61, 63, 63, 41, 52, 39, 63,
    59, 82, 59, 59, 52, 64, 34, 64, 84,
)
# fmt: on
_OTHER = 75  # Latin with accents, Greek and Cyrillic: their mean is 0.61 to 0.72 of the font size
_WIDE = 105  # East Asian full-width characters and emoji
_BOLD = 1.12

# What XML 1.0 allows in a document is all but these.
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def printable(text: str) -> str:
    """The text on one line, with what XML cannot hold replaced by the replacement character."""
    return _NOT_XML.sub("\N{REPLACEMENT CHARACTER}", " ".join(text.split()))


def text_width(text: str, size: float, *, bold: bool = False) -> float:
    """An upper estimate of the width of `text` set in a sans font of `size` pixels, in pixels."""
    hundredths = sum(_advance(character) for character in printable(text))
    return hundredths * size / 100.0 * (_BOLD if bold else 1.0)


def _advance(character: str) -> int:
    code = ord(character)
    if 32 <= code < 127:
        return _ASCII[code - 32]
    if unicodedata.combining(character) or unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    if unicodedata.east_asian_width(character) in ("W", "F") or code >= 0x1F000:
        return _WIDE
    return max(_OTHER, _base_advance(character))


def _base_advance(character: str) -> int:
    """The advance of the letter under the accents, so that Å is as wide as A and Ǆ as D and Z together."""
    letters = (ord(letter) for letter in unicodedata.normalize("NFKD", character))
    return sum(_ASCII[code - 32] for code in letters if 32 <= code < 127)
