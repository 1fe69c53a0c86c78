"""How an actuator follows its command: one law for shafts, azimuth angles and rudders."""

from cython_kernels.mathematics.limits cimport clamp

cdef enum:                              # the choice `response` of blocks with actuators, in its order
    RESPONSE_INSTANT = 0
    RESPONSE_FIRST_ORDER = 1
    RESPONSE_RATE_LIMITED = 2


cdef inline double actuator_rate(double lag, double time_constant, double response, double most) noexcept nogil:
    """dx/dt = (command - x) / T for a lag of command - x, within +-most if rate-limited."""
    cdef double rate = lag / time_constant
    return clamp(rate, -most, most) if response == RESPONSE_RATE_LIMITED else rate
