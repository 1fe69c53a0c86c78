"""Kernels of the mathematical blocks.

A block whose output jumps holds it in z until an event, so that a solver's step does not run across the jump.
"""

from libc.math cimport (
    acos, asin, atan, atan2, ceil, cos, cosh, exp, fabs, floor, log, log10, round, sin, sinh, sqrt, tan, tanh, trunc,
)

from cython_kernels.mathematics.events cimport side
from cython_kernels.mathematics.frames cimport KB_PI, wrap_angle
from cython_kernels.view cimport View


cdef enum:
    # in the order of Function.function's choices
    FUNCTION_ABS = 0
    FUNCTION_SQRT = 1
    FUNCTION_SQUARE = 2
    FUNCTION_RECIPROCAL = 3
    FUNCTION_EXP = 4
    FUNCTION_LOG = 5
    FUNCTION_LOG10 = 6
    FUNCTION_SIN = 7
    FUNCTION_COS = 8
    FUNCTION_TAN = 9
    FUNCTION_ASIN = 10
    FUNCTION_ACOS = 11
    FUNCTION_ATAN = 12
    FUNCTION_SINH = 13
    FUNCTION_COSH = 14
    FUNCTION_TANH = 15
    # in the order of Rounding.function's choices
    ROUNDING_ROUND = 0
    ROUNDING_FLOOR = 1
    ROUNDING_CEIL = 2
    ROUNDING_TRUNCATE = 3
    # in the order of Compare.relation's choices
    COMPARE_LESS = 0
    COMPARE_LESS_EQUAL = 1
    COMPARE_EQUAL = 2
    COMPARE_NOT_EQUAL = 3
    COMPARE_GREATER_EQUAL = 4
    COMPARE_GREATER = 5


cdef inline void held_outputs(const View* b, double t) noexcept nogil:
    """y = z, for blocks whose output is a mode."""
    cdef int i
    for i in range(b.n[0]):
        b.y[0][i] = b.z[i]


cdef inline void gain_outputs(const View* b, double t) noexcept nogil:
    """y = K u, element by element."""
    cdef int i
    for i in range(b.n[0]):
        b.y[0][i] = b.p[0][i] * b.u[0][i]


cdef inline void matrix_gain_outputs(const View* b, double t) noexcept nogil:
    """y = K u; n = rows, columns."""
    cdef const double* row = b.p[0]
    cdef const double* u = b.u[0]
    cdef int columns = b.n[1]
    cdef int i, j
    cdef double total
    for i in range(b.n[0]):
        total = 0.0
        for j in range(columns):
            total += row[j] * u[j]
        b.y[0][i] = total
        row += columns


cdef inline void sum_outputs(const View* b, double t) noexcept nogil:
    """y = sum of s_j u_j, in the order of the inputs; n = width, inputs; p = signs."""
    cdef const double* sign = b.p[0]
    cdef double total
    cdef int i, j
    for i in range(b.n[0]):
        total = sign[0] * b.u[0][i]
        for j in range(1, b.n[1]):
            total += sign[j] * b.u[j][i]
        b.y[0][i] = total


cdef inline void product_outputs(const View* b, double t) noexcept nogil:
    """y = product of u_j^e_j with e_j = 1 or -1, in the order of the inputs; n = width, inputs; p = exponents."""
    cdef double total
    cdef int i, j
    for i in range(b.n[0]):
        total = 1.0
        for j in range(b.n[1]):
            if b.p[0][j] > 0.0:
                total *= b.u[j][i]
            else:
                total /= b.u[j][i]
        b.y[0][i] = total


# min_max: p = choice (0 minimum, 1 maximum), count; n = width, count

cdef inline double min_max_of_others(const View* b, int i, int skipped) noexcept nogil:
    """The extreme of element i over the inputs without one of them."""
    cdef bint largest = b.p[0][0] != 0.0
    cdef double found = b.u[1 if skipped == 0 else 0][i]
    cdef double candidate
    cdef int j
    for j in range(b.n[1]):
        candidate = b.u[j][i]
        if j != skipped and (candidate > found if largest else candidate < found):
            found = candidate
    return found


cdef inline void min_max_outputs(const View* b, double t) noexcept nogil:
    cdef bint largest = b.p[0][0] != 0.0
    cdef double found, candidate
    cdef int i, j
    for i in range(b.n[0]):
        found = b.u[0][i]
        for j in range(1, b.n[1]):
            candidate = b.u[j][i]
            if candidate > found if largest else candidate < found:
                found = candidate
        b.y[0][i] = found


cdef inline void min_max_crossings(const View* b, double t) noexcept nogil:
    """One per input and element: it becomes, or stops being, the extreme."""
    cdef double distance
    cdef int i, j
    for i in range(b.n[0]):
        for j in range(b.n[1]):
            distance = b.u[j][i] - min_max_of_others(b, i, j)
            b.g[i * b.n[1] + j] = side(distance >= 0.0, distance)


