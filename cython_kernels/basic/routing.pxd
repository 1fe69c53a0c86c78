"""Kernels of the routing blocks."""

from cython_kernels.mathematics.events cimport side
from cython_kernels.mathematics.limits cimport place_in
from cython_kernels.views.basic.routing cimport (
    SWITCH_CRITERION_GREATER_EQUAL,
    DemuxView,
    MuxView,
    SelectorView,
    SwitchView,
)


# mux and demux: n = ports, then the width of each

cdef inline void mux_outputs(const MuxView* b, double t) noexcept nogil:
    """All inputs one after the other."""
    cdef double* y = b.y.y
    cdef const double* u
    cdef int i, j
    for i in range(b.n[0]):
        u = b.u[i]
        for j in range(b.n[i + 1]):     # mostly few, for which memcpy is slower
            y[j] = u[j]
        y += b.n[i + 1]


cdef inline void demux_outputs(const DemuxView* b, double t) noexcept nogil:
    """The input in parts."""
    cdef const double* u = b.u.u
    cdef double* y
    cdef int i, j
    for i in range(b.n[0]):
        y = b.y[i]
        for j in range(b.n[i + 1]):
            y[j] = u[j]
        u += b.n[i + 1]


cdef inline void selector_setup(const SelectorView* b, double t) noexcept nogil:
    cdef int i
    for i in range(b.n[0]):
        b.w.places[i] = place_in(b.p.indices[i], b.n[1])


cdef inline void selector_outputs(const SelectorView* b, double t) noexcept nogil:
    """y_i = u[index_i]."""
    cdef const double* u = b.u.u
    cdef int i
    for i in range(b.n[0]):
        b.y.y[i] = u[<int>b.w.places[i]]


cdef inline bint switch_passes(const SwitchView* b) noexcept nogil:
    cdef double control = b.u.control[0]
    if b.p.criterion[0] == SWITCH_CRITERION_GREATER_EQUAL:
        return control >= b.p.threshold[0]
    return control > b.p.threshold[0]


cdef inline void switch_outputs(const SwitchView* b, double t) noexcept nogil:
    cdef const double* u = b.u.u1 if b.z.passing[0] != 0.0 else b.u.u2
    cdef int i
    for i in range(b.n.n):
        b.y.y[i] = u[i]


cdef inline void switch_update(const SwitchView* b, double t) noexcept nogil:
    b.z.passing[0] = switch_passes(b)


cdef inline void switch_crossings(const SwitchView* b, double t) noexcept nogil:
    b.g.switching[0] = side(switch_passes(b), b.u.control[0] - b.p.threshold[0])
