"""Tables in text, before they are read: pandas takes minutes over thousands of columns."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable
from pathlib import Path

MOST_COLUMNS = 1000
_LOOKED_AT = 100
"""Lines, by which pandas decides how many columns there are."""
_SEPARATORS = re.compile(r"[,;\t|]| +")


def check_width(path: str | Path) -> None:
    """Raise ValueError if a file has more columns than a table can be meant to have; OSError if it is not there."""
    with Path(path).open(encoding="utf-8", errors="replace") as file:
        check_lines(file)


def check_lines(lines: Iterable[str]) -> None:
    """As `check_width`, of lines."""
    for number, line in enumerate(itertools.islice(lines, _LOOKED_AT), 1):
        count = sum(1 for _ in itertools.islice(_SEPARATORS.finditer(line), MOST_COLUMNS))
        if count == MOST_COLUMNS:
            raise ValueError(f"line {number} has more than {MOST_COLUMNS} columns")
