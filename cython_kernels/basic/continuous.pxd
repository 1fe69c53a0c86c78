"""Kernels of the blocks with continuous states."""


from cython_kernels.mathematics.events cimport side
from cython_kernels.mathematics.limits cimport clamp, smaller
from cython_kernels.views.basic.continuous cimport (
    DerivativeView,
    FirstOrderLagView,
    IntegratorView,
    LimitedIntegratorView,
    StateSpaceView,
    TransferFunctionView,
)


cdef inline void integrator_outputs(const IntegratorView* b, double t) noexcept nogil:
    """y = x."""
    cdef int i
    for i in range(b.n.n):
        b.y.y[i] = b.x.x[i]


cdef inline void integrator_derivatives(const IntegratorView* b, double t) noexcept nogil:
    """dx/dt = u."""
    cdef int i
    for i in range(b.n.n):
        b.dx.x[i] = b.u.u[i]


cdef inline double limited_integrator_hold(const LimitedIntegratorView* b, int i) noexcept nogil:
    if b.x.x[i] >= b.p.upper[i] and b.u.u[i] >= 0.0:
        return 1.0
    if b.x.x[i] <= b.p.lower[i] and b.u.u[i] <= 0.0:
        return -1.0
    return 0.0


cdef inline void limited_integrator_outputs(const LimitedIntegratorView* b, double t) noexcept nogil:
    """y = x within the limits: a fixed step may carry x a little beyond them."""
    cdef int i
    for i in range(b.n.n):
        b.y.y[i] = clamp(b.x.x[i], b.p.lower[i], b.p.upper[i])


cdef inline void limited_integrator_derivatives(const LimitedIntegratorView* b, double t) noexcept nogil:
    """dx/dt = u, but 0 while held at a limit."""
    cdef int i
    for i in range(b.n.n):
        b.dx.x[i] = b.u.u[i] if b.z.held[i] == 0.0 else 0.0


cdef inline void limited_integrator_update(const LimitedIntegratorView* b, double t) noexcept nogil:
    cdef int i
    for i in range(b.n.n):
        b.z.held[i] = limited_integrator_hold(b, i)


cdef inline void limited_integrator_crossings(const LimitedIntegratorView* b, double t) noexcept nogil:
    """Free: the nearer limit is reached. Held: u turns back."""
    cdef double distance
    cdef int i
    for i in range(b.n.n):
        distance = b.u.u[i] if b.z.held[i] != 0.0 else smaller(b.p.upper[i] - b.x.x[i], b.x.x[i] - b.p.lower[i])
        b.g.turning[i] = side(limited_integrator_hold(b, i) != b.z.held[i], distance)


cdef inline void first_order_lag_outputs(const FirstOrderLagView* b, double t) noexcept nogil:
    """y = x."""
    cdef int i
    for i in range(b.n.n):
        b.y.y[i] = b.x.x[i]


cdef inline void first_order_lag_derivatives(const FirstOrderLagView* b, double t) noexcept nogil:
    """dx/dt = (u - x) / T."""
    cdef int i
    for i in range(b.n.n):
        b.dx.x[i] = (b.u.u[i] - b.x.x[i]) / b.p.time_constant[i]


cdef inline void derivative_outputs(const DerivativeView* b, double t) noexcept nogil:
    """y = (u - x) / T."""
    cdef int i
    for i in range(b.n.n):
        b.y.y[i] = (b.u.u[i] - b.x.x[i]) / b.p.time_constant[i]


cdef inline void derivative_derivatives(const DerivativeView* b, double t) noexcept nogil:
    """dx/dt = (u - x) / T."""
    cdef int i
    for i in range(b.n.n):
        b.dx.x[i] = (b.u.u[i] - b.x.x[i]) / b.p.time_constant[i]


cdef inline double coefficient(const double* polynomial, int length, int power) noexcept nogil:
    return polynomial[length - 1 - power] if power < length else 0.0


cdef inline void transfer_function_setup(const TransferFunctionView* b, double t) noexcept nogil:
    cdef int order = b.n.k - 1
    cdef double leading = b.p.denominator[0]
    cdef int i
    b.w.d[0] = coefficient(b.p.numerator, b.n.m, order) / leading
    for i in range(order):
        b.w.a[i] = coefficient(b.p.denominator, b.n.k, i) / leading
        b.w.c[i] = coefficient(b.p.numerator, b.n.m, i) / leading - b.w.d[0] * b.w.a[i]


cdef inline void transfer_function_outputs(const TransferFunctionView* b, double t) noexcept nogil:
    """y = c x + d u."""
    cdef double total = 0.0
    cdef int i
    for i in range(b.n.k - 1):
        total += b.w.c[i] * b.x.x[i]
    if b.w.d[0] != 0.0:                 # without feedthrough u may be of an earlier instant
        total += b.w.d[0] * b.u.u[0]
    b.y.y[0] = total


cdef inline void transfer_function_derivatives(const TransferFunctionView* b, double t) noexcept nogil:
    cdef int order = b.n.k - 1
    cdef double total = b.u.u[0]
    cdef int i
    for i in range(order):
        total -= b.w.a[i] * b.x.x[i]
        b.dx.x[i] = b.x.x[i + 1] if i + 1 < order else 0.0
    b.dx.x[order - 1] = total


cdef inline double row_times(const double* matrix, int row, int columns, const double* vector) noexcept nogil:
    cdef double total = 0.0
    cdef int j
    for j in range(columns):
        total += matrix[row * columns + j] * vector[j]
    return total


cdef inline void state_space_setup(const StateSpaceView* b, double t) noexcept nogil:
    cdef int i
    b.w.direct[0] = 0.0
    for i in range(b.n.p * b.n.m):
        if b.p.D[i] != 0.0:
            b.w.direct[0] = 1.0


cdef inline void state_space_outputs(const StateSpaceView* b, double t) noexcept nogil:
    """y = C x + D u."""
    cdef int i
    for i in range(b.n.p):
        b.y.y[i] = row_times(b.p.C, i, b.n.n, b.x.x)
        if b.w.direct[0] != 0.0:               # without feedthrough u may be of an earlier instant
            b.y.y[i] += row_times(b.p.D, i, b.n.m, b.u.u)


cdef inline void state_space_derivatives(const StateSpaceView* b, double t) noexcept nogil:
    """dx/dt = A x + B u."""
    cdef int i
    for i in range(b.n.n):
        b.dx.x[i] = row_times(b.p.A, i, b.n.n, b.x.x) + row_times(b.p.B, i, b.n.m, b.u.u)
