"""The position of a latitude, longitude and height in a plane tangent to the Earth."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from blocks.errors import ParameterError
from blocks.model.declare import Input, Output, Parameter
from blocks.model.dependence import rows, whole
from blocks.navigation.geodetic_position import GeodeticPosition
from blocks.navigation.tangent_plane import EARTH, ORIGIN, TangentPlane
from blocks.signal import Angle, Length, Position

__all__ = ["LocalPosition", "local_position"]

_PLACE = {
    "latitude": Parameter(shape=("n",), unit="rad", at_least=-np.pi / 2, at_most=np.pi / 2),
    "longitude": Parameter(shape=("n",), unit="rad", at_least=-2.0 * np.pi, at_most=2.0 * np.pi),
    "height": Parameter(shape=("n",), unit="m"),
}


class LocalPosition(TangentPlane):
    """The position of a latitude, longitude and height in a plane tangent to the Earth at an origin.

    (x, y, z) = R_0ᵀ (X(φ, λ, h) - X(φ_0, λ_0, h_0))

    `position`: north, east and down of the origin, 3, m; φ: `latitude`, λ: `longitude`, rad; h: `height`, m; the rest
    is as in `GeodeticPosition`, of which this is the inverse. Exact to the last digits of what comes in.

    Raises ParameterError if the latitude of the origin is beyond a pole or its longitude beyond ±2π.

    Source: as `GeodeticPosition`.
    """

    examples = (
        {"origin_latitude": 0.9, "origin_longitude": 0.08, "origin_height": 40.0},
        {"origin_latitude": -0.6, "origin_longitude": 2.6, "ellipsoid": "sphere"},
    )

    kernel = "local_position"
    positional = ("origin_latitude", "origin_longitude", "origin_height")

    latitude = Input(Angle, "φ, geodetic, positive north")
    longitude = Input(Angle, "λ, positive east")
    height = Input(Length, "h, above the ellipsoid", default=0.0)
    position = Output(
        Position,
        "north, east and down of the origin",
        depends=dict.fromkeys(ORIGIN, rows("x z"))
        | whole("latitude", "longitude", "height", "origin_longitude", *EARTH),
    )


def local_position(
    latitude: ArrayLike | str,
    longitude: ArrayLike | str,
    height: ArrayLike | str = 0.0,
    *,
    origin: GeodeticPosition | LocalPosition,
) -> NDArray[np.float64]:
    """Where latitudes and longitudes are in the plane of a block: for waypoints that are known by those.

    Latitude and longitude in rad and height in m, or text with a unit such as "52.0 deg", one or n of each; positions
    north, east and down of the block's origin, n×3, m, or 3 for a single one. Computed by `LocalPosition`.

    Raises ParameterError if they are no numbers, differ in number, or if a latitude is beyond a pole or a longitude
    beyond ±2π, or if the origin is no such block.
    """
    if not isinstance(origin, TangentPlane):
        raise ParameterError(
            f"local_position: origin must be a block that knows it, such as GeodeticPosition('52.0 deg', '4.4 deg'), "
            f"not {origin!r}"
        )
    given = {"latitude": latitude, "longitude": longitude, "height": height}
    read = {name: np.asarray(_PLACE[name].read(value, f"local_position: {name}")) for name, value in given.items()}
    lengths = {name: len(value) for name, value in read.items() if value.ndim}
    if len(set(lengths.values())) > 1:
        found = ", ".join(f"{name} has {n} entries" for name, n in lengths.items())
        raise ParameterError(f"local_position: {found}: they must have the same number")
    block = LocalPosition(**{name: origin.values[name] for name in TangentPlane.parameters})
    places = np.stack(np.broadcast_arrays(*read.values()), axis=-1)
    each = (dict(zip(_PLACE, place, strict=True)) for place in np.atleast_2d(places))
    return np.reshape([block.evaluate(**row).outputs["position"] for row in each], places.shape)
