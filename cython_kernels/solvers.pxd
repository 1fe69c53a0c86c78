"""Integrate the continuous states of a plan: one step of a fixed-step method.

Every step starts with outputs evaluated at t. The state at the start of the step stays in vector 0.
"""

from libc.string cimport memcpy

from cython_kernels.evaluate cimport right_hand_side, take_derivatives
from cython_kernels.plan cimport *


cdef inline double* vector(const Plan* s, int i) noexcept nogil:
    """Scratch vector i of the length of x."""
    return s.scratch + s.header.z + 2 * s.header.g + <size_t>i * s.header.x


cdef inline void start_step(Plan* s) noexcept nogil:
    """Keep x and make sure that dx is its derivative."""
    memcpy(vector(s, 0), s.x, <size_t>s.header.x * sizeof(double))
    if not s.fresh_derivatives:
        take_derivatives(s, s.clock.t)
        s.fresh_derivatives = True


cdef inline void euler_step(Plan* s, double h) noexcept nogil:
    """x + h f(t, x), explicit Euler, order 1."""
    cdef int i
    start_step(s)
    for i in range(s.header.x):
        s.x[i] += h * s.dx[i]


cdef inline void heun_step(Plan* s, double h) noexcept nogil:
    """Heun's method, the explicit trapezoidal rule, order 2."""
    cdef int i
    cdef double* x0 = vector(s, 0)
    cdef double* k1 = vector(s, 1)
    start_step(s)
    for i in range(s.header.x):
        k1[i] = s.dx[i]
        s.x[i] = x0[i] + h * k1[i]
    right_hand_side(s, s.clock.t + h)
    for i in range(s.header.x):
        s.x[i] = x0[i] + 0.5 * h * (k1[i] + s.dx[i])


cdef inline void rk4_step(Plan* s, double h) noexcept nogil:
    """The classical Runge-Kutta method (Kutta, 1901), order 4."""
    cdef int i
    cdef int n = s.header.x
    cdef double half = 0.5 * h
    cdef double* x0 = vector(s, 0)
    cdef double* total = vector(s, 1)
    cdef double* x = s.x
    cdef double* dx = s.dx
    start_step(s)
    for i in range(n):
        total[i] = dx[i]
        x[i] = x0[i] + half * dx[i]
    right_hand_side(s, s.clock.t + half)
    for i in range(n):
        total[i] += 2.0 * dx[i]
        x[i] = x0[i] + half * dx[i]
    right_hand_side(s, s.clock.t + half)
    for i in range(n):
        total[i] += 2.0 * dx[i]
        x[i] = x0[i] + h * dx[i]
    right_hand_side(s, s.clock.t + h)
    for i in range(n):
        x[i] = x0[i] + h / 6.0 * (total[i] + dx[i])


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
