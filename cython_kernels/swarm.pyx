"""Many plans at once: independent of each other, or in lockstep with signals passed from one to another.

Plans share nothing, so that numbers do not depend on how many threads there are. Compiled without OpenMP one thread
does it all.
"""

from cython.parallel cimport parallel, prange
from libc.math cimport floor, isfinite
from libc.stdint cimport uintptr_t
from libc.string cimport memcpy

from cython_kernels.core.engine cimport plan_advance
from cython_kernels.core.evaluate cimport tolerance
from cython_kernels.core.plan cimport *

cdef extern from *:
    """
    #ifdef _OPENMP
    #include <sched.h>
    #define KB_OPENMP 1
    #define KB_READ(place) __atomic_load_n(place, __ATOMIC_ACQUIRE)
    #define KB_WRITE(place, value) __atomic_store_n(place, value, __ATOMIC_RELEASE)
    #define KB_COUNT(place) __atomic_add_fetch(place, 1, __ATOMIC_ACQ_REL)
    static inline int kb_take(long long* place, long long seen) {
        return __atomic_compare_exchange_n(place, &seen, seen + 1, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
    }
    #define KB_LET_OTHERS_WORK() sched_yield()
    #else
    #define KB_OPENMP 0
    #define KB_READ(place) (*(place))
    #define KB_WRITE(place, value) (*(place) = (value))
    #define KB_COUNT(place) (++*(place))
    #define kb_take(place, seen) (*(place) = (seen) + 1, 1)
    #define KB_LET_OTHERS_WORK() ((void)0)
    #endif
    """
    const int KB_OPENMP
    long long KB_READ(long long* place) noexcept nogil
    void KB_WRITE(long long* place, long long value) noexcept nogil
    long long KB_COUNT(long long* place) noexcept nogil
    bint kb_take(long long* place, long long seen) noexcept nogil
    void KB_LET_OTHERS_WORK() noexcept nogil

PARALLEL = KB_OPENMP != 0


cdef enum:
    LINK_FROM = 0           # number of the plan, then the place in its values
    LINK_TO = 2
    LINK_COUNT = 4
    LINK_FIELDS = 5
    UNLIMITED = 1 << 30     # steps
    PARTS_EACH = 4          # parts of a step for each thread
    SPINS = 1000            # looks at what others do before one leaves the core to them
    APART = 16              # numbers that threads share are so far apart that they are not in one cache line


cdef struct Lockstep:
    uintptr_t* plans
    uintptr_t* recorders
    int* statuses
    const long long* links
    double* passing
    long long vehicles
    long long links_count
    long long parts         # of a step
    long long total         # parts of all steps
    double end
    long long taken[APART]  # parts that a thread has begun
    long long open[APART]   # parts that may be begun: to the end of the present step
    long long done[APART]


cdef int advance_one(uintptr_t plan, uintptr_t recorder, int status, double end, long long steps) noexcept nogil:
    """Go on with one plan unless it has ended."""
    if status != STATUS_PAUSED:
        return status
    return plan_advance(<Plan*>plan, end, steps, <Recorder*>recorder)


cdef int advance_together(uintptr_t plan, uintptr_t recorder, int status, double end) noexcept nogil:
    """Go on to the next point of the grid, however many steps that takes: samples and jumps may be its own alone."""
    cdef Plan* s = <Plan*>plan
    cdef double target
    if status != STATUS_PAUSED:
        return status
    target = s.clock.start + (floor((s.clock.t - s.clock.start) / s.header.step + 0.5) + 1.0) * s.header.step
    if target >= end - tolerance(s):
        return plan_advance(s, end, UNLIMITED, <Recorder*>recorder)
    status = plan_advance(s, target, UNLIMITED, <Recorder*>recorder)
    return STATUS_PAUSED if status == STATUS_END else status


