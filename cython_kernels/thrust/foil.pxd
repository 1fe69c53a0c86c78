"""Kernel of a foil in the water, fixed or turning, at any cant."""

from cython_kernels.mathematics.trigonometry cimport sine_cosine
from cython_kernels.thrust.foils cimport FoilFlow, foil_commanded_angle, foil_in_the_water
from cython_kernels.thrust.lever_arm cimport velocity_at
from cython_kernels.views.thrust.foil cimport FoilView, foil_as_foil_set
from cython_kernels.views.thrust.foils cimport FoilSetView


cdef inline void foil_setup(const FoilView* b, double t) noexcept nogil:
    """w: sine and cosine of the cant."""
    sine_cosine(b.p.cant[0], b.w.sine, b.w.cosine)


cdef inline void foil_outputs(const FoilView* b, double t) noexcept nogil:
    """A foil that follows its command at once."""
    cdef FoilSetView foil = foil_as_foil_set(b)
    cdef double angle = foil_commanded_angle(foil.p, b.u.command[0])
    cdef FoilFlow flow
    cdef double v[3]
    if b.y.force != NULL or b.y.lift != NULL or b.y.drag != NULL or b.y.angle_of_attack != NULL:
        velocity_at(b.u.nu_r, b.p.position, v)
        flow.u = v[0]
        flow.s = b.w.cosine[0] * v[1] + b.w.sine[0] * v[2]
        foil_in_the_water(
            foil.p, &flow, angle, b.w.sine[0], b.w.cosine[0], b.y.force, b.y.lift, b.y.drag, b.y.angle_of_attack,
        )
    if b.y.angle != NULL:
        b.y.angle[0] = angle
