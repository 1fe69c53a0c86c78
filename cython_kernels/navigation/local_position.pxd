"""Kernel of the conversion to a position in the tangent plane."""

from cython_kernels.mathematics.geodesy cimport TangentPlane, local_from_geodetic
from cython_kernels.navigation.tangent_plane cimport plane_at_origin
from cython_kernels.views.navigation.local_position cimport LocalPositionView
from cython_kernels.views.navigation.tangent_plane cimport TangentPlaneView


cdef inline void local_position_setup(const TangentPlaneView* b, double t) noexcept nogil:
    plane_at_origin(b)


cdef inline void local_position_outputs(const LocalPositionView* b, double t) noexcept nogil:
    cdef double geodetic[3]
    geodetic[0] = b.u.latitude[0]
    geodetic[1] = b.u.longitude[0]
    geodetic[2] = b.u.height[0]
    local_from_geodetic(<const TangentPlane*>b.w.plane, geodetic, b.y.position)
