"""Kernel of the conversion to latitude, longitude and height."""

from cython_kernels.mathematics.geodesy cimport TangentPlane, geodetic_from_local
from cython_kernels.navigation.tangent_plane cimport plane_at_origin
from cython_kernels.views.navigation.geodetic_position cimport GeodeticPositionView
from cython_kernels.views.navigation.tangent_plane cimport TangentPlaneView


cdef inline void geodetic_position_setup(const TangentPlaneView* b, double t) noexcept nogil:
    plane_at_origin(b)


cdef inline void geodetic_position_outputs(const GeodeticPositionView* b, double t) noexcept nogil:
    cdef double geodetic[3]
    geodetic_from_local(<const TangentPlane*>b.w.plane, b.u.eta, geodetic)
    b.y.latitude[0] = geodetic[0]
    b.y.longitude[0] = geodetic[1]
    b.y.height[0] = geodetic[2]
