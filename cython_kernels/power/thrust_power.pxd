"""Kernel of the power that thrust gives to a vehicle, term by term of its equation of motion."""

from cython_kernels.view cimport View


cdef inline double wrench_power(const double* wrench, const double* velocity) noexcept nogil:
    """tau' nu, of six elements."""
    return (
        wrench[0] * velocity[0] + wrench[1] * velocity[1] + wrench[2] * velocity[2]
        + wrench[3] * velocity[3] + wrench[4] * velocity[4] + wrench[5] * velocity[5]
    )


cdef inline void thrust_power_outputs(const View* b, double t) noexcept nogil:
    """y: power, then those of coriolis, damping, restoring, disturbance and, as what is left, inertia.

    u = nu_r, force, coriolis_force, damping_force, restoring_force, disturbance: the terms are in the order of u.
    """
    cdef bint all_of_them = b.y[5] != NULL
    cdef double power[5]
    cdef int i
    for i in range(5):
        power[i] = wrench_power(b.u[1 + i], b.u[0]) if all_of_them or b.y[i] != NULL else 0.0
    power[4] = -power[4]
    for i in range(5):
        if b.y[i] != NULL:
            b.y[i][0] = power[i]
    if all_of_them:
        b.y[5][0] = power[0] - power[4] - power[1] - power[2] - power[3]
