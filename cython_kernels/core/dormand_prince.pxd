"""The adaptive solver: Dormand and Prince's 5(4) pair with dense output and located zero crossings.

Sources: Dormand and Prince (1980), J. Comp. Appl. Math. 6; the step control, first step and dense output follow
Hairer, Nørsett and Wanner (1993), Solving Ordinary Differential Equations I, ch. II.4-II.6.
"""

from libc.math cimport fabs, isfinite, sqrt
from libc.string cimport memcpy

from cython_kernels.core.calls cimport take_crossings
from cython_kernels.core.evaluate cimport (
    continuous_outputs, faulty, forget_faults, right_hand_side, states_are_finite,
)
from cython_kernels.core.plan cimport *
from cython_kernels.core.solvers cimport start_step, vector
from cython_kernels.mathematics.elementary.bits cimport bits_of, from_bits
from cython_kernels.mathematics.limits cimport larger, smaller

cdef extern from *:
    """
    static inline void kb_step_again(void *plan, double h) KB_FAR;
    """


cdef inline double scaled_norm(const Plan* s, const double* e, const double* a, const double* b) noexcept nogil:
    """Root mean square of e over the tolerated error at states a and b."""
    cdef int i
    cdef double part, total = 0.0
    for i in range(s.header.x):
        part = e[i] / (s.header.absolute_tolerance + s.header.relative_tolerance * larger(fabs(a[i]), fabs(b[i])))
        total += part * part
    return sqrt(total / s.states)


cdef inline double fifth_root(double x) noexcept nogil:
    """The fifth root of x >= 0, to 1e-14: from a fifth of its bits and those of 2^818.4, by Newton's method."""
    cdef double root = from_bits(bits_of(x) / 5 + 0x3326666666666666ULL)
    cdef double square
    cdef int _i
    for _i in range(4):
        square = root * root
        root = 0.8 * root + 0.2 * x / (square * square)
    return root


cdef inline double first_step(Plan* s, double limit) noexcept nogil:
    """A step size to begin with, by Hairer's estimate from two derivatives."""
    cdef int i
    cdef double* x0 = vector(s, 0)
    cdef double* k1 = vector(s, 1)
    cdef double d0, d1, d2, h0, h1
    d0 = scaled_norm(s, x0, x0, x0)
    d1 = scaled_norm(s, k1, x0, x0)
    h0 = 1e-6 if d0 < 1e-5 or d1 < 1e-5 else 0.01 * d0 / d1
    h0 = smaller(h0, limit)
    for i in range(s.header.x):
        s.x[i] = x0[i] + h0 * k1[i]
    right_hand_side(s, s.clock.t + h0)
    for i in range(s.header.x):
        s.dx[i] -= k1[i]
    d2 = scaled_norm(s, s.dx, x0, x0) / h0
    if larger(d1, d2) <= 1e-15:
        h1 = larger(1e-6, h0 * 1e-3)
    else:
        h1 = fifth_root(0.01 / larger(d1, d2))
    return smaller(smaller(100.0 * h0, h1), limit)


