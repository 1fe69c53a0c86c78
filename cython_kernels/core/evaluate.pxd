"""Evaluate a plan at one instant: outputs, modes, sample hits, derivatives, crossings, and who spoilt a value."""

from libc.math cimport fabs, isfinite
from libc.string cimport memcmp, memcpy

from cython_kernels.core.calls cimport *
from cython_kernels.core.plan cimport *


cdef inline double tolerance(const Plan* s) noexcept nogil:
    """Instants nearer than this are one."""
    return 1e-9 * s.header.step + 2e-15 * fabs(s.clock.t)


cdef inline bint note(Plan* s, int block, int part, int element) noexcept nogil:
    s.failure.block = block
    s.failure.part = part
    s.failure.element = element
    return True


cdef inline bint spoilt_output(Plan* s, const Task* task) noexcept nogil:
    """True, and noted as the failure, if an output of this call is not finite."""
    cdef const int* b = s.blocks + <size_t>task.block * BLOCK_FIELDS
    cdef const int* port = s.ports + b[BLOCK_OUTPUTS + 1]
    cdef int i, j
    for i in range(b[BLOCK_OUTPUTS]):
        if task.view.y[i] != NULL:
            for j in range(port[2 * i + 1]):
                if not isfinite(task.view.y[i][j]):
                    s.failure.fault = i
                    return note(s, task.block, PART_OUTPUT, j)
    return False


cdef inline bint spoilt_derivative(Plan* s, const Task* task) noexcept nogil:
    """True, and noted as the failure, if a derivative of this block is not finite."""
    cdef int j
    for j in range(s.blocks[<size_t>task.block * BLOCK_FIELDS + BLOCK_X + 1]):
        if not isfinite(task.view.dx[j]):
            return note(s, task.block, PART_DERIVATIVE, j)
    return False


cdef inline bint spoilt_signals(Plan* s) noexcept nogil:
    """Look through all outputs in the order of their evaluation."""
    cdef int i
    for i in range(s.n_majors):
        if spoilt_output(s, &s.majors[i]):
            return True
    return False


cdef inline bint states_are_finite(const Plan* s) noexcept nogil:
    cdef int i
    cdef const double* x = s.x
    cdef double a = 0.0
    cdef double b = 0.0
    cdef double c = 0.0
    cdef double d = 0.0
    for i from 0 <= i < s.header.x by 4:    # LANES
        a += x[i] * 0.0
        b += x[i + 1] * 0.0
        c += x[i + 2] * 0.0
        d += x[i + 3] * 0.0
    return (a + b) + (c + d) == 0.0


cdef inline void note_state(Plan* s) noexcept nogil:
    """Note the first state that is not finite as the failure."""
    cdef int i, k
    cdef const int* b
    for i in range(s.header.blocks):
        b = s.blocks + <size_t>i * BLOCK_FIELDS
        for k in range(b[BLOCK_X + 1]):
            if not isfinite(s.values[b[BLOCK_X] + k]):
                note(s, i, PART_STATE, k)
                return


cdef inline void watch(Plan* s, double t) noexcept nogil:
    """dx at (t, x), looking for the first value that is not finite."""
    cdef int i
    for i in range(s.n_minors):
        s.minors[i].run(&s.minors[i].view, t)
        if s.failure.part == PART_NONE:
            spoilt_output(s, &s.minors[i])
    for i in range(s.n_derivatives):
        s.derivatives[i].run(&s.derivatives[i].view, t)
        if s.failure.part == PART_NONE:
            spoilt_derivative(s, &s.derivatives[i])


cdef inline void follow_inputs(const Plan* s, double t) noexcept nogil:
    """External inputs at t, by their Taylor series from the communication point."""
    cdef int i, k
    cdef int n = s.header.inputs
    cdef double elapsed = t - s.series_start
    cdef double value
    for i in range(n):
        value = 0.0
        for k in range(s.series_orders - 1, 0, -1):
            value = (value + s.series[k * n + i]) * (elapsed / <double>k)
        s.values[i] = s.series[i] + value


cdef inline void continuous_outputs(Plan* s, double t) noexcept nogil:
    """All outputs that are not sampled, at (t, x)."""
    if s.series != NULL:
        follow_inputs(s, t)
    take_continuous_outputs(s, t)


cdef inline void right_hand_side(Plan* s, double t) noexcept nogil:
    """dx at (t, x): only the outputs that derivatives depend on are evaluated, samples are held."""
    s.clock.evaluations += 1
    if s.series != NULL:                # minors leave out what depends on inputs alone
        continuous_outputs(s, t)
    if s.watched:
        watch(s, t)
        return
    take_minors(s, t)
    take_derivatives(s, t)


