"""Numbers of CSV files, read to the last bit by every pandas."""

from __future__ import annotations

from typing import Any

__all__ = ["to_the_last_bit"]


def to_the_last_bit() -> dict[str, Any]:
    """What `pandas.read_csv` has to be told: before 3.1 it rounds some numbers otherwise, then it warns of that."""
    import pandas as pd

    major, minor = (int(part) for part in pd.__version__.split(".")[:2])
    return {"float_precision": "round_trip"} if (major, minor) < (3, 1) else {}
