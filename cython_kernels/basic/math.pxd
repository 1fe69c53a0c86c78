"""Kernels of the mathematical blocks.

A block whose output jumps holds it in z until an event, so that a solver's step does not run across the jump.
"""

from libc.math cimport ceil, fabs, floor, round, sqrt, trunc

from cython_kernels.mathematics.elementary.exponential cimport exp
from cython_kernels.mathematics.elementary.hyperbolic cimport cosh, sinh, tanh
from cython_kernels.mathematics.elementary.inverse_trigonometric cimport acos, asin, atan, atan2
from cython_kernels.mathematics.elementary.logarithmic cimport log, log10
from cython_kernels.mathematics.elementary.trigonometric cimport cos, sin, tan
from cython_kernels.mathematics.events cimport side
from cython_kernels.mathematics.frames cimport KB_PI, wrap_angle
from cython_kernels.views.basic.math cimport (
    COMPARE_RELATION_EQUAL,
    COMPARE_RELATION_GREATER_EQUAL,
    COMPARE_RELATION_LESS,
    COMPARE_RELATION_LESS_EQUAL,
    COMPARE_RELATION_NOT_EQUAL,
    FUNCTION_FUNCTION_ABS,
    FUNCTION_FUNCTION_ACOS,
    FUNCTION_FUNCTION_ASIN,
    FUNCTION_FUNCTION_ATAN,
    FUNCTION_FUNCTION_COS,
    FUNCTION_FUNCTION_COSH,
    FUNCTION_FUNCTION_EXP,
    FUNCTION_FUNCTION_LOG,
    FUNCTION_FUNCTION_LOG10,
    FUNCTION_FUNCTION_RECIPROCAL,
    FUNCTION_FUNCTION_SIN,
    FUNCTION_FUNCTION_SINH,
    FUNCTION_FUNCTION_SQRT,
    FUNCTION_FUNCTION_SQUARE,
    FUNCTION_FUNCTION_TAN,
    MIN_MAX_FUNCTION_MAX,
    ROUNDING_FUNCTION_CEIL,
    ROUNDING_FUNCTION_FLOOR,
    ROUNDING_FUNCTION_ROUND,
    Atan2View,
    CompareView,
    FunctionView,
    GainView,
    MatrixGainView,
    MinMaxView,
    ProductView,
    RoundingView,
    SignView,
    SumView,
    WrapAngleView,
)


cdef inline void gain_outputs(const GainView* b, double t) noexcept nogil:
    """y = K u, element by element."""
    cdef int i
    for i in range(b.n.n):
        b.y.y[i] = b.p.gain[i] * b.u.u[i]


cdef inline void matrix_gain_outputs(const MatrixGainView* b, double t) noexcept nogil:
    """y = K u."""
    cdef const double* row = b.p.matrix
    cdef const double* u = b.u.u
    cdef int columns = b.n.columns
    cdef int i, j
    cdef double total
    for i in range(b.n.rows):
        total = 0.0
        for j in range(columns):
            total += row[j] * u[j]
        b.y.y[i] = total
        row += columns


cdef inline void sum_outputs(const SumView* b, double t) noexcept nogil:
    """y = sum of s_j u_j, in the order of the inputs."""
    cdef const double* sign = b.p.signs
    cdef double total
    cdef int i, j
    for i in range(b.n.n):
        total = sign[0] * b.u[0][i]
        for j in range(1, b.n.inputs):
            total += sign[j] * b.u[j][i]
        b.y.y[i] = total


cdef inline void product_outputs(const ProductView* b, double t) noexcept nogil:
    """y = product of u_j^e_j with e_j = 1 or -1, in the order of the inputs."""
    cdef double total
    cdef int i, j
    for i in range(b.n.n):
        total = 1.0
        for j in range(b.n.inputs):
            if b.p.operations[j] > 0.0:
                total *= b.u[j][i]
            else:
                total /= b.u[j][i]
        b.y.y[i] = total


cdef inline double min_max_of_others(const MinMaxView* b, int i, int skipped) noexcept nogil:
    """The extreme of element i over the inputs without one of them."""
    cdef bint largest = b.p.function[0] == MIN_MAX_FUNCTION_MAX
    cdef double found = b.u[1 if skipped == 0 else 0][i]
    cdef double candidate
    cdef int j
    for j in range(b.n.count):
        candidate = b.u[j][i]
        if j != skipped and (candidate > found if largest else candidate < found):
            found = candidate
    return found


cdef inline void min_max_outputs(const MinMaxView* b, double t) noexcept nogil:
    cdef bint largest = b.p.function[0] == MIN_MAX_FUNCTION_MAX
    cdef double found, candidate
    cdef int i, j
    for i in range(b.n.n):
        found = b.u[0][i]
        for j in range(1, b.n.count):
            candidate = b.u[j][i]
            if candidate > found if largest else candidate < found:
                found = candidate
        b.y.y[i] = found


cdef inline void min_max_crossings(const MinMaxView* b, double t) noexcept nogil:
    """One per input and element: it becomes, or stops being, the extreme."""
    cdef double distance
    cdef int i, j
    for i in range(b.n.n):
        for j in range(b.n.count):
            distance = b.u[j][i] - min_max_of_others(b, i, j)
            b.g.extremes[i * b.n.count + j] = side(distance >= 0.0, distance)