cdef inline double elementary(int function, double u) noexcept nogil:
    if function == FUNCTION_ABS:
        return fabs(u)
    elif function == FUNCTION_SQRT:
        return sqrt(u)
    elif function == FUNCTION_SQUARE:
        return u * u
    elif function == FUNCTION_RECIPROCAL:
        return 1.0 / u
    elif function == FUNCTION_EXP:
        return exp(u)
    elif function == FUNCTION_LOG:
        return log(u)
    elif function == FUNCTION_LOG10:
        return log10(u)
    elif function == FUNCTION_SIN:
        return sin(u)
    elif function == FUNCTION_COS:
        return cos(u)
    elif function == FUNCTION_TAN:
        return tan(u)
    elif function == FUNCTION_ASIN:
        return asin(u)
    elif function == FUNCTION_ACOS:
        return acos(u)
    elif function == FUNCTION_ATAN:
        return atan(u)
    elif function == FUNCTION_SINH:
        return sinh(u)
    elif function == FUNCTION_COSH:
        return cosh(u)
    return tanh(u)


cdef inline void function_outputs(const View* b, double t) noexcept nogil:
    """y = f(u), element by element; p = f."""
    cdef int function = <int>b.p[0][0]
    cdef int i
    for i in range(b.n[0]):
        b.y[0][i] = elementary(function, b.u[0][i])


cdef inline void function_crossings(const View* b, double t) noexcept nogil:
    """Only abs has a kink: n crossings for it, none otherwise."""
    cdef int i
    if b.p[0][0] == FUNCTION_ABS:
        for i in range(b.n[0]):
            b.g[i] = side(b.u[0][i] >= 0.0, b.u[0][i])


cdef inline void atan2_outputs(const View* b, double t) noexcept nogil:
    """y = atan2(u1, u2)."""
    cdef int i
    for i in range(b.n[0]):
        b.y[0][i] = atan2(b.u[0][i], b.u[1][i])


# wrap_angle: p = range (0: [-pi, pi), 1: [0, 2 pi))

cdef inline void wrap_angle_outputs(const View* b, double t) noexcept nogil:
    cdef double middle = b.p[0][0] * KB_PI
    cdef int i
    for i in range(b.n[0]):
        b.y[0][i] = wrap_angle(b.u[0][i] - middle) + middle


cdef inline void wrap_angle_crossings(const View* b, double t) noexcept nogil:
    """Changes its sign at each jump."""
    cdef double half
    cdef int i
    for i in range(b.n[0]):
        half = 0.5 * (b.u[0][i] - b.p[0][0] * KB_PI)
        b.g[i] = side(cos(half) >= 0.0, cos(half))


# sign: z = y

cdef inline double sign_of(double u) noexcept nogil:
    return <double>(u > 0.0) - <double>(u < 0.0)


cdef inline void sign_update(const View* b, double t) noexcept nogil:
    cdef int i
    for i in range(b.n[0]):
        b.z[i] = sign_of(b.u[0][i])


cdef inline void sign_crossings(const View* b, double t) noexcept nogil:
    cdef int i
    for i in range(b.n[0]):
        b.g[i] = side(sign_of(b.u[0][i]) != b.z[i], b.u[0][i])


# rounding: p = function; z = y

cdef inline double rounded(int function, double u) noexcept nogil:
    if function == ROUNDING_ROUND:
        return round(u)
    elif function == ROUNDING_FLOOR:
        return floor(u)
    elif function == ROUNDING_CEIL:
        return ceil(u)
    return trunc(u)


cdef inline void rounding_update(const View* b, double t) noexcept nogil:
    cdef int function = <int>b.p[0][0]
    cdef int i
    for i in range(b.n[0]):
        b.z[i] = rounded(function, b.u[0][i])


cdef inline void rounding_crossings(const View* b, double t) noexcept nogil:
    cdef int function = <int>b.p[0][0]
    cdef int i
    for i in range(b.n[0]):
        b.g[i] = side(rounded(function, b.u[0][i]) != b.z[i], 1.0)


# compare: p = relation; z = y

cdef inline bint compared(int relation, double a, double b) noexcept nogil:
    if relation == COMPARE_LESS:
        return a < b
    elif relation == COMPARE_LESS_EQUAL:
        return a <= b
    elif relation == COMPARE_EQUAL:
        return a == b
    elif relation == COMPARE_NOT_EQUAL:
        return a != b
    elif relation == COMPARE_GREATER_EQUAL:
        return a >= b
    return a > b


cdef inline void compare_update(const View* b, double t) noexcept nogil:
    cdef int relation = <int>b.p[0][0]
    cdef int i
    for i in range(b.n[0]):
        b.z[i] = compared(relation, b.u[0][i], b.u[1][i])


cdef inline void compare_crossings(const View* b, double t) noexcept nogil:
    cdef int relation = <int>b.p[0][0]
    cdef int i
    for i in range(b.n[0]):
        b.g[i] = side(compared(relation, b.u[0][i], b.u[1][i]) != (b.z[i] != 0.0), b.u[0][i] - b.u[1][i])
