"""Kernel of mooring lines as elastic catenaries."""

from libc.math cimport sqrt

from cython_kernels.environment.catenary cimport Catenary, line_at_rest
from cython_kernels.environment.line_ends cimport add_pull, end_place, wet_weight
from cython_kernels.mathematics.elementary.inverse_trigonometric cimport atan2
from cython_kernels.mathematics.frames cimport length_of, ned_to_body, rotation_from_euler
from cython_kernels.views.environment.mooring cimport MooringView


cdef inline void mooring_setup(const MooringView* b, double t) noexcept nogil:
    """w: weight in water."""
    cdef int i
    for i in range(b.n.n):
        b.w.wet_weight[i] = wet_weight(
            b.p.weight[i], b.p.mass_per_length[i], b.p.diameter[i], b.p.density[0], b.p.gravity[0]
        )


cdef inline void mooring_outputs(const MooringView* b, double t) noexcept nogil:
    cdef double rotation[9]
    cdef double anchor_rotation[9]
    cdef double at_fairlead[3]
    cdef double at_anchor[3]
    cdef double pull[3]
    cdef double away[2]
    cdef double distance
    cdef Catenary line
    cdef const double* ends
    cdef int i, k
    cdef double depth = b.p.depth[0]
    rotation_from_euler(b.u.eta + 3, rotation)
    rotation_from_euler(b.u.anchor_eta + 3, anchor_rotation)
    for k in range(6):
        b.y.disturbance[k] = 0.0
        b.y.anchor_disturbance[k] = 0.0
    for i in range(b.n.n):
        ends = b.p.lines + 6 * i
        end_place(anchor_rotation, b.u.anchor_eta, ends, at_anchor)
        end_place(rotation, b.u.eta, ends + 3, at_fairlead)
        away[0] = at_anchor[0] - at_fairlead[0]
        away[1] = at_anchor[1] - at_fairlead[1]
        distance = length_of(away[0], away[1])
        if distance > 0.0:
            away[0] /= distance
            away[1] /= distance
        line_at_rest(
            distance, at_anchor[2], at_fairlead[2], depth, b.p.length[i], b.p.axial_stiffness[i], b.w.wet_weight[i],
            b.p.seabed_friction[i], &line
        )
        pull[0] = line.horizontal * away[0]
        pull[1] = line.horizontal * away[1]
        pull[2] = line.vertical
        ned_to_body(rotation, pull, at_fairlead)
        add_pull(at_fairlead, ends + 3, b.y.disturbance)
        pull[0] = -line.low_horizontal * away[0]
        pull[1] = -line.low_horizontal * away[1]
        pull[2] = -line.low_vertical
        ned_to_body(anchor_rotation, pull, at_anchor)
        add_pull(at_anchor, ends, b.y.anchor_disturbance)
        b.y.tension[i] = sqrt(line.horizontal * line.horizontal + line.vertical * line.vertical)
        b.y.anchor_tension[i] = sqrt(
            line.low_horizontal * line.low_horizontal + line.low_vertical * line.low_vertical
        )
        b.y.suspended[i] = b.p.length[i] - line.lying
        b.y.angle[i] = atan2(line.vertical, line.horizontal)
