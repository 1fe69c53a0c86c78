"""Limits that let a not-a-number through, so that a diverged run stops where it went wrong (fmin and fmax hide it)."""


cdef inline double clamp(double value, double lower, double upper) noexcept nogil:
    """`value` held within [lower, upper]."""
    return lower if value < lower else upper if value > upper else value
