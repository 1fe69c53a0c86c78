"""A fixed-pitch propeller: thrust and torque over the advance ratio, and the revolutions that give a wanted thrust.

n is the shaft speed in rev/s, negative astern; v_a the speed of the water along the thruster, positive where it comes
from ahead. The advance ratio J = v_a / (|n| D) takes its sign from the water. Each direction of rotation has its own
polynomial K_T(J) and its own interval of J. Outside the interval J is held at its end, so that thrust falls with n^2
towards zero revolutions, where an extrapolated cubic would grow with 1/n.

Source: Carlton (2018), Marine Propellers and Propulsion, 4th ed., ch. 6 (coefficients) and 8 (momentum theory).
"""

from libc.math cimport fabs, sqrt

from cython_kernels.mathematics.frames cimport KB_PI
from cython_kernels.mathematics.limits cimport clamp, smaller
from cython_kernels.mathematics.matrix cimport weighted_pseudo_inverse
from cython_kernels.views.thrust.propellers cimport PROPELLER_SET_ADVANCE_SPEED_AXIAL, PropellerSetView

cdef enum:
    PROPELLER_SIZE = 8              # numbers in a Propeller


ctypedef struct Propeller:
    double advance[6]               # its row of the matrix that takes nu_r to v_a
    double gain_forward             # rho D^4 theta
    double gain_reverse


cdef inline void propeller_constants(const PropellerSetView* b) noexcept nogil:
    """w: the propellers."""
    cdef const double* t = b.p.allocation_matrix
    cdef const double* diameter = b.p.diameter
    cdef bint axial = b.p.advance_speed[0] == PROPELLER_SET_ADVANCE_SPEED_AXIAL
    cdef double gain
    cdef Propeller* own
    cdef int i, j
    if not axial:
        weighted_pseudo_inverse(t, NULL, b.n.n, b.w.propellers, PROPELLER_SIZE)
    for i in range(b.n.n):
        own = <Propeller*>b.w.propellers + i
        for j in range(6):
            if axial:
                own.advance[j] = t[j * b.n.n + i]
            own.advance[j] *= 1.0 - b.p.wake_fraction[i]
        gain = b.p.density[0] * diameter[i] * diameter[i] * diameter[i] * diameter[i]
        own.gain_forward = gain * b.p.loss_forward[i]
        own.gain_reverse = gain * b.p.loss_reverse[i]


cdef inline double advance_speed(const Propeller* own, const double* nu_r) noexcept nogil:
    """v_a."""
    cdef const double* row = &own.advance[0]
    return (
        row[0] * nu_r[0] + row[1] * nu_r[1] + row[2] * nu_r[2] + row[3] * nu_r[3] + row[4] * nu_r[4] + row[5] * nu_r[5]
    )


cdef inline double advance_ratio(double revolutions, double v_a, double diameter, const double* bounds) noexcept nogil:
    """J = v_a / (|n| D) held within the bounds."""
    # the divisor is kept off zero: at rest J then is at a bound, or zero in still water
    cdef double size = fabs(revolutions)
    if size < 1e-100:               # fmax costs a call
        size = 1e-100
    return clamp(v_a / (size * diameter), bounds[0], bounds[1])


cdef inline double cubic_polynomial(const double* c, double x) noexcept nogil:
    """c0 x^3 + c1 x^2 + c2 x + c3."""
    return ((c[0] * x + c[1]) * x + c[2]) * x + c[3]


cdef inline double thrust_at(const Propeller* own, double n, double k_t) noexcept nogil:
    """rho D^4 theta K_T |n| n."""
    return (own.gain_forward if n >= 0.0 else -own.gain_reverse) * n * n * k_t


cdef inline double propeller_thrust(const PropellerSetView* b, int i, double n, double v_a) noexcept nogil:
    """rho D^4 theta K_T(J) |n| n of propeller i."""
    cdef const double* k_t = b.p.thrust_coefficient_forward if n >= 0.0 else b.p.thrust_coefficient_reverse
    cdef const double* bounds = b.p.advance_range_forward if n >= 0.0 else b.p.advance_range_reverse
    return thrust_at(
        <const Propeller*>b.w.propellers + i, n,
        cubic_polynomial(k_t, advance_ratio(n, v_a, b.p.diameter[i], bounds)),
    )


cdef inline double disc_velocity(double thrust, double v, double diameter, double density) noexcept nogil:
    """Speed of the water through an actuator disc that pushes with `thrust` > 0: v/2 + sqrt(v^2/4 + T/(2 rho A)).

    v: speed of the water far ahead of it, positive where it comes towards the disc; A = pi D^2 / 4. Far behind, the
    water has gained twice what it has gained at the disc.
    """
    return 0.5 * v + sqrt(0.25 * v * v + 2.0 * thrust / (KB_PI * density * diameter * diameter))


cdef inline double disc_power(
    double thrust, double v, double diameter, double density, double figure_of_merit
) noexcept nogil:
    """Thrust times the speed of the water through the disc, over the figure of merit; 0 where it does not push."""
    return 0.0 if thrust <= 0.0 else thrust * disc_velocity(thrust, v, diameter, density) / figure_of_merit


cdef inline double momentum_torque_coefficient(double k_t, double j, double figure_of_merit) noexcept nogil:
    """K_Q of an actuator disc of the given figure of merit: K_T (j/2 + sqrt(j^2/4 + 2 K_T/pi)) / (2 pi FM).

    j is the advance ratio in the direction in which the propeller pushes. Where the propeller does not push, K_Q is
    zero: no power is taken from the water.
    """
    return disc_power(k_t, j, 1.0, 1.0, figure_of_merit) / (2.0 * KB_PI)


cdef inline double propeller_revolutions(
    double wanted, double v_a, double diameter, const double* k_t, const double* bounds, double least
) noexcept nogil:
    """The m >= 0 with max(K_T(J), least K_T(0)) m^2 = wanted, J = v_a / (m D); wanted = |thrust| / (rho D^4 theta).

    The left side rises with m from zero on, so there is one solution, and it goes to zero with the wanted thrust.
    Without `least` it would not: a propeller that the water drives gives no thrust before K_T(J) is positive, and
    revolutions would jump where thrust changes sign. Newton's method from the bollard solution, kept in a bracket.
    """
    cdef double floor_k_t = least * k_t[3]
    cdef double low = 0.0
    cdef double high, m, previous, j, k, slope, error
    cdef int _iteration
    if wanted <= 0.0:
        return 0.0
    high = sqrt(wanted / floor_k_t)
    if cubic_polynomial(k_t, advance_ratio(high, v_a, diameter, bounds)) <= floor_k_t:
        return high
    m = smaller(high, sqrt(wanted / k_t[3]))
    for _iteration in range(60):
        j = advance_ratio(m, v_a, diameter, bounds)
        k = cubic_polynomial(k_t, j)
        slope = (3.0 * k_t[0] * j + 2.0 * k_t[1]) * j + k_t[2]
        if j <= bounds[0] or j >= bounds[1]:
            slope = 0.0
        if k < floor_k_t:
            k = floor_k_t
            slope = 0.0
        error = k * m * m - wanted
        if error > 0.0:
            high = m
        else:
            low = m
        previous = m
        m -= error / (m * (2.0 * k - j * slope))
        if m < low or m > high:
            m = 0.5 * (low + high)
        if fabs(m - previous) <= 1e-8 * m:  # the next error is the square of this one
            break
    return m
