"""What an export says to people besides what it writes."""

from __future__ import annotations

import sys
import warnings

from blocks.errors import ExportError, FmuError, KeelblocksWarning

__all__ = ["ExportError", "ExportWarning", "FmuError", "warn"]

_INNER = ("fmu", "blocks")


class ExportWarning(KeelblocksWarning):
    """What was written is in order, but may not do what was meant, or not in every tool."""


def warn(text: str, category: type[Warning] = ExportWarning) -> None:
    """Say it at the place outside of this library that called it."""
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] in _INNER:
        frame, level = frame.f_back, level + 1
    warnings.warn(text, category, stacklevel=level)
