"""What comes out of a batch of members."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from blocks.study.ways import Way


@dataclass
class Failure:
    """Why a member failed: what the engine says, and what a block written in Python says."""

    failure: tuple[int, str, int, int, float]
    error: str = ""
    inputs: list[NDArray[np.float64]] = field(default_factory=list)
    """What the block read that stopped the run, if it tells of that."""


@dataclass
class Batch:
    """What came out of a task: a row for each member."""

    members: NDArray[np.int64]
    status: NDArray[np.int8]
    end_time: NDArray[np.float64]
    metrics: NDArray[np.float64]
    failures: dict[int, Failure] = field(default_factory=dict)
    notes: dict[int, str] = field(default_factory=dict)
    """Why a metric of a member that ran well is not there."""
    ways: Counter[Way] = field(default_factory=Counter)
    """How many members were run by what."""
