"""The formats of results that packages bring, besides those of `Result` itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from blocks.errors import KeelblocksError, PackageError
from blocks.packages import RESULTS, Offer, named, reason


def writers_for(result: Any, taken: Iterable[str]) -> dict[str, Callable[[str], None]]:
    """What writes a result to a file, by the ending of that: ".json". `taken` are endings that are written already."""
    offered = named(RESULTS, [ending.removeprefix(".") for ending in taken])
    return {f".{ending.removeprefix('.')}": partial(_write, offer, result) for ending, offer in offered.items()}


def _write(offer: Offer, result: Any, path: str) -> None:
    """Let a package write a result. Raises PackageError if it cannot, and OSError."""
    write = offer.load()
    try:
        write(result, path)
    except (KeelblocksError, OSError):
        raise
    except Exception as problem:  # whatever the package raises
        raise PackageError(f"{offer} cannot write this result: {reason(problem)}") from problem
