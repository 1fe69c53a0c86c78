"""What blocks with a tangent plane share: their parameters and setup."""

from cython_kernels.mathematics.geodesy cimport (
    KB_WGS84_RADIUS, KB_WGS84_SQUARED_ECCENTRICITY, TangentPlane, tangent_plane,
)
from cython_kernels.view cimport View

cdef enum:                              # parameters that blocks with a tangent plane share, first and in this order
    GEODETIC_LATITUDE = 0               # of the origin
    GEODETIC_LONGITUDE = 1
    GEODETIC_HEIGHT = 2
    GEODETIC_EARTH = 3                  # 0 WGS 84, 1 a sphere
    GEODETIC_SPHERE_RADIUS = 4


cdef inline void geodetic_setup(const View* b, double t) noexcept nogil:
    """w: the tangent plane at the origin."""
    cdef bint sphere = b.p[GEODETIC_EARTH][0] == 1.0
    tangent_plane(
        <TangentPlane*>b.w,
        b.p[GEODETIC_SPHERE_RADIUS][0] if sphere else KB_WGS84_RADIUS,
        0.0 if sphere else KB_WGS84_SQUARED_ECCENTRICITY,
        b.p[GEODETIC_LATITUDE][0],
        b.p[GEODETIC_LONGITUDE][0],
        b.p[GEODETIC_HEIGHT][0],
    )
