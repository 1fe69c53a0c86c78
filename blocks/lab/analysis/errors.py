"""What can go wrong in an analysis."""

from __future__ import annotations

from blocks.errors import KeelblocksError


class AnalysisError(KeelblocksError):
    """A model cannot be analysed as it was asked for."""
