"""Many plans at once: independent of each other, or in lockstep with signals passed from one to another.

Plans share nothing, so that numbers do not depend on how many threads there are. Compiled without OpenMP one thread
does it all.
"""

from cython.parallel cimport prange
from libc.math cimport isfinite
from libc.stdint cimport uintptr_t
from libc.string cimport memcpy

from cython_kernels.engine cimport plan_advance
from cython_kernels.plan cimport *

cdef extern from *:
    """
    #ifdef _OPENMP
    #define KB_OPENMP 1
    #else
    #define KB_OPENMP 0
    #endif
    """
    const int KB_OPENMP

PARALLEL = KB_OPENMP != 0


cdef enum:
    LINK_FROM = 0           # number of the plan, then the place in its values
    LINK_TO = 2
    LINK_COUNT = 4
    LINK_FIELDS = 5


cdef int advance_one(uintptr_t plan, uintptr_t recorder, int status, double end, long long steps) noexcept nogil:
    """Go on with one plan unless it has ended."""
    if status != STATUS_PAUSED:
        return status
    return plan_advance(<Plan*>plan, end, steps, <Recorder*>recorder)


cdef void pass_on(uintptr_t* plans, const long long* link, long long count) noexcept nogil:
    """Copy what each link says. What is not finite, from a plan that has failed, is held back."""
    cdef long long i, k
    cdef const Plan* source
    cdef Plan* sink
    cdef bint sound
    for i in range(count):
        source = <const Plan*>plans[link[LINK_FROM]]
        sink = <Plan*>plans[link[LINK_TO]]
        sound = True
        for k in range(link[LINK_COUNT]):
            sound = sound and isfinite(source.values[link[LINK_FROM + 1] + k])
        if sound:
            memcpy(
                sink.values + link[LINK_TO + 1], source.values + link[LINK_FROM + 1],
                <size_t>link[LINK_COUNT] * sizeof(double),
            )
            sink.dirty = True
        link += LINK_FIELDS


def exchange(uintptr_t[::1] plans, long long[:, ::1] links):
    """Pass signals on once: rows (from plan, place, to plan, place, how many)."""
    if links.shape[0]:
        pass_on(&plans[0], &links[0, 0], links.shape[0])


def advance(
    uintptr_t[::1] plans, uintptr_t[::1] recorders, int[::1] statuses, long long[:, ::1] links, double end,
    long long steps, int threads,
):
    """Go on to `end`, at most `steps` steps, with those whose status is "paused"; the statuses are those afterwards.

    Without links each plan runs ahead on its own. With links all go step by step, and signals are passed on after each.
    """
    cdef Py_ssize_t i, n = plans.shape[0]
    cdef long long step
    cdef long long count = links.shape[0]
    if n == 0:
        return
    if not (recorders.shape[0] == statuses.shape[0] == n) or links.shape[1] != LINK_FIELDS or threads < 1:
        raise ValueError("advance: arrays do not fit together")
    with nogil:
        if count == 0:
            for i in prange(n, num_threads=threads, schedule="dynamic"):
                statuses[i] = advance_one(plans[i], recorders[i], statuses[i], end, steps)
        else:
            for step in range(steps):
                for i in prange(n, num_threads=threads, schedule="static"):
                    statuses[i] = advance_one(plans[i], recorders[i], statuses[i], end, 1)
                pass_on(&plans[0], &links[0, 0], count)
