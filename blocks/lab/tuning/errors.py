"""What can go wrong in tuning."""

from __future__ import annotations

from typing import TYPE_CHECKING

from blocks.errors import KeelblocksError

if TYPE_CHECKING:
    from blocks.lab.tuning.outcome import Tuned


class TuningError(KeelblocksError):
    """Something cannot be tuned as it was asked for."""


class TuningInterrupted(TuningError):
    """The user interrupted the search. `tuned` is the best that was found until then."""

    def __init__(self, message: str, tuned: Tuned) -> None:
        super().__init__(message)
        self.tuned = tuned