cdef inline double elementary(int function, double u) noexcept nogil:
    if function == FUNCTION_FUNCTION_ABS:
        return fabs(u)
    elif function == FUNCTION_FUNCTION_SQRT:
        return sqrt(u)
    elif function == FUNCTION_FUNCTION_SQUARE:
        return u * u
    elif function == FUNCTION_FUNCTION_RECIPROCAL:
        return 1.0 / u
    elif function == FUNCTION_FUNCTION_EXP:
        return exp(u)
    elif function == FUNCTION_FUNCTION_LOG:
        return log(u)
    elif function == FUNCTION_FUNCTION_LOG10:
        return log10(u)
    elif function == FUNCTION_FUNCTION_SIN:
        return sin(u)
    elif function == FUNCTION_FUNCTION_COS:
        return cos(u)
    elif function == FUNCTION_FUNCTION_TAN:
        return tan(u)
    elif function == FUNCTION_FUNCTION_ASIN:
        return asin(u)
    elif function == FUNCTION_FUNCTION_ACOS:
        return acos(u)
    elif function == FUNCTION_FUNCTION_ATAN:
        return atan(u)
    elif function == FUNCTION_FUNCTION_SINH:
        return sinh(u)
    elif function == FUNCTION_FUNCTION_COSH:
        return cosh(u)
    return tanh(u)


cdef inline void function_outputs(const FunctionView* b, double t) noexcept nogil:
    """y = f(u), element by element."""
    cdef int function = <int>b.p.function[0]
    cdef int i
    for i in range(b.n.n):
        b.y.y[i] = elementary(function, b.u.u[i])


cdef inline void function_crossings(const FunctionView* b, double t) noexcept nogil:
    """Only abs has a kink: n crossings for it, none otherwise."""
    cdef int i
    if b.p.function[0] == FUNCTION_FUNCTION_ABS:
        for i in range(b.n.n):
            b.g.kink[i] = side(b.u.u[i] >= 0.0, b.u.u[i])


cdef inline void atan2_outputs(const Atan2View* b, double t) noexcept nogil:
    """y = atan2(u1, u2)."""
    cdef int i
    for i in range(b.n.n):
        b.y.y[i] = atan2(b.u.u1[i], b.u.u2[i])


cdef inline void wrap_angle_outputs(const WrapAngleView* b, double t) noexcept nogil:
    cdef double middle = b.p.range[0] * KB_PI
    cdef int i
    for i in range(b.n.n):
        b.y.y[i] = wrap_angle(b.u.u[i] - middle) + middle


cdef inline void wrap_angle_crossings(const WrapAngleView* b, double t) noexcept nogil:
    """Changes its sign at each jump."""
    cdef double half
    cdef int i
    for i in range(b.n.n):
        half = 0.5 * (b.u.u[i] - b.p.range[0] * KB_PI)
        b.g.jump[i] = side(cos(half) >= 0.0, cos(half))


cdef inline double sign_of(double u) noexcept nogil:
    return <double>(u > 0.0) - <double>(u < 0.0)


cdef inline void sign_outputs(const SignView* b, double t) noexcept nogil:
    """The level, which jumps at events only."""
    cdef int i
    for i in range(b.n.n):
        b.y.y[i] = b.z.level[i]


cdef inline void sign_update(const SignView* b, double t) noexcept nogil:
    cdef int i
    for i in range(b.n.n):
        b.z.level[i] = sign_of(b.u.u[i])


cdef inline void sign_crossings(const SignView* b, double t) noexcept nogil:
    cdef int i
    for i in range(b.n.n):
        b.g.jump[i] = side(sign_of(b.u.u[i]) != b.z.level[i], b.u.u[i])


cdef inline double rounded(int function, double u) noexcept nogil:
    if function == ROUNDING_FUNCTION_ROUND:
        return round(u)
    elif function == ROUNDING_FUNCTION_FLOOR:
        return floor(u)
    elif function == ROUNDING_FUNCTION_CEIL:
        return ceil(u)
    return trunc(u)


cdef inline void rounding_outputs(const RoundingView* b, double t) noexcept nogil:
    """The level, which jumps at events only."""
    cdef int i
    for i in range(b.n.n):
        b.y.y[i] = b.z.level[i]


cdef inline void rounding_update(const RoundingView* b, double t) noexcept nogil:
    cdef int function = <int>b.p.function[0]
    cdef int i
    for i in range(b.n.n):
        b.z.level[i] = rounded(function, b.u.u[i])


cdef inline void rounding_crossings(const RoundingView* b, double t) noexcept nogil:
    cdef int function = <int>b.p.function[0]
    cdef int i
    for i in range(b.n.n):
        b.g.jump[i] = side(rounded(function, b.u.u[i]) != b.z.level[i], 1.0)


cdef inline bint compared(int relation, double a, double b) noexcept nogil:
    if relation == COMPARE_RELATION_LESS:
        return a < b
    elif relation == COMPARE_RELATION_LESS_EQUAL:
        return a <= b
    elif relation == COMPARE_RELATION_EQUAL:
        return a == b
    elif relation == COMPARE_RELATION_NOT_EQUAL:
        return a != b
    elif relation == COMPARE_RELATION_GREATER_EQUAL:
        return a >= b
    return a > b


cdef inline void compare_outputs(const CompareView* b, double t) noexcept nogil:
    """The level, which jumps at events only."""
    cdef int i
    for i in range(b.n.n):
        b.y.y[i] = b.z.level[i]


cdef inline void compare_update(const CompareView* b, double t) noexcept nogil:
    cdef int relation = <int>b.p.relation[0]
    cdef int i
    for i in range(b.n.n):
        b.z.level[i] = compared(relation, b.u.u1[i], b.u.u2[i])


cdef inline void compare_crossings(const CompareView* b, double t) noexcept nogil:
    cdef int relation = <int>b.p.relation[0]
    cdef int i
    for i in range(b.n.n):
        b.g.jump[i] = side(compared(relation, b.u.u1[i], b.u.u2[i]) != (b.z.level[i] != 0.0), b.u.u1[i] - b.u.u2[i])
