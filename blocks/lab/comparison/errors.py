"""What can be wrong with a comparison."""

from __future__ import annotations

from blocks.errors import KeelblocksError


class ComparisonError(KeelblocksError):
    """A comparison cannot be made as it is described."""
