"""Kernels of the routing blocks."""

from cython_kernels.mathematics.events cimport side
from cython_kernels.mathematics.limits cimport place_in
from cython_kernels.view cimport View


# mux and demux: n = ports, then the width of each

cdef inline void mux_outputs(const View* b, double t) noexcept nogil:
    """All inputs one after the other."""
    cdef double* y = b.y[0]
    cdef const double* u
    cdef int i, j
    for i in range(b.n[0]):
        u = b.u[i]
        for j in range(b.n[i + 1]):     # mostly few, for which memcpy is slower
            y[j] = u[j]
        y += b.n[i + 1]


cdef inline void demux_outputs(const View* b, double t) noexcept nogil:
    """The input in parts."""
    cdef const double* u = b.u[0]
    cdef double* y
    cdef int i, j
    for i in range(b.n[0]):
        y = b.y[i]
        for j in range(b.n[i + 1]):
            y[j] = u[j]
        u += b.n[i + 1]


# selector: p = indices; n = how many, of how many; w = the indices, none of which leads out of the input

cdef inline void selector_setup(const View* b, double t) noexcept nogil:
    cdef int i
    for i in range(b.n[0]):
        b.w[i] = place_in(b.p[0][i], b.n[1])


cdef inline void selector_outputs(const View* b, double t) noexcept nogil:
    """y_i = u[index_i]."""
    cdef const double* u = b.u[0]
    cdef int i
    for i in range(b.n[0]):
        b.y[0][i] = u[<int>b.w[i]]


# switch: u = u1, control, u2; p = threshold, criterion (0: at least, 1: above); z = 1 while u1 passes

cdef inline bint switch_passes(const View* b) noexcept nogil:
    cdef double control = b.u[1][0]
    return control >= b.p[0][0] if b.p[1][0] == 0.0 else control > b.p[0][0]


cdef inline void switch_outputs(const View* b, double t) noexcept nogil:
    cdef const double* u = b.u[0] if b.z[0] != 0.0 else b.u[2]
    cdef int i
    for i in range(b.n[0]):
        b.y[0][i] = u[i]


cdef inline void switch_update(const View* b, double t) noexcept nogil:
    b.z[0] = switch_passes(b)


cdef inline void switch_crossings(const View* b, double t) noexcept nogil:
    b.g[0] = side(switch_passes(b), b.u[1][0] - b.p[0][0])
