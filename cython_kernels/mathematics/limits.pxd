"""Limits.

`clamp` lets a not-a-number through, so that a diverged run stops where it went wrong (fmin and fmax hide it).
`place_in` makes a number that a state or parameter holds into an index that is safe, whatever it was set to.
"""


cdef inline double clamp(double value, double lower, double upper) noexcept nogil:
    """`value` held within [lower, upper]."""
    return lower if value < lower else upper if value > upper else value


cdef inline int place_in(double value, int count) noexcept nogil:
    """`value` as an index below `count`; 0 if it is none."""
    return <int>value if 0.0 <= value < count else 0
