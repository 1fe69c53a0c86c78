"""What a trial raises."""

from __future__ import annotations

from blocks.errors import KeelblocksError


class TrialError(KeelblocksError):
    """A block does not keep to what every block must: what is wrong, where, and what to do."""

    code = "failed-trial"
