"""The machine that runs formulas: instructions for an accumulator and registers, in one loop.

Each instruction computes s from s and from registers, and stores it in one. What is undefined is not a number, and what
is not a number stays none: in relations, min and max, too, but not on the side of a choice that is not taken.
`blocks/formula/machine.py` gives the instructions their numbers.
"""

from libc.math cimport NAN, ceil, fabs, floor, round, sqrt
from libc.string cimport memcpy

from cython_kernels.mathematics.elementary.exponential cimport exp, expm1
from cython_kernels.mathematics.elementary.hyperbolic cimport cosh, sinh, tanh
from cython_kernels.mathematics.elementary.inverse_trigonometric cimport acos, asin, atan, atan2
from cython_kernels.mathematics.elementary.logarithmic cimport log, log10
from cython_kernels.mathematics.elementary.power cimport cbrt, pow
from cython_kernels.mathematics.elementary.trigonometric cimport cos, sin, tan
from cython_kernels.mathematics.events cimport side
from cython_kernels.mathematics.frames cimport KB_PI
from cython_kernels.views.basic.formula cimport *

cdef extern from *:
    """
    #ifndef KB_OF_FORMULAS      /* where kernels are put into a plan's calls, the machine is not: it is large */
    #define KB_OF_FORMULAS KB_ALWAYS_INLINE
    #endif
    static inline double kb_run_formula(int const *at, int const *end, double *r, double s) KB_OF_FORMULAS;
    static inline void kb_put_two(double const *from, int at_once, double *to) KB_ALWAYS_INLINE;
    static inline double *kb_put_numbers(double const *from, int count, int in_pairs, double *to) KB_ALWAYS_INLINE;
    #ifdef __GNUC__
    #define kb_no_other_instruction() __builtin_unreachable()
    #else
    #define kb_no_other_instruction()
    #endif
    """
    void no_other_instruction "kb_no_other_instruction"() noexcept nogil    # as a program is trusted, nobody asks

cdef enum:
    FIELDS = 6              # of an instruction: itself, the register for the result, four that it reads or -1


cdef inline void put_two "kb_put_two"(const double* values, bint at_once, double* to) noexcept nogil:
    """Copy two numbers."""
    if at_once:
        memcpy(to, values, 2 * sizeof(double))
    else:
        to[0] = values[0]
        to[1] = values[1]


cdef inline double* put_numbers "kb_put_numbers"(
    const double* values, int count, bint in_pairs, double* to
) noexcept nogil:
    """Copy a few numbers; where they end. For a loop by ones compilers call memcpy, which takes longer.

    in_pairs: two at once, which is for numbers of long ago, as it would wait for what was just written one by one.
    """
    while count >= 4:
        put_two(values, in_pairs, to)
        put_two(values + 2, in_pairs, to + 2)
        to += 4
        values += 4
        count -= 4
    if count & 2:
        put_two(values, in_pairs, to)
        to += 2
        values += 2
    if count & 1:
        to[0] = values[0]
        to += 1
    return to


cdef inline bint is_none(double a, double b) noexcept nogil:
    """Whether one of both is not a number."""
    return a != a or b != b


cdef inline double truth(bint holds, double a, double b) noexcept nogil:
    """1 or 0 as a relation of a and b holds; not a number where one of both is none."""
    return NAN if is_none(a, b) else 1.0 if holds else 0.0


