"""Kernels of the blocks with continuous states."""

from libc.math cimport fmin

from cython_kernels.mathematics.events cimport side
from cython_kernels.mathematics.limits cimport clamp
from cython_kernels.view cimport View


cdef inline void state_outputs(const View* b, double t) noexcept nogil:
    """y = x, for blocks whose output is their state."""
    cdef int i
    for i in range(b.n[0]):
        b.y[0][i] = b.x[i]


cdef inline void integrator_derivatives(const View* b, double t) noexcept nogil:
    """dx/dt = u."""
    cdef int i
    for i in range(b.n[0]):
        b.dx[i] = b.u[0][i]


# limited_integrator: p = lower, upper; z = 1 while held at the upper limit, -1 at the lower one, else 0

cdef inline double limited_integrator_hold(const View* b, int i) noexcept nogil:
    if b.x[i] >= b.p[1][i] and b.u[0][i] >= 0.0:
        return 1.0
    if b.x[i] <= b.p[0][i] and b.u[0][i] <= 0.0:
        return -1.0
    return 0.0


cdef inline void limited_integrator_outputs(const View* b, double t) noexcept nogil:
    """y = x within the limits: a fixed step may carry x a little beyond them."""
    cdef int i
    for i in range(b.n[0]):
        b.y[0][i] = clamp(b.x[i], b.p[0][i], b.p[1][i])


cdef inline void limited_integrator_derivatives(const View* b, double t) noexcept nogil:
    """dx/dt = u, but 0 while held at a limit."""
    cdef int i
    for i in range(b.n[0]):
        b.dx[i] = b.u[0][i] if b.z[i] == 0.0 else 0.0


cdef inline void limited_integrator_update(const View* b, double t) noexcept nogil:
    cdef int i
    for i in range(b.n[0]):
        b.z[i] = limited_integrator_hold(b, i)


cdef inline void limited_integrator_crossings(const View* b, double t) noexcept nogil:
    """Free: the nearer limit is reached. Held: u turns back."""
    cdef double distance
    cdef int i
    for i in range(b.n[0]):
        distance = b.u[0][i] if b.z[i] != 0.0 else fmin(b.p[1][i] - b.x[i], b.x[i] - b.p[0][i])
        b.g[i] = side(limited_integrator_hold(b, i) != b.z[i], distance)


cdef inline void first_order_lag_derivatives(const View* b, double t) noexcept nogil:
    """dx/dt = (u - x) / T."""
    cdef int i
    for i in range(b.n[0]):
        b.dx[i] = (b.u[0][i] - b.x[i]) / b.p[0][i]


cdef inline void derivative_outputs(const View* b, double t) noexcept nogil:
    """y = (u - x) / T; its derivatives are those of the first-order lag."""
    cdef int i
    for i in range(b.n[0]):
        b.y[0][i] = (b.u[0][i] - b.x[i]) / b.p[0][i]


# transfer_function: p = numerator, denominator; n = their lengths, highest power first
# w = d, then c and a of the controllable canonical form with a monic denominator s^m + a[m-1] s^(m-1) + ... + a[0]

cdef inline double coefficient(const double* polynomial, int length, int power) noexcept nogil:
    return polynomial[length - 1 - power] if power < length else 0.0


cdef inline void transfer_function_setup(const View* b, double t) noexcept nogil:
    cdef int order = b.n[1] - 1
    cdef double leading = b.p[1][0]
    cdef double* c = b.w + 1
    cdef double* a = b.w + 1 + order
    cdef int i
    b.w[0] = coefficient(b.p[0], b.n[0], order) / leading
    for i in range(order):
        a[i] = coefficient(b.p[1], b.n[1], i) / leading
        c[i] = coefficient(b.p[0], b.n[0], i) / leading - b.w[0] * a[i]


cdef inline void transfer_function_outputs(const View* b, double t) noexcept nogil:
    """y = c x + d u."""
    cdef const double* c = b.w + 1
    cdef double total = 0.0
    cdef int i
    for i in range(b.n[1] - 1):
        total += c[i] * b.x[i]
    if b.w[0] != 0.0:                   # without feedthrough u may be of an earlier instant
        total += b.w[0] * b.u[0][0]
    b.y[0][0] = total


cdef inline void transfer_function_derivatives(const View* b, double t) noexcept nogil:
    cdef int order = b.n[1] - 1
    cdef const double* a = b.w + 1 + order
    cdef double total = b.u[0][0]
    cdef int i
    for i in range(order):
        total -= a[i] * b.x[i]
        b.dx[i] = b.x[i + 1] if i + 1 < order else 0.0
    b.dx[order - 1] = total


# state_space: p = A, B, C, D; n = states, inputs, outputs; w = 1 if D has an element that is not 0

cdef inline double row_times(const double* matrix, int row, int columns, const double* vector) noexcept nogil:
    cdef double total = 0.0
    cdef int j
    for j in range(columns):
        total += matrix[row * columns + j] * vector[j]
    return total


cdef inline void state_space_setup(const View* b, double t) noexcept nogil:
    cdef int i
    b.w[0] = 0.0
    for i in range(b.n[2] * b.n[1]):
        if b.p[3][i] != 0.0:
            b.w[0] = 1.0


cdef inline void state_space_outputs(const View* b, double t) noexcept nogil:
    """y = C x + D u."""
    cdef int i
    for i in range(b.n[2]):
        b.y[0][i] = row_times(b.p[2], i, b.n[0], b.x)
        if b.w[0] != 0.0:               # without feedthrough u may be of an earlier instant
            b.y[0][i] += row_times(b.p[3], i, b.n[1], b.u[0])


cdef inline void state_space_derivatives(const View* b, double t) noexcept nogil:
    """dx/dt = A x + B u."""
    cdef int i
    for i in range(b.n[0]):
        b.dx[i] = row_times(b.p[0], i, b.n[0], b.x) + row_times(b.p[1], i, b.n[1], b.u[0])
