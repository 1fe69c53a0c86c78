"""The process in which files of others are read. It is left alone with `blocks`: that package is not imported."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from blocks.binary.limits import Unreadable, most_bytes, seconds, words
from blocks.binary.plain import pack
from blocks.child.serving import Answer, bound_memory, bound_time, serve

IDLE = 15.0
"""Seconds without a file, after which the process ends."""
_OVERHEAD = 500_000_000


def main() -> None:
    """Serve until the pipe closes."""
    serve(_call, Unreadable, IDLE)


def _call(method: str, path: str, *arguments: Any) -> Answer:
    """Read a file; with an empty path only import what that takes."""
    if method == "read_mcap":
        from blocks.binary import mcap as reader
    elif method == "read_bag":
        from blocks.binary import bag as reader  # type: ignore[no-redef]
    else:
        from blocks.binary import hdf5 as reader  # type: ignore[no-redef]
    if not path:
        return "", ()
    try:
        size = Path(path).stat().st_size
        bound_time(2.0 * seconds(size))
        bound_memory(3 * most_bytes(size) + _OVERHEAD)
        return pack(getattr(reader, method)(path, most_bytes(size), *arguments))
    except Unreadable:
        raise
    except MemoryError:
        raise Unreadable("it takes more memory than a file of this size should") from None
    except RecursionError:
        raise Unreadable("it is nested too deeply") from None
    except Exception as problem:  # libraries raise many kinds for what is damaged
        raise Unreadable(words(problem)) from None
