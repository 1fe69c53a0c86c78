"""Text files of numbers, read with the lines at hand that messages name."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

from blocks.hydro.errors import HydroError

_MOST = 256 * 1024 * 1024


def content_of(path: Path, what: str = "file") -> bytes:
    """What is in a file. Raises HydroError if it cannot be read."""
    try:
        if path.stat().st_size > _MOST:
            raise HydroError(f"{path} has {path.stat().st_size >> 20} MB, more than such a file can have")
        return path.read_bytes()
    except FileNotFoundError:
        raise HydroError(f"there is no {what} {path}") from None
    except OSError as problem:
        raise HydroError(f"cannot read {path}: {problem.strerror or problem}") from None


def lines_of(path: Path, what: str = "file") -> list[str]:
    """The lines of a text. Raises HydroError if it cannot be read."""
    return content_of(path, what).decode("utf-8", "replace").splitlines()


def numbers_in(line: str) -> list[float]:
    """The numbers that a line begins with; Fortran's D exponents too, and 0.1-101 for 0.1E-101."""
    found: list[float] = []
    for word in line.replace(",", " ").split():
        value = number(word)
        if value is None:
            break
        found.append(value)
    return found


def number(word: str) -> float | None:
    """A number as Fortran writes it, or None."""
    text = word.replace("D", "E").replace("d", "E")
    try:
        return float(text)
    except ValueError:
        pass
    body = text[1:] if text[:1] in "+-" else text
    for sign in "+-":
        mantissa, found, exponent = body.partition(sign)
        if found and mantissa and exponent.isdigit() and "E" not in mantissa.upper():
            try:
                return float(text[: len(text) - len(body)] + mantissa + "E" + sign + exponent)
            except ValueError:
                return None
    return None


def mode(value: float, where: str) -> int:
    """Which of the six modes of a rigid body 1 to 6 is, from 0."""
    if value not in (1.0, 2.0, 3.0, 4.0, 5.0, 6.0):
        raise HydroError(f"{where}: modes must be 1 to 6, of one rigid body, not {value:g}; take several bodies apart")
    return int(value) - 1


class Reader:
    """The lines of a file one after the other."""

    def __init__(self, path: Path, what: str = "file") -> None:
        self.path = path
        self.lines = lines_of(path, what)
        self.at = 0

    @property
    def where(self) -> str:
        """File and line."""
        return f"{self.path}, line {self.at}"

    def line(self) -> str:
        """The next line. Raises HydroError at the end."""
        if self.at >= len(self.lines):
            raise HydroError(f"{self.path} ends after line {self.at}, before all that it announces; was it cut short?")
        self.at += 1
        return self.lines[self.at - 1]

    def numbers(self, least: int, what: str) -> list[float]:
        """The numbers of the next line that is not blank, so many at least; words behind them are left out."""
        while not (line := self.line()).strip():
            pass
        found = numbers_in(line)
        if len(found) < least:
            self.fault(f"{what} wants {least} numbers, not '{line.strip()[:60]}'")
        return found

    def whole(self, least: int, what: str) -> list[int]:
        """The same for whole numbers."""
        found = self.numbers(least, what)
        if not all(abs(value) < 1e9 and value == int(value) for value in found[:least]):
            self.fault(f"{what} must be whole numbers, not {' '.join(f'{value:g}' for value in found[:least])}")
        return [int(value) if abs(value) < 1e9 else 0 for value in found]

    def counts(self, least: int, what: str, most: int = 100_000) -> list[int]:
        """Whole numbers from 1."""
        found = self.whole(least, what)[:least]
        if not all(1 <= value <= most for value in found):
            self.fault(f"{what} must be from 1 to {most}, not {' '.join(map(str, found))}")
        return found

    def matrix(self, what: str) -> list[list[float]]:
        """Six lines of six numbers."""
        return [self.numbers(6, what)[:6] for _ in range(6)]

    def rest(self, what: str) -> Iterator[float]:
        """All numbers that follow, one at least on each line that is not blank."""
        while self.at < len(self.lines):
            if self.lines[self.at].strip():
                yield from self.numbers(1, what)
            else:
                self.at += 1

    def fault(self, words: str) -> NoReturn:
        """Raise HydroError with file and line."""
        raise HydroError(f"{self.where}: {words}")


def rows(path: Path, least: int, what: str) -> Iterator[tuple[int, list[float]]]:
    """Lines of so many numbers at least, with their number in the file; a line of words at the top is left out."""
    for place, line in enumerate(lines_of(path), 1):
        if not line.strip():
            continue
        found = numbers_in(line)
        if len(found) < least:
            if place == 1:
                continue
            raise HydroError(f"{path}, line {place}: {what} wants {least} columns, not '{line.strip()[:60]}'")
        yield place, found
