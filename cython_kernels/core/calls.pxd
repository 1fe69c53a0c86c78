"""The calls of kernels, one list after the other: tasks that are gone through, or code where a plan was compiled whole.

What includes the engine's C for one plan defines KB_COMPILED as 1 ahead of it, and after it `kb_calls`, which calls the
kernels of that plan by name, with views that the compiler knows; see `blocks/compiled/`.
"""

from cython_kernels.core.plan cimport Plan, Task

cdef extern from *:
    """
    #ifndef KB_COMPILED
    #define KB_COMPILED 0
    #define kb_calls(plan, list, t) ((void)(plan), (void)(list), (void)(t))
    #endif
    """
    const int KB_COMPILED
    void compiled_calls "kb_calls"(void* plan, int list, double t) noexcept nogil


cdef enum Calls:
    CALLS_SETUPS = 0
    CALLS_STARTS = 1
    CALLS_MAJORS = 2        # from `first_major`, those that are not sampled or whose sample is due
    CALLS_CONTINUOUS = 3    # majors that are not sampled
    CALLS_MINORS = 4
    CALLS_DERIVATIVES = 5
    CALLS_MODES = 6
    CALLS_SAMPLES = 7       # that are due
    CALLS_CROSSINGS = 8
    CALLS_JUMPS = 9


cdef inline void run_all(const Task* task, int count, double t) noexcept nogil:
    cdef const Task* end = task + count
    while task < end:
        task.run(&task.view, t)
        task += 1


cdef inline void run_due(const Task* task, int count, const int* due, double t) noexcept nogil:
    """Those whose rate has a hit now; what is not sampled has rate 0, which is always due."""
    cdef const Task* end = task + count
    while task < end:
        if due[task.rate]:
            task.run(&task.view, t)
        task += 1


cdef inline void take(const Plan* s, int list, const Task* tasks, int count, double t) noexcept nogil:
    """All calls of a list, whose tasks these are."""
    if KB_COMPILED:
        compiled_calls(<void*>s, list, t)
    else:
        run_all(tasks, count, t)


cdef inline void take_setups(const Plan* s, double t) noexcept nogil:
    take(s, CALLS_SETUPS, s.setups, s.n_setups, t)


cdef inline void take_starts(const Plan* s, double t) noexcept nogil:
    take(s, CALLS_STARTS, s.starts, s.n_starts, t)


cdef inline void take_outputs(const Plan* s, double t) noexcept nogil:
    """All outputs that are not sampled, or whose sample is due, but for those that are known."""
    if KB_COMPILED:
        compiled_calls(<void*>s, CALLS_MAJORS, t)
    elif s.header.rates == 0:
        run_all(s.majors + s.first_major, s.n_majors - s.first_major, t)
    else:
        run_due(s.majors + s.first_major, s.n_majors - s.first_major, s.due, t)


cdef inline void take_continuous_outputs(const Plan* s, double t) noexcept nogil:
    """All outputs that are not sampled."""
    cdef int i
    if KB_COMPILED:
        compiled_calls(<void*>s, CALLS_CONTINUOUS, t)
        return
    for i in range(s.n_majors):
        if s.majors[i].rate == 0:
            s.majors[i].run(&s.majors[i].view, t)


cdef inline void take_minors(const Plan* s, double t) noexcept nogil:
    """The outputs that derivatives depend on."""
    take(s, CALLS_MINORS, s.minors, s.n_minors, t)


cdef inline void take_derivatives(const Plan* s, double t) noexcept nogil:
    take(s, CALLS_DERIVATIVES, s.derivatives, s.n_derivatives, t)


cdef inline void take_modes(const Plan* s, double t) noexcept nogil:
    """Let the blocks that are not sampled change their modes."""
    take(s, CALLS_MODES, s.modes, s.n_modes, t)


cdef inline void take_samples(const Plan* s, double t) noexcept nogil:
    """Let the sampled blocks that are due go on to their next state."""
    if KB_COMPILED:
        compiled_calls(<void*>s, CALLS_SAMPLES, t)
    else:
        run_due(s.samples, s.n_samples, s.due, t)


cdef inline void take_crossings(const Plan* s, double t) noexcept nogil:
    """The crossing functions."""
    take(s, CALLS_CROSSINGS, s.crossings, s.n_crossings, t)


cdef inline void take_jumps(const Plan* s, double t) noexcept nogil:
    """When time alone decides when a signal jumps: how far off that is."""
    take(s, CALLS_JUMPS, s.jumps, s.n_jumps, t)
