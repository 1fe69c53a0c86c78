"""How CSV is written: in which encoding, cut by what, and with which sign before its decimals."""

from __future__ import annotations

import codecs
import csv
import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

SEPARATORS = ",;\t|"
_CHUNK = 1 << 20
_LOOKED_AT = 50
"""Lines, by which the sign of decimals is told."""
_WITH_COMMA = re.compile(r"[-+]?\d*,\d+([eE][-+]?\d+)?\Z")
_WITH_POINT = re.compile(r"[-+]?\d*\.\d+([eE][-+]?\d+)?\Z")


@dataclass(frozen=True)
class Writing:
    """How a file of CSV is written, which its first lines tell."""

    encoding: str
    separator: str
    decimal: str

    @classmethod
    def of(cls, path: Path) -> Writing:
        """Of a file. Raises OSError."""
        encoding = _encoding(path)
        separator = _separator(path, encoding)
        return cls(encoding, separator, _decimal(path, encoding, separator))

    def too_long(self, path: Path) -> str:
        """The first line that has more values than there are headings, and why that may be."""
        rows = ((number, _cells(line, self.separator)) for number, line in _lines(path, self.encoding))
        _, headings = next(rows)
        number, values = max(rows, key=lambda row: (row[1] > headings, -row[0]))
        line = next(line for at, line in _lines(path, self.encoding) if at == number)
        said = f"line {number}: {values} values under {headings} heading{'s' if headings > 1 else ''}"
        if self.separator == "," and values > 1.5 * headings and re.fullmatch(r"[-+\deE, ]+", line):
            return f"{said}; where decimals have a comma, cells have to be separated by semicolons or tabs"
        if headings <= 0.5 * values:
            return f"{said}; the first line must name the columns, and lines before that begin with #"
        return said


def with_points(text: str) -> str:
    """A number with a decimal comma as others write it; other text as it is."""
    return text.strip().replace(",", ".") if _WITH_COMMA.match(text.strip()) else text


def _encoding(path: Path) -> str:
    """UTF-8 if it can be that, else what a byte order mark says, or that of Western Windows: "°" and "µ" of Excel."""
    with path.open("rb") as file:
        start = file.read(4)
        if start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            return "utf-16"
        file.seek(0)
        decoder = codecs.getincrementaldecoder("utf-8")()
        try:
            while chunk := file.read(_CHUNK):
                decoder.decode(chunk)
            decoder.decode(b"", final=True)
        except UnicodeDecodeError:
            return "cp1252"
    return "utf-8-sig"


def _lines(path: Path, encoding: str) -> Iterator[tuple[int, str]]:
    """Lines that say something, with their numbers."""
    with path.open(encoding=encoding, errors="replace") as file:
        for number, line in enumerate(file, 1):
            said = line.partition("#")[0].strip(" \r\n")
            if said:
                yield number, said


def _row(line: str, separator: str) -> list[str]:
    if separator == r"\s+":
        return line.split()
    return next(csv.reader([line], delimiter=separator, skipinitialspace=True))


def _cells(line: str, separator: str) -> int:
    return len(_row(line, separator))


def _separator(path: Path, encoding: str) -> str:
    """What cuts the line of headings; blanks, where they cut the line below it into as many."""
    first, *second = [line for _, line in itertools.islice(_lines(path, encoding), 2)] or [""]
    if not any(separator in first for separator in SEPARATORS):
        return r"\s+" if [len(line.split()) for line in second] == [len(first.split())] else ","
    return max(SEPARATORS, key=lambda separator: _cells(first, separator))


def _decimal(path: Path, encoding: str, separator: str) -> str:
    """The sign before decimals: a comma where cells have that and none a point."""
    comma = False
    for _, line in itertools.islice(_lines(path, encoding), 1, _LOOKED_AT):
        for cell in _row(line, separator):
            if _WITH_POINT.match(cell.strip()):
                return "."
            comma = comma or bool(_WITH_COMMA.match(cell.strip()))
    return "," if comma else "."
