"""How an actuator follows its command: one law for shafts, azimuth angles and rudders."""

from cython_kernels.mathematics.limits cimport clamp


cdef inline double actuator_rate(double lag, double time_constant, bint limited, double most) noexcept nogil:
    """dx/dt = (command - x) / T for a lag of command - x, within +-most if limited."""
    cdef double rate = lag / time_constant
    return clamp(rate, -most, most) if limited else rate