cdef inline double run_formula "kb_run_formula"(const int* at, const int* end, double* r, double s) noexcept nogil:
    """Run instructions; what s is at their end."""
    cdef int operation
    while at != end:
        operation = at[0]
        if operation == FORMULA_INSTRUCTION_SET:
            s = r[at[2]]
        elif operation == FORMULA_INSTRUCTION_SET_ADD:
            s = r[at[2]] + r[at[3]]
        elif operation == FORMULA_INSTRUCTION_SET_SUBTRACT:
            s = r[at[2]] - r[at[3]]
        elif operation == FORMULA_INSTRUCTION_SET_MULTIPLY:
            s = r[at[2]] * r[at[3]]
        elif operation == FORMULA_INSTRUCTION_SET_DIVIDE:
            s = r[at[2]] / r[at[3]] if r[at[3]] != 0.0 else NAN
        elif operation == FORMULA_INSTRUCTION_SET_ADD_PRODUCT:
            s = r[at[2]] + r[at[3]] * r[at[4]]
        elif operation == FORMULA_INSTRUCTION_SET_SUBTRACT_PRODUCT:
            s = r[at[2]] - r[at[3]] * r[at[4]]
        elif operation == FORMULA_INSTRUCTION_SET_ABS:
            s = fabs(r[at[2]])
        elif operation == FORMULA_INSTRUCTION_PRODUCT3:
            s = r[at[2]] * r[at[3]] * r[at[4]]
        elif operation == FORMULA_INSTRUCTION_PRODUCT3_ABS:
            s = r[at[2]] * r[at[3]] * fabs(r[at[4]])
        elif operation == FORMULA_INSTRUCTION_SET_ADD_PRODUCT3:
            s = r[at[2]] + r[at[3]] * r[at[4]] * r[at[5]]
        elif operation == FORMULA_INSTRUCTION_SET_SUBTRACT_PRODUCT3:
            s = r[at[2]] - r[at[3]] * r[at[4]] * r[at[5]]
        elif operation == FORMULA_INSTRUCTION_ADD:
            s = s + r[at[2]]
        elif operation == FORMULA_INSTRUCTION_SUBTRACT:
            s = s - r[at[2]]
        elif operation == FORMULA_INSTRUCTION_SUBTRACT_FROM:
            s = r[at[2]] - s
        elif operation == FORMULA_INSTRUCTION_MULTIPLY:
            s = s * r[at[2]]
        elif operation == FORMULA_INSTRUCTION_MULTIPLY_ABS:
            s = s * fabs(r[at[2]])
        elif operation == FORMULA_INSTRUCTION_DIVIDE:
            s = s / r[at[2]] if r[at[2]] != 0.0 else NAN
        elif operation == FORMULA_INSTRUCTION_DIVIDE_INTO:
            s = r[at[2]] / s if s != 0.0 else NAN
        elif operation == FORMULA_INSTRUCTION_ADD_PRODUCT:
            s = s + r[at[2]] * r[at[3]]
        elif operation == FORMULA_INSTRUCTION_SUBTRACT_PRODUCT:
            s = s - r[at[2]] * r[at[3]]
        elif operation == FORMULA_INSTRUCTION_SUBTRACT_FROM_PRODUCT:
            s = r[at[2]] * r[at[3]] - s
        elif operation == FORMULA_INSTRUCTION_MULTIPLY_ADD:
            s = s * r[at[2]] + r[at[3]]
        elif operation == FORMULA_INSTRUCTION_MULTIPLY_SUBTRACT:
            s = s * r[at[2]] - r[at[3]]
        elif operation == FORMULA_INSTRUCTION_ADD_PRODUCT3:
            s = s + r[at[2]] * r[at[3]] * r[at[4]]
        elif operation == FORMULA_INSTRUCTION_SUBTRACT_PRODUCT3:
            s = s - r[at[2]] * r[at[3]] * r[at[4]]
        elif operation == FORMULA_INSTRUCTION_ADD_PRODUCT3_ABS:
            s = s + r[at[2]] * r[at[3]] * fabs(r[at[4]])
        elif operation == FORMULA_INSTRUCTION_SUBTRACT_PRODUCT3_ABS:
            s = s - r[at[2]] * r[at[3]] * fabs(r[at[4]])
        elif operation == FORMULA_INSTRUCTION_DAMPING:
            s = r[at[2]] * r[at[3]] + r[at[4]] * r[at[3]] * fabs(r[at[3]])
        elif operation == FORMULA_INSTRUCTION_SUBTRACT_DAMPING:
            s = s - r[at[2]] * r[at[3]] - r[at[4]] * r[at[3]] * fabs(r[at[3]])
        elif operation == FORMULA_INSTRUCTION_SUBTRACT_DAMPING_QUADRATIC_FIRST:
            s = s - r[at[4]] * r[at[3]] * fabs(r[at[3]]) - r[at[2]] * r[at[3]]
        elif operation == FORMULA_INSTRUCTION_NEGATIVE:
            s = -s
        elif operation == FORMULA_INSTRUCTION_ABS:
            s = fabs(s)
        elif operation == FORMULA_INSTRUCTION_MIN:
            s = NAN if is_none(s, r[at[2]]) else r[at[2]] if r[at[2]] < s else s
        elif operation == FORMULA_INSTRUCTION_MAX:
            s = NAN if is_none(s, r[at[2]]) else r[at[2]] if r[at[2]] > s else s
        elif operation == FORMULA_INSTRUCTION_LESS:
            s = truth(s < r[at[2]], s, r[at[2]])
        elif operation == FORMULA_INSTRUCTION_LESS_EQUAL:
            s = truth(s <= r[at[2]], s, r[at[2]])
        elif operation == FORMULA_INSTRUCTION_GREATER:
            s = truth(s > r[at[2]], s, r[at[2]])
        elif operation == FORMULA_INSTRUCTION_GREATER_EQUAL:
            s = truth(s >= r[at[2]], s, r[at[2]])
        elif operation == FORMULA_INSTRUCTION_EQUAL:
            s = truth(s == r[at[2]], s, r[at[2]])
        elif operation == FORMULA_INSTRUCTION_NOT_EQUAL:
            s = truth(s != r[at[2]], s, r[at[2]])
        elif operation == FORMULA_INSTRUCTION_AND:
            s = s if s != s else 0.0 if s == 0.0 else truth(r[at[2]] != 0.0, r[at[2]], 0.0)
        elif operation == FORMULA_INSTRUCTION_OR:
            s = s if s != s else 1.0 if s != 0.0 else truth(r[at[2]] != 0.0, r[at[2]], 0.0)
        elif operation == FORMULA_INSTRUCTION_NOT:
            s = truth(s == 0.0, s, 0.0)
        elif operation == FORMULA_INSTRUCTION_WHERE:
            s = s if s != s else r[at[2]] if s != 0.0 else r[at[3]]
        elif operation == FORMULA_INSTRUCTION_SIDE:
            s = side(r[at[2]] != r[at[3]] and (r[at[2]] == r[at[2]] or r[at[3]] == r[at[3]]), s)
        elif operation == FORMULA_INSTRUCTION_SQRT:
            s = sqrt(s)
        elif operation == FORMULA_INSTRUCTION_CBRT:
            s = cbrt(s)
        elif operation == FORMULA_INSTRUCTION_EXP:
            s = exp(s)
        elif operation == FORMULA_INSTRUCTION_EXPM1:
            s = expm1(s)
        elif operation == FORMULA_INSTRUCTION_LOG:
            s = log(s) if s > 0.0 else NAN
        elif operation == FORMULA_INSTRUCTION_LOG10:
            s = log10(s) if s > 0.0 else NAN
        elif operation == FORMULA_INSTRUCTION_POWER:
            s = NAN if is_none(s, r[at[2]]) or (s == 0.0 and r[at[2]] < 0.0) else pow(s, r[at[2]])
        elif operation == FORMULA_INSTRUCTION_SINH:
            s = sinh(s)
        elif operation == FORMULA_INSTRUCTION_COSH:
            s = cosh(s)
        elif operation == FORMULA_INSTRUCTION_TANH:
            s = tanh(s)
        elif operation == FORMULA_INSTRUCTION_SIN:
            s = sin(s)
        elif operation == FORMULA_INSTRUCTION_COS:
            s = cos(s)
        elif operation == FORMULA_INSTRUCTION_TAN:
            s = tan(s)
        elif operation == FORMULA_INSTRUCTION_ASIN:
            s = asin(s)
        elif operation == FORMULA_INSTRUCTION_ACOS:
            s = acos(s)
        elif operation == FORMULA_INSTRUCTION_ATAN:
            s = atan(s)
        elif operation == FORMULA_INSTRUCTION_ATAN2:
            s = atan2(s, r[at[2]])
        elif operation == FORMULA_INSTRUCTION_SIGN:
            s = s if s != s else <double>(s > 0.0) - <double>(s < 0.0)
        elif operation == FORMULA_INSTRUCTION_FLOOR:
            s = floor(s)
        elif operation == FORMULA_INSTRUCTION_CEIL:
            s = ceil(s)
        elif operation == FORMULA_INSTRUCTION_ROUND:
            s = round(s)
        elif operation == FORMULA_INSTRUCTION_TURNS:
            s = 0.0 if -KB_PI <= s < KB_PI else floor((s + KB_PI) / (2.0 * KB_PI))
        else:
            no_other_instruction()
        r[at[1]] = s
        at += FIELDS
    return s
