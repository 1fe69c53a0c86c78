"""What can go wrong with a study."""

from __future__ import annotations

from blocks.errors import SimulationError


class StudyError(SimulationError):
    """A study that cannot be run as it is described."""


class ExecutorLost(Exception):
    """Inside only: an executor that cannot go on, and why."""


class Cancelled(Exception):
    """Inside only: a batch that was given up because the study stops."""
