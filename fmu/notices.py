"""What an export says to people besides what it writes."""

from __future__ import annotations

import warnings


class ExportWarning(UserWarning):
    """What was written is in order, but may not do what was meant, or not in every tool."""


def warn(text: str) -> None:
    """Say it at the place that called the export."""
    warnings.warn(text, ExportWarning, stacklevel=4)
