"""Kernel of the hotel load."""

from cython_kernels.views.power.hotel_load cimport HotelLoadView


cdef inline void hotel_load_outputs(const HotelLoadView* b, double t) noexcept nogil:
    """power = on P_i."""
    cdef int i
    for i in range(b.n.n):
        b.y.power[i] = b.u.on[0] * b.p.consumption[i]
