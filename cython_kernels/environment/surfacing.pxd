"""Kernel of a hull that comes to the surface."""

from cython_kernels.environment.line_ends cimport add_pull
from cython_kernels.mathematics.frames cimport rotation_from_euler
from cython_kernels.mathematics.limits cimport clamp
from cython_kernels.views.environment.surfacing cimport SurfacingView


cdef inline void surfacing_outputs(const SurfacingView* b, double t) noexcept nogil:
    cdef double rotation[9]
    cdef double force[3]
    cdef const double* r
    cdef double depth, x, share
    cdef double whole = 0.0
    cdef double out = 0.0
    cdef int i, k
    rotation_from_euler(b.u.eta + 3, rotation)
    for k in range(6):
        b.y.disturbance[k] = 0.0
    for i in range(b.n.n):
        r = b.p.centres + 3 * i
        depth = b.u.eta[2] + rotation[6] * r[0] + rotation[7] * r[1] + rotation[8] * r[2] + b.u.elevation[0]
        x = clamp(0.5 * (1.0 - depth / b.p.radii[i]), 0.0, 1.0)
        share = b.p.volumes[i] * x * x * (3.0 - 2.0 * x)
        whole += b.p.volumes[i]
        out += share
        share *= b.p.density[0] * b.p.gravity[0]
        for k in range(3):
            force[k] = share * rotation[6 + k]
        add_pull(force, r, b.y.disturbance)
    b.y.emerged[0] = out / whole