cdef inline double hit_time(const Plan* s, int rate) noexcept nogil:
    """When the next hit of a rate (from 0) is due."""
    return (
        s.clock.start + s.values[s.rates[2 * rate + 1]] + s.hits[rate] * s.values[s.rates[2 * rate]]
    )


cdef inline bint mark_due(Plan* s) noexcept nogil:
    """Mark the rates that have a hit now; True if any has."""
    cdef int i
    cdef bint found = False
    for i in range(s.header.rates):
        s.due[i + 1] = hit_time(s, i) <= s.clock.t + tolerance(s)
        found = found or s.due[i + 1]
    return found


cdef inline bint modes_changed(Plan* s) noexcept nogil:
    """Let the blocks that are not sampled change their modes; True if one did."""
    cdef size_t size = <size_t>s.header.z * sizeof(double)
    if s.n_modes == 0:
        return False
    memcpy(s.scratch, s.z, size)
    take_modes(s, s.clock.t)
    return memcmp(s.scratch, s.z, size) != 0


cdef inline bint faulty(Plan* s) noexcept nogil:
    """True, and noted, if a kernel has set its fault."""
    cdef int i
    for i in range(s.header.blocks):
        if s.faults[i] != 0:
            note(s, i, PART_NONE, 0)
            s.failure.fault = s.faults[i]
            s.failure.t = s.clock.t
            return True
    return False


cdef inline bint forget_faults(Plan* s) noexcept nogil:
    """True if a kernel has set its fault, which is taken back: what was tried is not what will happen.

    A misuse (below 0, see `checked.pxd`) stays, for the next evaluation to tell.
    """
    cdef int i
    cdef bint found = False
    for i in range(s.header.blocks):
        if s.faults[i] > 0:
            s.faults[i] = 0
            found = True
    return found


cdef inline int evaluate(Plan* s) noexcept nogil:
    """A major evaluation at the clock's time: samples that are due, all outputs, modes until they settle."""
    cdef int _
    s.due[0] = 1
    if s.series != NULL:
        follow_inputs(s, s.clock.t)
    if s.header.rates and mark_due(s):
        s.fresh_derivatives = False
        if s.n_modes and s.clock.steps and not s.clock.evaluated:   # up to now, what was held until now has counted
            continuous_outputs(s, s.clock.t)
            modes_changed(s)
    if s.dirty:
        s.fresh_derivatives = False
        s.dirty = False
    for _ in range(MODE_ITERATIONS):
        take_outputs(s, s.clock.t)
        if not modes_changed(s):
            break
        s.fresh_derivatives = False
    else:
        s.failure.t = s.clock.t
        return STATUS_UNSETTLED
    if faulty(s):
        return STATUS_FAULT
    s.first_major = s.header.steady
    s.clock.evaluated = True
    s.clock.evaluations += 1
    return STATUS_END


cdef inline void commit(Plan* s) noexcept nogil:
    """Let the sampled blocks whose hit was just evaluated move on to their next state."""
    cdef int i
    if s.header.rates == 0 or not mark_due(s):
        return
    take_samples(s, s.clock.t)
    for i in range(s.header.rates):
        if s.due[i + 1]:
            s.hits[i] += 1.0


cdef inline double next_instant(const Plan* s, double limit, bint stop_at_grid) noexcept nogil:
    """The next instant that a step must not pass: a hit, the limit, and on request the recording grid."""
    cdef double target = limit
    cdef double candidate
    cdef int i
    for i in range(s.header.rates):
        candidate = hit_time(s, i)
        if candidate < target - tolerance(s):
            target = candidate
    if stop_at_grid:
        candidate = s.clock.start + <double>s.clock.grid * s.header.step
        if candidate < target + tolerance(s):
            target = candidate
    return target


cdef inline double next_jump(const Plan* s, double limit) noexcept nogil:
    """The next instant before `limit` at which a signal jumps by time alone, or `limit`."""
    cdef double candidate
    cdef double before = limit - tolerance(s)
    cdef int i, k
    cdef const Task* task
    take_jumps(s, s.clock.t)
    for i in range(s.n_jumps):
        task = &s.jumps[i]
        for k in range(s.blocks[<size_t>task.block * BLOCK_FIELDS + BLOCK_G + 1]):
            candidate = s.clock.t - task.view.g[k]
            if s.clock.t < candidate < before:
                limit = before = candidate
    return limit
