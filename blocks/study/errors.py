"""What can go wrong with a study."""

from __future__ import annotations

from typing import TYPE_CHECKING

from blocks.errors import SimulationError

if TYPE_CHECKING:
    from blocks.study.outcome import Outcome


class StudyError(SimulationError):
    """A study that cannot be run as it is described."""


class StudyStopped(StudyError):
    """A study that had to stop before its end. `outcome` holds the members that were done by then."""

    def __init__(self, message: str, outcome: Outcome) -> None:
        super().__init__(message)
        self.outcome = outcome


class StudyInterrupted(StudyStopped):
    """A study that the user interrupted."""


class ExecutorLost(Exception):
    """Inside only: an executor that cannot go on, and why."""


class Cancelled(Exception):
    """Inside only: a batch that was given up because the study stops."""
