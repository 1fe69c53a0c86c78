"""What can go wrong with data and with fits."""

from __future__ import annotations

from blocks.errors import KeelblocksError


class LogError(KeelblocksError):
    """Data cannot be read, or are not in order."""


class IdentificationError(KeelblocksError):
    """Parameters cannot be identified as it was asked for."""
