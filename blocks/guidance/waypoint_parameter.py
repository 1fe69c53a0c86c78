"""The parameter that waypoints are given by."""

from __future__ import annotations

from typing import Any

import numpy as np

from blocks.model.declare import Parameter, Value

_ROW = (list, tuple, np.ndarray)


class WaypointParameter(Parameter):
    """Waypoints, n×3: north, east, down, m; n×2 are at depth 0."""

    least_columns = 2

    def __init__(self) -> None:
        doc = "waypoints: north, east, down; without a third column at depth 0"
        super().__init__(shape=("n", 3), unit="m", frame="ned", doc=doc)

    def read(self, value: Any, where: str) -> Value:
        """`value` checked and in SI, with a depth for each waypoint. Raises ParameterError."""
        if isinstance(value, _ROW) and len(value) and all(isinstance(row, _ROW) and len(row) == 2 for row in value):
            value = [[*row, 0.0] for row in value]
        return super().read(value, where)
