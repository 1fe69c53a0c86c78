"""Kernel of the drag of a hull across the flow."""

from cython_kernels.dynamics.cross_flow cimport Strips, divide_into_strips, strip_drag
from cython_kernels.views.dynamics.cross_flow_drag cimport CrossFlowDragView


cdef inline void cross_flow_drag_outputs(const CrossFlowDragView* b, double t) noexcept nogil:
    """y: disturbance."""
    cdef const double* nu_r = b.u.nu_r
    cdef double* load = b.y.disturbance
    cdef Strips strips
    cdef double force, moment
    divide_into_strips(b.n.strips, b.p.length[0], b.p.middle[0], b.p.density[0], &strips)
    load[0] = 0.0
    load[3] = 0.0
    strip_drag(&strips, b.p.sway_coefficient, b.p.draught, nu_r[1], nu_r[5], &force, &moment)
    load[1] = -force
    load[5] = -moment
    strip_drag(&strips, b.p.heave_coefficient, b.p.breadth, nu_r[2], -nu_r[4], &force, &moment)
    load[2] = -force
    load[4] = moment