cdef void pass_on(uintptr_t* plans, const long long* links, long long count, double* passing) noexcept nogil:
    """Copy what each link says, all of it as it was before. What is not finite, of a plan that failed, is held back."""
    cdef long long _i, k
    cdef const long long* link = links
    cdef double* place = passing
    cdef Plan* sink
    cdef bint sound
    for _i in range(count):
        memcpy(
            place, (<const Plan*>plans[link[LINK_FROM]]).values + link[LINK_FROM + 1],
            <size_t>link[LINK_COUNT] * sizeof(double),
        )
        place += link[LINK_COUNT]
        link += LINK_FIELDS
    link = links
    place = passing
    for _i in range(count):
        sink = <Plan*>plans[link[LINK_TO]]
        sound = True
        for k in range(link[LINK_COUNT]):
            sound = sound and isfinite(place[k])
        if sound:
            memcpy(sink.values + link[LINK_TO + 1], place, <size_t>link[LINK_COUNT] * sizeof(double))
            sink.dirty = True
        place += link[LINK_COUNT]
        link += LINK_FIELDS


cdef void work(Lockstep* s) noexcept nogil:
    """What each thread does: take parts of the present step until there are none in any step.

    Nobody waits for a thread that the operating system has put aside, unless it has begun a part. With a barrier at
    each step a machine that has other things to do would go on at the pace of its scheduler, milliseconds per step.
    """
    cdef long long i, part, seen, open, spins = 0
    while True:
        seen = KB_READ(&s.taken[0])
        if seen >= s.total:
            return
        open = KB_READ(&s.open[0])
        if seen >= open:
            spins += 1
            if spins > SPINS:
                KB_LET_OTHERS_WORK()
            continue
        if not kb_take(&s.taken[0], seen):
            continue
        spins = 0
        part = seen % s.parts
        for i in range(part * s.vehicles // s.parts, (part + 1) * s.vehicles // s.parts):
            s.statuses[i] = advance_together(s.plans[i], s.recorders[i], s.statuses[i], s.end)
        if KB_COUNT(&s.done[0]) == open:  # the last part of the step, which stays open until now
            pass_on(s.plans, s.links, s.links_count, s.passing)
            KB_WRITE(&s.open[0], open + s.parts)


def exchange(uintptr_t[::1] plans, long long[:, ::1] links, double[::1] passing):
    """Pass signals on once: rows (from plan, place, to plan, place, how many). `passing` has room for all numbers."""
    if links.shape[0]:
        pass_on(&plans[0], &links[0, 0], links.shape[0], &passing[0])


def advance(
    uintptr_t[::1] plans, uintptr_t[::1] recorders, int[::1] statuses, long long[:, ::1] links, double[::1] passing,
    double end, long long steps, int threads,
):
    """Go on to `end`, at most `steps` steps, with those whose status is "paused"; the statuses are those afterwards.

    Without links each plan runs ahead on its own. With links all go from one point of the grid to the next, which is a
    step, and signals are passed on after each.
    """
    cdef Py_ssize_t i, n = plans.shape[0]
    cdef Lockstep shared
    if n == 0:
        return
    if not (recorders.shape[0] == statuses.shape[0] == n) or links.shape[1] != LINK_FIELDS or threads < 1:
        raise ValueError("advance: arrays do not fit together")
    if links.shape[0] == 0:
        with nogil:
            for i in prange(n, num_threads=threads, schedule="dynamic"):
                statuses[i] = advance_one(plans[i], recorders[i], statuses[i], end, steps)
        return
    if not KB_OPENMP:
        threads = 1
    shared.plans, shared.recorders, shared.statuses = &plans[0], &recorders[0], &statuses[0]
    shared.links, shared.links_count, shared.passing = &links[0, 0], links.shape[0], &passing[0]
    shared.vehicles, shared.end = n, end
    shared.parts = 1 if threads == 1 else min(n, PARTS_EACH * threads)
    shared.total = steps * shared.parts
    shared.taken[0] = shared.done[0] = 0
    shared.open[0] = shared.parts
    with nogil, parallel(num_threads=threads):
        work(&shared)
