"""A chart: what stands in the way, and how deep the water is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from blocks.environment.files.field_files import quantity
from blocks.errors import ParameterError
from blocks.navigation import GeodeticPosition, local_position
from blocks.routes.edges import Array
from blocks.routes.feature import Feature
from blocks.routes.soundings import Soundings
from blocks.units import to_unit

Origin = GeodeticPosition | Sequence[float | str]


class Chart:
    """What a route is found in: polygons, lines and points, and depths on a grid, all from one origin.

    chart = Chart()
    chart.add([[0, 0], [0, 40], [30, 40], [30, 0]], "land", name="quay")
    chart.add([[60, 20]], "obstacle", shape="point", radius="2 m", name="buoy")

    features: as `Feature` says. soundings: depths on a grid; outside of it no craft goes. origin: the place on the
    Earth that is north 0, east 0, as a `GeodeticPosition` or as latitude and longitude, rad or text; for charts that
    are given so, and for places that are.

    Raises ParameterError for more than one feature of kind "water".
    """

    def __init__(
        self, features: Iterable[Feature] = (), soundings: Soundings | None = None, origin: Origin | None = None
    ) -> None:
        self.features = list(features)
        self.soundings = soundings
        self.origin = None if origin is None else origin_block(origin)
        self._check()

    def __repr__(self) -> str:
        kinds: dict[str, int] = {}
        for feature in self.features:
            kinds[feature.kind] = kinds.get(feature.kind, 0) + 1
        parts = [f"{count} {kind}" for kind, count in kinds.items()]
        if self.soundings is not None:
            parts.append(f"soundings {'×'.join(map(str, self.soundings.depth.shape))}")
        return f"<Chart: {', '.join(parts) or 'open water'}>"

    def add(self, points: ArrayLike, kind: str = "obstacle", **properties: Any) -> Feature:
        """A further feature. Raises ParameterError as `Feature` does."""
        made = Feature(np.asarray(points, dtype=object), kind, **properties)
        self.features.append(made)
        try:
            self._check()
        except ParameterError:
            self.features.pop()
            raise
        return made

    def _check(self) -> None:
        waters = [feature.called for feature in self.features if feature.kind == "water"]
        if len(waters) > 1:
            raise ParameterError(
                f"a chart has one area of water that is not left, and here are {len(waters)}: {', '.join(waters)}; "
                f"make one polygon of them"
            )

    def place(self, given: ArrayLike | Sequence[float | str]) -> Array:
        """Where a place is: north and east, m. Text such as ("52.1 deg", "4.3 deg") is latitude and longitude.

        Raises ParameterError if it is no place, or the chart has no origin.
        """
        pair = list(given) if isinstance(given, (list, tuple, np.ndarray)) else []
        if len(pair) != 2:
            raise ParameterError(f"a place is north and east in m, or latitude and longitude as text, not {given!r}")
        if all(isinstance(part, str) and _is_angle(part) for part in pair):
            if self.origin is None:
                raise ParameterError(f"{pair[0]}, {pair[1]}: the chart has no origin, so places are north and east, m")
            return local_position(pair[0], pair[1], origin=self.origin)[:2]
        names = ("north", "east")
        return np.array([quantity(part, "m", f"{n} of a place") for n, part in zip(names, pair, strict=True)])

    @classmethod
    def from_geojson(cls, path: str | Path, origin: Origin | None = None) -> Chart:
        """The chart in a file of GeoJSON.

        Coordinates are longitude and latitude, deg, as RFC 7946 has it, and are laid out from `origin`, or from the
        middle of what the file has; or with `"units": "m"` at the top of the file east and north, m. Properties of a
        feature: kind, name, depth, radius, as of `Feature`; without a kind, it is an obstacle.

        Raises ParameterError if the file cannot be read.
        """
        from blocks.routes.geojson import read_features

        features, found = read_features(path, None if origin is None else origin_block(origin))
        return cls(features, origin=found)

    @classmethod
    def load(cls, path: str | Path, depths: str | Path | None = None, origin: Origin | None = None) -> Chart:
        """The chart in a file, by its ending: GeoJSON (.geojson, .json), or depths alone (.nc, .csv).

        depths: a further file, of depths that go with GeoJSON; over latitude and longitude they are laid out from the
        same origin. Raises ParameterError if a file cannot be read.
        """
        ending = Path(path).suffix.lower()
        if ending in (".geojson", ".json"):
            made = cls.from_geojson(path, origin)
            made.soundings = None if depths is None else made._depths_of(depths)
            return made
        if depths is not None:
            raise ParameterError(
                f"{path}: depths go with a chart of GeoJSON, .geojson or .json; this is one of depths itself"
            )
        made = cls(origin=origin)
        made.soundings = made._depths_of(path)
        return made

    def _depths_of(self, path: str | Path) -> Soundings:
        ending = Path(path).suffix.lower()
        if ending == ".csv":
            return Soundings.from_csv(path)
        if ending != ".nc":
            raise ParameterError(
                f"{path}: charts are .geojson or .json, depths .nc or .csv, and this is {ending or 'without an ending'}"
            )
        if self.origin is None:
            return Soundings.from_netcdf(path)
        latitude, longitude = self.origin.values["origin_latitude"], self.origin.values["origin_longitude"]
        return Soundings.from_netcdf(path, origin_latitude=float(latitude), origin_longitude=float(longitude))


def origin_block(given: Origin) -> GeodeticPosition:
    """The block of an origin. Raises ParameterError."""
    if isinstance(given, GeodeticPosition):
        return given
    if isinstance(given, (list, tuple)) and len(given) == 2:
        return GeodeticPosition(*given)
    raise ParameterError(f"origin must be latitude and longitude, such as ('52.0 deg', '4.4 deg'), not {given!r}")


def _is_angle(text: str) -> bool:
    try:
        to_unit(text, "rad")
    except ParameterError:
        return False
    return not text.strip()[-1:].isdigit()
