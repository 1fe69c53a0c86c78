"""Writing routes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from blocks.errors import ParameterError
from blocks.files.writing import replacing
from blocks.yaml.writing import write

if TYPE_CHECKING:
    from blocks.routes.edges import Array
    from blocks.routes.way import Way

ENDINGS = (".csv", ".geojson", ".yaml")


def check_ending(path: str | Path) -> str:
    """The ending of a path. Raises ParameterError if it is none of those that are written."""
    ending = Path(path).suffix.lower()
    if ending not in ENDINGS:
        raise ParameterError(f"{path}: a route is written as {', '.join(ENDINGS)}, not {ending or 'without an ending'}")
    return ending


def save_route(route: Way, path: str | Path) -> None:
    """Write a route; see `Route.save`."""
    text = route_text(route, path)
    with replacing(Path(path)) as part:
        part.write_text(text, encoding="utf-8")


def route_text(route: Way, path: str | Path) -> str:
    """What stands in a file of this ending. Raises ParameterError if it is none of those that are written."""
    return {".csv": _table, ".geojson": _geojson, ".yaml": _yaml}[check_ending(path)](route)


def _table(route: Way) -> str:
    import pandas as pd

    columns = {
        "distance [m]": route.distance, "time [s]": route.time, "north [m]": route.place[:, 0],
        "east [m]": route.place[:, 1], "course [deg]": np.degrees(route.course) % 360.0,
        "speed through water [m/s]": route.speed, "clearance [m]": route.clearance, "energy [J]": route.energy,
    }  # fmt: skip
    return str(pd.DataFrame(columns).round(4).to_csv(index=False))


def _yaml(route: Way) -> str:
    made: dict[str, Any] = {"guidance.LineOfSight": route.waypoint_parameters()}
    if route.turning_radius > 0.0:
        made["guidance.DubinsPath"] = route.pose_parameters()
    return write(made)


def _geojson(route: Way) -> str:
    origin = route.water.chart.origin
    figures = {"length": round(route.length, 2), "duration": round(route.duration, 2), "objective": route.objective}
    figures |= {"least_clearance": round(route.least_clearance, 3)} if np.isfinite(route.least_clearance) else {}
    step = max(1, len(route.place) // 500)
    path = np.vstack([route.place[:-1:step], route.place[-1:]])
    features = [
        {
            "type": "Feature", "properties": {"name": name, **properties},
            "geometry": {"type": "LineString", "coordinates": _places(route, places)},
        }
        for name, places, properties in (("route", path, figures), ("waypoints", route.corners, {}))
    ]  # fmt: skip
    units = {} if origin is not None else {"units": "m"}
    return json.dumps({"type": "FeatureCollection", **units, "features": features}, indent=1) + "\n"


def _places(route: Way, places: Array) -> list[list[float]]:
    origin = route.water.chart.origin
    if origin is None:
        return [[float(value) for value in row] for row in np.round(places[:, ::-1], 3)]
    found = [origin.evaluate(eta=[*place, 0.0, 0.0, 0.0, 0.0]).outputs for place in places]
    return [[round(float(np.degrees(one[name])), 8) for name in ("longitude", "latitude")] for one in found]