cdef inline double try_step(Plan* s, double h) noexcept nogil:
    """Attempt a step of h; x becomes the new state, dx its derivative. Returns the error over the tolerated one."""
    cdef int i
    cdef int n = s.header.x
    cdef double t = s.clock.t
    cdef double* x0 = vector(s, 0)
    cdef double* k1 = vector(s, 1)
    cdef double* k2 = vector(s, 2)
    cdef double* k3 = vector(s, 3)
    cdef double* k4 = vector(s, 4)
    cdef double* k5 = vector(s, 5)
    cdef double* k6 = vector(s, 6)
    cdef double* error = vector(s, 7)
    cdef double* x = s.x
    for i in range(n):
        x[i] = x0[i] + h * (1.0 / 5.0) * k1[i]
    right_hand_side(s, t + h / 5.0)
    memcpy(k2, s.dx, <size_t>n * sizeof(double))
    for i in range(n):
        x[i] = x0[i] + h * (3.0 / 40.0 * k1[i] + 9.0 / 40.0 * k2[i])
    right_hand_side(s, t + h * 3.0 / 10.0)
    memcpy(k3, s.dx, <size_t>n * sizeof(double))
    for i in range(n):
        x[i] = x0[i] + h * (44.0 / 45.0 * k1[i] - 56.0 / 15.0 * k2[i] + 32.0 / 9.0 * k3[i])
    right_hand_side(s, t + h * 4.0 / 5.0)
    memcpy(k4, s.dx, <size_t>n * sizeof(double))
    for i in range(n):
        x[i] = x0[i] + h * (
            19372.0 / 6561.0 * k1[i] - 25360.0 / 2187.0 * k2[i] + 64448.0 / 6561.0 * k3[i] - 212.0 / 729.0 * k4[i]
        )
    right_hand_side(s, t + h * 8.0 / 9.0)
    memcpy(k5, s.dx, <size_t>n * sizeof(double))
    for i in range(n):
        x[i] = x0[i] + h * (
            9017.0 / 3168.0 * k1[i] - 355.0 / 33.0 * k2[i] + 46732.0 / 5247.0 * k3[i] + 49.0 / 176.0 * k4[i]
            - 5103.0 / 18656.0 * k5[i]
        )
    right_hand_side(s, t + h)
    memcpy(k6, s.dx, <size_t>n * sizeof(double))
    for i in range(n):
        x[i] = x0[i] + h * (
            35.0 / 384.0 * k1[i] + 500.0 / 1113.0 * k3[i] + 125.0 / 192.0 * k4[i] - 2187.0 / 6784.0 * k5[i]
            + 11.0 / 84.0 * k6[i]
        )
    right_hand_side(s, t + h)
    for i in range(n):
        error[i] = h * (
            71.0 / 57600.0 * k1[i] - 71.0 / 16695.0 * k3[i] + 71.0 / 1920.0 * k4[i] - 17253.0 / 339200.0 * k5[i]
            + 22.0 / 525.0 * k6[i] - 1.0 / 40.0 * s.dx[i]
        )
    return scaled_norm(s, error, x0, x)


cdef inline void prepare_dense(Plan* s, double h) noexcept nogil:
    """Coefficients of the continuous extension over the step just taken, in vectors 7 to 11."""
    cdef int i
    cdef double difference, bending
    cdef double* x0 = vector(s, 0)
    cdef double* k1 = vector(s, 1)
    cdef double* k3 = vector(s, 3)
    cdef double* k4 = vector(s, 4)
    cdef double* k5 = vector(s, 5)
    cdef double* k6 = vector(s, 6)
    for i in range(s.header.x):
        difference = s.x[i] - x0[i]
        bending = h * k1[i] - difference
        vector(s, 7)[i] = x0[i]
        vector(s, 8)[i] = difference
        vector(s, 9)[i] = bending
        vector(s, 10)[i] = difference - h * s.dx[i] - bending
        vector(s, 11)[i] = h * (
            -12715105075.0 / 11282082432.0 * k1[i] + 87487479700.0 / 32700410799.0 * k3[i]
            - 10690763975.0 / 1880347072.0 * k4[i] + 701980252875.0 / 199316789632.0 * k5[i]
            - 1453857185.0 / 822651844.0 * k6[i] + 69997945.0 / 29380423.0 * s.dx[i]
        )


cdef inline void dense_state(Plan* s, double part) noexcept nogil:
    """x at the fraction `part` of the step just taken, of order 4 between its ends."""
    cdef int i
    cdef double rest = 1.0 - part
    for i in range(s.header.x):
        s.x[i] = vector(s, 7)[i] + part * (
            vector(s, 8)[i] + rest * (vector(s, 9)[i] + part * (vector(s, 10)[i] + rest * vector(s, 11)[i]))
        )


cdef inline bint crossed(const Plan* s) noexcept nogil:
    """True if a crossing function has changed sign since the start of the step (kept after the copy of z)."""
    cdef int i
    cdef const double* old = s.scratch + s.header.z
    for i in range(s.header.g):
        if (old[i] < 0.0 and s.g[i] >= 0.0) or (old[i] > 0.0 and s.g[i] <= 0.0):
            return True
    return False


cdef inline bint crossed_at_end(Plan* s, double h) noexcept nogil:
    """True if a crossing has happened at the end of a step of h, where x stands."""
    continuous_outputs(s, s.clock.t + h)
    take_crossings(s, s.clock.t + h)
    return crossed(s)


cdef inline bint crossed_at(Plan* s, double part, double h) noexcept nogil:
    dense_state(s, part)
    continuous_outputs(s, s.clock.t + part * h)
    take_crossings(s, s.clock.t + part * h)
    return crossed(s)


