"""Limits.

`clamp` and `at_least` let a not-a-number through, so that a diverged run stops where it went wrong (fmin and fmax hide
it).
`smaller` and `larger` are C's fmin and fmax, whose choice between 0 and -0 the standard leaves open.
`NO_LIMIT` stands for a limit, a depth or a length that is out of reach: what parameters have where none was given.
`place_in` makes a number that a state or parameter holds into an index that is safe, whatever it was set to.
"""

cdef extern from *:
    """
    #define KB_NO_LIMIT 1e300
    """
    const double NO_LIMIT "KB_NO_LIMIT"


cdef inline bint is_given(double value) noexcept nogil:
    """Whether a parameter is not the NO_LIMIT that it has by itself, or near it, as tools that vary it make it."""
    return value < 0.1 * NO_LIMIT


cdef inline double clamp(double value, double lower, double upper) noexcept nogil:
    """`value` held within [lower, upper]."""
    return lower if value < lower else upper if value > upper else value


cdef inline double at_least(double value, double lower) noexcept nogil:
    """`value`, or `lower` if it is below that."""
    return lower if value < lower else value


cdef inline double smaller(double a, double b) noexcept nogil:
    """The smaller of two numbers, `a` if they are equal; a not-a-number gives way to the other."""
    return b if b < a or a != a else a


cdef inline double larger(double a, double b) noexcept nogil:
    """The larger of two numbers, `a` if they are equal; a not-a-number gives way to the other."""
    return b if b > a or a != a else a


cdef inline int place_in(double value, int count) noexcept nogil:
    """`value` as an index below `count`; 0 if it is none."""
    return <int>value if 0.0 <= value < count else 0
