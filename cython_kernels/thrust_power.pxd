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
    cdef const double* nu_r = b.u[0]
    cdef int i
    for i in range(4):
        if b.y[i] != NULL:
            b.y[i][0] = wrench_power(b.u[1 + i], nu_r)
    if b.y[4] != NULL:
        b.y[4][0] = -wrench_power(b.u[5], nu_r)
    if b.y[5] != NULL:
        b.y[5][0] = (
            wrench_power(b.u[1], nu_r) + wrench_power(b.u[5], nu_r)
            - wrench_power(b.u[2], nu_r) - wrench_power(b.u[3], nu_r) - wrench_power(b.u[4], nu_r)
        )