cdef inline double locate_crossing(Plan* s, double h) noexcept nogil:
    """The first fraction of the step at which a crossing has happened, by bisection; 1.0 if none has.

    x stays at the end of the step.
    """
    cdef double low = 0.0
    cdef double high = 1.0
    cdef double middle
    cdef double* end = vector(s, 2)         # k2 is no longer needed
    if s.header.g == 0:
        return 1.0
    memcpy(end, s.x, <size_t>s.header.x * sizeof(double))
    if not crossed_at_end(s, h):
        return 1.0
    while (high - low) * h > 4e-16 * larger(fabs(s.clock.t), h):
        middle = 0.5 * (low + high)
        if middle <= low or middle >= high:
            break
        if crossed_at(s, middle, h):
            high = middle
        else:
            low = middle
    memcpy(s.x, end, <size_t>s.header.x * sizeof(double))
    return high


cdef inline void step_again "kb_step_again"(void* plan, double h) noexcept nogil:
    """Take the last step anew, with another length."""
    cdef Plan* s = <Plan*>plan
    try_step(s, h)
    prepare_dense(s, h)


cdef inline double lengthened(Plan* s, double h, double most) noexcept nogil:
    """The length of a step of h that ends a rounding error of a state before its crossing, taken again to beyond it.

    From there no step to where the crossing seems to be would move that state. What is added doubles from the
    accuracy with which crossings are located, so that the step goes less than twice as far as it must.
    """
    cdef double more = 4e-16 * larger(fabs(s.clock.t), most)
    while h < most and not crossed_at_end(s, h):
        h = smaller(h + more, most)
        more *= 2.0
        step_again(s, h)
    return h


cdef inline double end_at_crossing(Plan* s, double h) noexcept nogil:
    """How far a step of h, just taken, may go: to its end, or to its first zero crossing, to which it is taken again.

    Beyond a crossing the equations may be other ones, so a step that has passed it serves as an estimate of where it
    is. A new step to there is better, and so is the next estimate, from it. One that falls short of it leaves the rest
    to the next step, which is short and so goes beyond. A step always moves time on.
    """
    cdef int _
    cdef double until
    cdef double tried = h
    cdef double least = 4e-16 * fabs(s.clock.t)
    for _ in range(EVENT_ATTEMPTS):
        until = larger(locate_crossing(s, h) * h, least)
        if h - until <= 1e-14 * larger(fabs(s.clock.t), h):
            break
        h = until
        if s.states:
            step_again(s, h)
    if s.states and h < 1e-3 * tried:
        h = lengthened(s, h, tried)
    return h


cdef inline int dopri5_step(Plan* s, double limit, double* taken) noexcept nogil:
    """One accepted step, not past `limit`, that ends early at a zero crossing. `taken`: how far it went, or tried."""
    cdef double room = limit - s.clock.t
    cdef double h, error, factor, wanted
    cdef bint rejected = False
    start_step(s)
    if faulty(s):
        return STATUS_FAULT
    memcpy(s.scratch + s.header.z, s.g, <size_t>s.header.g * sizeof(double))
    if s.header.max_step > 0.0 and room > s.header.max_step:
        room = s.header.max_step
    if s.states == 0:
        h = room
        wanted = h
    else:
        memcpy(vector(s, 1), s.dx, <size_t>s.header.x * sizeof(double))
        if s.clock.next_step <= 0.0:
            s.clock.next_step = first_step(s, room)
            forget_faults(s)
        h = s.clock.next_step
        while True:
            if h >= room:
                h = room
            elif 2.0 * h > room:                # two equal steps rather than one and a sliver
                h = 0.5 * room
            if not (h > 1e-15 * fabs(s.clock.t)) or h < 1e-300:
                taken[0] = h
                return STATUS_FAULT if faulty(s) else STATUS_STEP_TOO_SMALL
            error = try_step(s, h)
            if isfinite(error) and states_are_finite(s) and not forget_faults(s):
                factor = 0.9 / fifth_root(larger(error, 1e-10))
                factor = smaller(1.0 if rejected else 5.0, larger(0.2, factor))
                if error <= 1.0:
                    break
            else:
                factor = 0.1
            rejected = True
            h *= smaller(factor, 0.9)
        wanted = h * factor
        prepare_dense(s, h)
    s.fresh_derivatives = True
    taken[0] = end_at_crossing(s, h)
    forget_faults(s)                            # of instants beyond the end
    s.clock.next_step = wanted
    return STATUS_END
