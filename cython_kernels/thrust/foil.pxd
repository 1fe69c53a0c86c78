"""Kernel of a foil in the water, fixed or turning, at any cant."""

from cython_kernels.mathematics.trigonometry cimport sine_cosine
from cython_kernels.thrust.foils cimport (
    FOIL_PARAMETERS, FOIL_POSITION, FoilFlow, foil_commanded_angle, foil_in_the_water,
)
from cython_kernels.thrust.lever_arm cimport velocity_at
from cython_kernels.view cimport View

cdef enum:                              # parameters beyond those of all foils
    FOIL_CANT = FOIL_PARAMETERS


cdef inline void foil_setup(const View* b, double t) noexcept nogil:
    """w: sine and cosine of the cant."""
    sine_cosine(b.p[FOIL_CANT][0], &b.w[0], &b.w[1])


cdef inline void foil_outputs(const View* b, double t) noexcept nogil:
    """A foil that follows its command at once."""
    cdef double angle = foil_commanded_angle(b)
    cdef FoilFlow flow
    cdef double v[3]
    if b.y[0] != NULL or b.y[1] != NULL or b.y[2] != NULL or b.y[3] != NULL:
        velocity_at(b.u[1], b.p[FOIL_POSITION], v)
        flow.u = v[0]
        flow.s = b.w[1] * v[1] + b.w[0] * v[2]
        foil_in_the_water(b, &flow, angle, b.w[0], b.w[1])
    if b.y[4] != NULL:
        b.y[4][0] = angle
