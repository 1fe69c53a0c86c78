"""The parameters that blocks share which know where on the Earth the local coordinates are."""

from __future__ import annotations

import math

from blocks.block import Block
from blocks.model.declare import Parameter
from blocks.model.derived import Derived

EARTH = ("ellipsoid", "sphere_radius")
ORIGIN = ("origin_latitude", "origin_height", *EARTH)
"""What every coordinate depends on that has to do with the origin; its longitude is another matter."""


class TangentPlane(Block, abstract=True):
    """A plane that is tangent to the Earth at an origin, with axes north, east and down."""

    origin_latitude = Parameter(
        unit="rad",
        at_least=-math.pi / 2,
        at_most=math.pi / 2,
        doc="φ_0, geodetic latitude of the origin, positive north",
    )
    origin_longitude = Parameter(
        unit="rad", at_least=-2.0 * math.pi, at_most=2.0 * math.pi, doc="λ_0, longitude of the origin, positive east"
    )
    origin_height = Parameter(
        0.0, unit="m", at_least=-1e6, doc="h_0, height of the origin above the ellipsoid, which is not mean sea level"
    )
    ellipsoid = Parameter("wgs84", choices=("wgs84", "sphere"), doc="the shape of the Earth")
    sphere_radius = Parameter(
        6_371_000.0, unit="m", above=0.0, doc="radius of the Earth if it is a sphere; not used otherwise"
    )

    plane = Derived(
        "radius and squared eccentricity of the Earth, the origin, and what follows from them there: a `TangentPlane`",
        shape=(10,),
        unit=None,
    )
