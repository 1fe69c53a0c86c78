"""Integrate the continuous states of a plan: one step of a fixed-step method.

Every step starts with outputs evaluated at t. The state at the start of the step stays in vector 0.
"""

from libc.string cimport memcpy

from cython_kernels.core.calls cimport take_derivatives
from cython_kernels.core.evaluate cimport right_hand_side
from cython_kernels.core.plan cimport *


cdef inline double* vector(const Plan* s, int i) noexcept nogil:
    """Scratch vector i of the length of x."""
    return s.scratch + s.header.z + 2 * s.header.g + <size_t>i * s.header.x


cdef inline void move(double* out, const double* x, double h, const double* k, int n) noexcept nogil:
    """out = x + h k."""
    cdef int i
    for i in range(n):
        out[i] = x[i] + h * k[i]


cdef inline void find_derivatives(Plan* s) noexcept nogil:
    """Make sure that dx is the derivative of x."""
    if not s.fresh_derivatives:
        take_derivatives(s, s.clock.t)
        s.fresh_derivatives = True


cdef inline void start_step(Plan* s) noexcept nogil:
    """Keep x and make sure that dx is its derivative."""
    memcpy(vector(s, 0), s.x, <size_t>s.header.x * sizeof(double))
    find_derivatives(s)


cdef inline void euler_step(Plan* s, double h) noexcept nogil:
    """x + h f(t, x), explicit Euler, order 1."""
    start_step(s)
    move(s.x, s.x, h, s.dx, s.header.x)


cdef inline void heun_step(Plan* s, double h) noexcept nogil:
    """Heun's method, the explicit trapezoidal rule, order 2."""
    cdef int n = s.header.x
    cdef double* x0 = vector(s, 0)
    cdef double* total = vector(s, 1)
    start_step(s)
    memcpy(total, s.dx, <size_t>n * sizeof(double))
    move(s.x, x0, h, s.dx, n)
    right_hand_side(s, s.clock.t + h)
    move(total, total, 1.0, s.dx, n)
    move(s.x, x0, 0.5 * h, total, n)


cdef inline void rk4_stage(
    double* x, const double* x0, double* total, const double* dx, double h, int n
) noexcept nogil:
    """total += 2 dx, x = x0 + h dx."""
    cdef int i
    cdef double k
    for i in range(n):
        k = dx[i]
        total[i] += 2.0 * k
        x[i] = x0[i] + h * k


cdef inline void rk4_step(Plan* s, double h) noexcept nogil:
    """The classical Runge-Kutta method (Kutta, 1901), order 4."""
    cdef int n = s.header.x
    cdef int i
    cdef double half = 0.5 * h
    cdef double sixth = h / 6.0
    cdef double k
    cdef double* x0 = vector(s, 0)
    cdef double* total = vector(s, 1)
    cdef double* x = s.x
    cdef const double* dx = s.dx
    find_derivatives(s)
    for i in range(n):
        k = dx[i]
        total[i] = k
        x0[i] = x[i]
        x[i] += half * k
    right_hand_side(s, s.clock.t + half)
    rk4_stage(x, x0, total, dx, half, n)
    right_hand_side(s, s.clock.t + half)
    rk4_stage(x, x0, total, dx, h, n)
    right_hand_side(s, s.clock.t + h)
    for i in range(n):
        x[i] = x0[i] + sixth * (total[i] + dx[i])


cdef inline void fixed_step(Plan* s, double h) noexcept nogil:
    """One step of the plan's fixed-step method."""
    if s.header.x:
        if s.header.solver == SOLVER_EULER:
            euler_step(s, h)
        elif s.header.solver == SOLVER_HEUN:
            heun_step(s, h)
        else:
            rk4_step(s, h)
    s.fresh_derivatives = False
