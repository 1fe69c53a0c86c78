"""A result as a page: what `result.save("run.html")` and `keelblocks run --html` write."""

from __future__ import annotations

from pathlib import Path

from blocks.run.result import Result, ResultError
from studio.errors import ShareError
from studio.share import page_of


def write(result: Result, path: str) -> None:
    """Write the page of a result. Raises ResultError if it cannot be one, and OSError."""
    try:
        text = page_of(result)
    except ShareError as problem:
        raise ResultError(str(problem)) from None
    Path(path).write_bytes(text.encode("utf-8"))
