"""A plan whose states someone else integrates: evaluation between events, events, and the next sample hit.

The one who integrates sets `clock.t` and `x`. Between events samples and modes are held, so that the right-hand side is
as smooth as the blocks are; at an event samples that are due are taken and modes settle.
"""

from libc.math cimport INFINITY

from cython_kernels.core.arithmetic cimport put_arithmetic_back, take_ieee_arithmetic
from cython_kernels.core.calls cimport take_crossings, take_derivatives
from cython_kernels.core.engine cimport plan_setup
from cython_kernels.core.evaluate cimport *
from cython_kernels.core.plan cimport *


cdef inline int held_evaluation(Plan* s) noexcept nogil:
    """All outputs that are not sampled, derivatives and crossings at the clock's time; samples and modes are held."""
    cdef int status = STATUS_END
    cdef unsigned long long found = take_ieee_arithmetic()
    if s.stale:
        status = plan_setup(s)
    if status == STATUS_END:
        continuous_outputs(s, s.clock.t)
        take_derivatives(s, s.clock.t)
        take_crossings(s, s.clock.t)
        status = STATUS_FAULT if faulty(s) else STATUS_END
    put_arithmetic_back(found)
    return status


cdef inline int event_evaluation(Plan* s) noexcept nogil:
    """Take the samples that are due and let modes settle; then derivatives and crossings are those of the new modes."""
    cdef int status = STATUS_END
    cdef unsigned long long found = take_ieee_arithmetic()
    if s.stale:
        status = plan_setup(s)
    if status == STATUS_END:
        status = evaluate(s)
    if status == STATUS_END:
        take_derivatives(s, s.clock.t)
        take_crossings(s, s.clock.t)
        status = STATUS_FAULT if faulty(s) else STATUS_END
    put_arithmetic_back(found)
    return status


cdef inline double next_hit_time(const Plan* s) noexcept nogil:
    """When the next sample is due after those that are due now; infinite if there is none."""
    cdef int i
    cdef double candidate, found = INFINITY
    for i in range(s.header.rates):
        candidate = hit_time(s, i)
        if candidate <= s.clock.t + tolerance(s):
            candidate += s.values[s.rates[2 * i]]
        if candidate < found:
            found = candidate
    return found
