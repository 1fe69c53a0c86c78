"""What is known of the members so far: a row of numbers for each, in memory."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from blocks.study.work import NOT_RUN
from cython_kernels import engine as native

NOT_RUN_NAME, FAILED_NAME = "not run", "failed"


@dataclass
class Records:
    """Status, end time, metrics and reason of each member."""

    status: NDArray[np.int8]
    end_time: NDArray[np.float64]
    metrics: NDArray[np.float64]
    reasons: dict[int, str] = field(default_factory=dict)

    @classmethod
    def empty(cls, members: int, metrics: int) -> Records:
        """Of members that have not been run."""
        return cls(
            np.full(members, NOT_RUN, dtype=np.int8), np.full(members, np.nan), np.full((members, metrics), np.nan)
        )

    def add(self, other: Records, members: NDArray[np.int64]) -> None:
        """Take up what is known of some members."""
        self.status[members] = other.status
        self.end_time[members] = other.end_time
        self.metrics[members] = other.metrics
        self.reasons |= {int(members[i]): reason for i, reason in other.reasons.items()}

    @property
    def pending(self) -> NDArray[np.bool_]:
        """Which members have not been run."""
        return np.asarray(self.status == NOT_RUN)

    @property
    def done(self) -> int:
        """How many members have been run."""
        return int(np.count_nonzero(self.status != NOT_RUN))

    @property
    def names(self) -> list[str]:
        """How each member ended: "end", "stopped" (by the stop signal), "failed" or "not run"."""
        words = {
            number: name if name in ("end", "stopped") else FAILED_NAME for number, name in native.STATUSES.items()
        }
        words[NOT_RUN] = NOT_RUN_NAME
        return [words[number] for number in self.status.tolist()]
