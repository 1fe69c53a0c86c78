"""What is fuzzed: the files that a reader takes, how they are damaged, and the call that must stand it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from blocks.errors import KeelblocksError

Mutate = Callable[[Random, bytes, Sequence[bytes]], bytes]
"""Damages the second argument; the third are files of the same kind, to take parts from."""


@dataclass(frozen=True)
class Reader:
    """One reader of Keelblocks."""

    name: str
    seeds: Callable[[Path], Mapping[str, bytes]]
    """Sound files by the name they need, relative to a folder, into which goes what has to stand beside them."""
    read: Callable[[Path], Any]
    mutate: Mutate
    share: int = 10
    """How many of a hundred or so cases it gets: those that read fast get more."""
    own: tuple[type[Exception], ...] = (KeelblocksError,)
    """The errors with which it may refuse a file."""


EXAMPLES = Path(__file__).parents[3] / "examples"
_FOREIGN = 0.02
"""The part of the cases in which a reader gets an example of whatever kind, as it is."""


@cache
def _examples() -> list[bytes]:
    return [path.read_bytes() for path in sorted(EXAMPLES.rglob("*.*")) if path.is_file() and path.suffix != ".pyc"]


def damaged(reader: Reader, files: Mapping[str, bytes], seed: int, number: int) -> tuple[str, bytes]:
    """The name and content of a case."""
    random, kind = Random(f"{reader.name} {seed} {number}"), Random(f"{reader.name} {seed} {number} kind")
    name = random.choice(sorted(files))
    if kind.random() < _FOREIGN:
        return name, kind.choice(_examples())
    alike = [content for other, content in sorted(files.items()) if Path(other).suffix == Path(name).suffix]
    return name, reader.mutate(random, files[name], alike)
