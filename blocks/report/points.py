"""Some points of a result: a part of its time, or those at which all is a number."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np

from blocks.run.result import Result


def points_of(result: Result, which: Any) -> Result:
    """The result at some of its points: a slice, or a mask."""
    part = copy.copy(result)
    part.time, part._table, part._dataset = result.time[which], result._table[which], None
    part.__dict__.pop("time_increases", None)
    return part


def finite(result: Result) -> Result:
    """The points at which all that was recorded is a finite number: the last one before a run stopped may not be."""
    good = np.isfinite(result._table).all(axis=1)
    return result if good.all() else points_of(result, good)
