"""What an export says to people besides what it writes."""

from __future__ import annotations

import sys
import warnings

from blocks.errors import KeelblocksWarning


class ExportWarning(KeelblocksWarning):
    """What was written is in order, but may not do what was meant, or not in every tool."""


def warn(text: str) -> None:
    """Say it at the place that called the export."""
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "fmu":
        frame, level = frame.f_back, level + 1
    warnings.warn(text, ExportWarning, stacklevel=level)
