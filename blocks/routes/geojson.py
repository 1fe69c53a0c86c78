"""Reading charts from GeoJSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from blocks.errors import ParameterError, shown
from blocks.files.writing import is_file
from blocks.navigation import GeodeticPosition, local_position
from blocks.routes.feature import Feature

if TYPE_CHECKING:
    from blocks.routes.edges import Array

_PROPERTIES = ("kind", "name", "depth", "radius")
_SHAPES = {
    "Point": ("point", 0), "MultiPoint": ("point", 1), "LineString": ("line", 1), "MultiLineString": ("line", 2),
    "Polygon": ("polygon", 2), "MultiPolygon": ("polygon", 3),
}  # fmt: skip
"""The shape of each geometry, and how many brackets stand around its places."""


def read_features(
    path: str | Path, origin: GeodeticPosition | None = None
) -> tuple[list[Feature], GeodeticPosition | None]:
    """The features of a file and what they are laid out from; see `Chart.from_geojson`. Raises ParameterError."""
    data = _opened(path)
    flat = data.get("units") == "m"
    if "units" in data and not flat:
        raise ParameterError(
            f'{path}: units can be "m" alone, not {shown(data["units"])}; longitude and latitude have none'
        )
    if flat and origin is not None:
        raise ParameterError(f"{path} is in metres, and so has no latitude and longitude: leave the origin out")
    parts = list(_parts(path, data))
    if not parts:
        raise ParameterError(f"{path} has no feature")
    if not flat:
        places = np.vstack([ring for _, _, rings, _ in parts for ring in rings])
        _check_degrees(path, places)
        middle = 0.5 * (places.min(axis=0) + places.max(axis=0))
        origin = origin or GeodeticPosition(*np.radians(middle[::-1]))
    features = []
    for where, shape, rings, properties in parts:
        laid = [ring[:, ::-1] if flat else _laid_out(ring, origin) for ring in rings]
        given = {name: properties[name] for name in _PROPERTIES if properties.get(name) is not None}
        given["name"] = str(given.get("name", ""))
        try:
            features.append(Feature(laid[0], shape=shape, holes=tuple(laid[1:]), **given))
        except ParameterError as problem:
            raise ParameterError(f"{path}: {where}: {problem}") from None
    return features, origin


def _laid_out(ring: Array, origin: GeodeticPosition | None) -> Array:
    assert origin is not None
    return local_position(np.radians(ring[:, 1]), np.radians(ring[:, 0]), origin=origin)[:, :2]


def _check_degrees(path: str | Path, places: Array) -> None:
    beyond = (np.abs(places) > [180.0, 90.0]).any(axis=1)
    if beyond.any():
        east, north = places[np.argmax(beyond)]
        raise ParameterError(
            f"{path}: {east:g}, {north:g} is no longitude and latitude in deg; a chart in metres, east and north, says "
            f'"units": "m" at the top'
        )


def _opened(path: str | Path) -> dict[str, Any]:
    if not is_file(Path(path)):
        raise ParameterError(f"there is no file {path}")
    try:
        data = json.loads(Path(path).read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, RecursionError) as problem:
        raise ParameterError(f"{path} is not GeoJSON, or damaged: {str(problem) or type(problem).__name__}") from None
    if not isinstance(data, dict) or "type" not in data:
        raise ParameterError(f"{path} is not GeoJSON: an object with a type is wanted, such as FeatureCollection")
    return data


def _parts(path: str | Path, data: dict[str, Any]) -> Iterator[tuple[str, str, list[Array], dict[str, Any]]]:
    """Each single polygon, line and point: where it stands, its shape, its rings and the properties of its feature."""
    features = data.get("features") if data["type"] == "FeatureCollection" else [data]
    if not isinstance(features, list):
        raise ParameterError(f"{path}: a FeatureCollection has a list of features")
    for number, feature in enumerate(features, start=1):
        where = f"feature {number}"
        if not isinstance(feature, dict):
            raise ParameterError(f"{path}: {where} is no object, but {shown(feature)}")
        geometry = feature.get("geometry") if feature.get("type") == "Feature" else feature
        properties = feature.get("properties") or {}
        if not isinstance(properties, dict):
            raise ParameterError(f"{path}: {where}: properties are no object, but {shown(properties)}")
        if geometry is None:
            continue
        if not isinstance(geometry, dict) or geometry.get("type") not in _SHAPES:
            given = geometry.get("type") if isinstance(geometry, dict) else geometry
            raise ParameterError(f"{path}: {where}: geometry must be one of {', '.join(_SHAPES)}, not {shown(given)}")
        shape, depth = _SHAPES[geometry["type"]]
        coordinates = geometry.get("coordinates")
        wholes = coordinates if depth == {"polygon": 3, "line": 2, "point": 1}[shape] else [coordinates]
        if not isinstance(wholes, list):
            raise ParameterError(f"{path}: {where}: coordinates are no list, but {shown(wholes)}")
        for whole in wholes:
            rings = whole if shape == "polygon" else [whole] if shape == "line" else [[whole]]
            if not isinstance(rings, list) or not rings or [] in rings:
                raise ParameterError(f"{path}: {where}: coordinates of a {shape} are missing")
            yield where, shape, [_places(path, where, ring) for ring in rings], properties


def _places(path: str | Path, where: str, ring: Any) -> Array:
    """Places without heights."""
    try:
        return np.array([[float(place[0]), float(place[1])] for place in ring])
    except (TypeError, ValueError, LookupError, OverflowError):
        raise ParameterError(f"{path}: {where}: coordinates must be places of two numbers, not {shown(ring)}") from None
