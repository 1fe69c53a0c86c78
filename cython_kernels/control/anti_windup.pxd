"""Integral action behind limits.

Source: Astrom and Hagglund (2006), Advanced PID Control, ch. 3 (back-calculation).
"""


cdef inline double integral_rate(double gain, double error, double tracking, double excess) noexcept nogil:
    """dI/dt = k_i e - K_t (v - limited v), I in units of the output v; 0 where k_i = 0: a PD law has no memory."""
    return gain * error - tracking * excess if gain != 0.0 else 0.0
