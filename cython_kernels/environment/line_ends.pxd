"""What blocks of mooring lines share: weight in water, where an end is and how it moves, and the wrench of a pull."""

from cython_kernels.mathematics.frames cimport KB_PI, body_to_ned
from cython_kernels.mathematics.limits cimport is_given


cdef inline double wet_weight(
    double given, double mass, double diameter, double density, double gravity
) noexcept nogil:
    """Weight per length in water: the one that is given, or that of mass and volume."""
    return given if is_given(given) else gravity * (mass - 0.25 * KB_PI * density * diameter * diameter)


cdef inline void add_pull(const double* force, const double* r, double* wrench) noexcept nogil:
    """Add (F, r x F)."""
    wrench[0] += force[0]
    wrench[1] += force[1]
    wrench[2] += force[2]
    wrench[3] += r[1] * force[2] - r[2] * force[1]
    wrench[4] += r[2] * force[0] - r[0] * force[2]
    wrench[5] += r[0] * force[1] - r[1] * force[0]


cdef inline void end_motion(
    const double* rotation, const double* eta, const double* nu, const double* r, double* place, double* velocity
) noexcept nogil:
    """Place and velocity, north, east, down, of a point r of a body."""
    cdef double body[3]
    body[0] = nu[0] + nu[4] * r[2] - nu[5] * r[1]
    body[1] = nu[1] + nu[5] * r[0] - nu[3] * r[2]
    body[2] = nu[2] + nu[3] * r[1] - nu[4] * r[0]
    body_to_ned(rotation, body, velocity)
    end_place(rotation, eta, r, place)


cdef inline void end_place(const double* rotation, const double* eta, const double* r, double* place) noexcept nogil:
    """Place, north, east, down, of a point r of a body."""
    cdef int k
    body_to_ned(rotation, r, place)
    for k in range(3):
        place[k] += eta[k]
