"""A point of the hull: its velocity, and the wrench of a force that acts there."""


cdef inline void velocity_at(const double* nu, const double* r, double* out) noexcept nogil:
    """v + omega x r."""
    out[0] = nu[0] + nu[4] * r[2] - nu[5] * r[1]
    out[1] = nu[1] + nu[5] * r[0] - nu[3] * r[2]
    out[2] = nu[2] + nu[3] * r[1] - nu[4] * r[0]


cdef inline void wrench_of(const double* force, const double* r, double* out) noexcept nogil:
    """(F, r x F)."""
    out[0] = force[0]
    out[1] = force[1]
    out[2] = force[2]
    out[3] = r[1] * force[2] - r[2] * force[1]
    out[4] = r[2] * force[0] - r[0] * force[2]
    out[5] = r[0] * force[1] - r[1] * force[0]
