"""Derivatives of everything in a plan by central differences.

Every kernel is evaluated as it is: there is no second set of equations that could say something else. Two central
differences, h and 2h wide, give the derivative (4 near - far)/3, whose error goes with h^4. Samples and modes are held.
"""

from libc.math cimport isfinite
from libc.string cimport memcpy

from cython_kernels.core.arithmetic cimport put_arithmetic_back, take_ieee_arithmetic
from cython_kernels.core.engine cimport plan_start
from cython_kernels.core.external cimport held_evaluation
from cython_kernels.core.plan cimport *

cdef extern from *:
    """
    /* 2^-10, about the fifth root of the unit roundoff: truncation and rounding are both near 1e-12 of a magnitude */
    #define DIFFERENCE_STEP 0.0009765625
    """
    const double DIFFERENCE_STEP


cdef inline int plan_differences(
    Plan* s, const double* before, size_t count, const unsigned int* knowns, const double* direction, size_t n_known,
    const unsigned int* unknowns, size_t n_unknown, double step, bint parameters, const double* start, double* near,
    double* far, double* jump
) noexcept nogil:
    """Central differences of `unknowns` along a direction of `knowns`, all places among the values.

    before: the `count` values at the point, which are put back for each evaluation, but not at the end. parameters:
    knowns may be parameters. start: the initial state at this time follows the knowns, unless it is NULL. jump: the
    derivative ahead less that behind, unless it is NULL; then the values before have to be those of the point.
    """
    cdef int k, status = STATUS_END
    cdef size_t i
    cdef double width
    cdef unsigned long long found = take_ieee_arithmetic()
    for i in range(n_unknown):
        near[i] = 0.0
        far[i] = 0.0
        if jump != NULL:
            jump[i] = -2.0 * before[unknowns[i]] / step
    for k in range(4):
        width = -2.0 * step if k == 0 else -step if k == 1 else step if k == 2 else 2.0 * step
        memcpy(s.values, before, count * sizeof(double))
        for i in range(n_known):
            s.values[knowns[i]] += width * direction[i]
        s.stale = parameters
        status = STATUS_END if start == NULL else plan_start(s, start[0])
        if status == STATUS_END:
            status = held_evaluation(s)
        if status != STATUS_END:
            break
        for i in range(n_unknown):
            if k == 0 or k == 3:
                far[i] += s.values[unknowns[i]] / (2.0 * width)
            else:
                near[i] += s.values[unknowns[i]] / (2.0 * width)
                if jump != NULL:
                    jump[i] += s.values[unknowns[i]] / step
    for i in range(n_unknown):
        if status == STATUS_END and (not isfinite(near[i]) or not isfinite(far[i])):
            status = STATUS_NOT_FINITE
    put_arithmetic_back(found)
    return status


cdef inline double extrapolated(double near, double far) noexcept nogil:
    """The derivative that two central differences, one twice as wide, tell of."""
    return (4.0 * near - far) / 3.0
