"""What blocks with a tangent plane share: its constants, from their parameters."""

from cython_kernels.mathematics.geodesy cimport (
    KB_WGS84_RADIUS, KB_WGS84_SQUARED_ECCENTRICITY, TangentPlane, tangent_plane,
)
from cython_kernels.views.navigation.tangent_plane cimport TANGENT_PLANE_ELLIPSOID_SPHERE, TangentPlaneView


cdef inline void plane_at_origin(const TangentPlaneView* b) noexcept nogil:
    """w: the tangent plane at the origin."""
    cdef bint sphere = b.p.ellipsoid[0] == TANGENT_PLANE_ELLIPSOID_SPHERE
    tangent_plane(
        <TangentPlane*>b.w.plane,
        b.p.sphere_radius[0] if sphere else KB_WGS84_RADIUS,
        0.0 if sphere else KB_WGS84_SQUARED_ECCENTRICITY,
        b.p.origin_latitude[0],
        b.p.origin_longitude[0],
        b.p.origin_height[0],
    )
