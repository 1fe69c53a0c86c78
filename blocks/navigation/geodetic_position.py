"""Latitude, longitude and height of a vehicle."""

from __future__ import annotations

from blocks.model.declare import Input, Output
from blocks.model.dependence import elements, whole
from blocks.navigation.tangent_plane import ORIGIN, TangentPlane
from blocks.signal import Angle, Length, Pose

_PLACE = {"eta": elements("x y z")} | whole(*ORIGIN)


class GeodeticPosition(TangentPlane):
    """Latitude, longitude and height of a vehicle whose position is given in a plane tangent to the Earth.

    X = X_0 + R_0 (x, y, z)
    X = ((N + h) cos φ cos λ, (N + h) cos φ sin λ, (N (1 - e²) + h) sin φ),  N = a/√(1 - e² sin² φ)

    x, y, z: position of `eta`, north, east and down of the origin, m; X, X_0: Earth-centred coordinates of vehicle and
    origin, m; R_0: rotation from north, east, down at the origin to these; φ: `latitude`, geodetic, positive north,
    within [-π/2, π/2], rad; λ: `longitude`, positive east, in [-π, π), rad; h: `height` above the ellipsoid, m; φ_0,
    λ_0, h_0: `origin_latitude`, `origin_longitude`, `origin_height`.

    **The Earth** is the ellipsoid of WGS 84, a = 6 378 137 m, e² = f (2 - f) with f = 1/298.257223563, or a sphere with
    a = `sphere_radius` and e = 0, as simple simulators have it. What 1 km is in latitude differs by up to 0.6 %
    between them, in longitude by up to 0.5 %.

    **A plane, not a map.** The plane leaves the Earth's surface, which curves away below it: at z = 0 the height grows
    by (x² + y²)/2a, 0.8 mm at 100 m, 78 mm at 1 km, 7.8 m at 10 km. Heights are above the ellipsoid; mean sea level is
    off it by up to 100 m (the geoid).

    **Accuracy.** The equations are solved for the differences from the origin, by Newton's method, so that latitude and
    longitude are right to the last digit that a double has: 7e-10 m on the ground, 1.4e-9 m for longitudes beyond
    2 rad. Only within 43 km of the centre of the Earth is there more than one solution.

    Raises ParameterError if the latitude of the origin is beyond a pole or its longitude beyond ±2π.

    Source: NIMA (2000), TR8350.2, Department of Defense World Geodetic System 1984, 3rd ed., ch. 3 (a, f) and 4 (X);
    Fossen (2011), Handbook of Marine Craft Hydrodynamics and Motion Control, sec. 2.3 (tangent plane, R_0).
    """

    examples = (
        {"origin_latitude": 0.9, "origin_longitude": 0.08, "origin_height": 40.0},
        {"origin_latitude": -0.6, "origin_longitude": 2.6, "ellipsoid": "sphere"},
    )

    kernel = "geodetic_position"
    positional = ("origin_latitude", "origin_longitude", "origin_height")

    eta = Input(Pose, "η; the position counts")
    latitude = Output(Angle, "φ, geodetic, positive north", depends=_PLACE)
    longitude = Output(Angle, "λ, positive east, in [-π, π)", depends=_PLACE | whole("origin_longitude"))
    height = Output(Length, "h, above the ellipsoid", depends=_PLACE)
