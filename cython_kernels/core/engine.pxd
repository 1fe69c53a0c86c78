"""The engine: start a plan and advance it. One engine serves Python and FMUs."""

from libc.math cimport INFINITY, fabs, isfinite
from libc.string cimport memcpy, memset

from cython_kernels.core.arithmetic cimport put_arithmetic_back, take_ieee_arithmetic
from cython_kernels.core.calls cimport take_crossings, take_setups, take_starts
from cython_kernels.core.detour cimport Detour, cuts, keep
from cython_kernels.core.dormand_prince cimport dense_state, dopri5_step
from cython_kernels.core.evaluate cimport *
from cython_kernels.core.plan cimport *
from cython_kernels.core.solvers cimport fixed_step, vector
from cython_kernels.core.summaries cimport summarise


ctypedef bint (*IsOf)(const Plan* s) noexcept nogil
ctypedef int (*GoOn)(Plan* s, double end, long long steps, Recorder* r, Detour* d, bint closed) noexcept nogil


cdef inline int plan_setup(Plan* s) noexcept nogil:
    """Derive constants from the parameters; needed after parameters have changed."""
    s.stale = False
    s.dirty = True
    s.first_major = 0
    memset(s.faults, 0, <size_t>s.header.blocks * sizeof(int))
    take_setups(s, s.clock.t)
    return STATUS_FAULT if faulty(s) else STATUS_END


cdef inline int plan_refresh(Plan* s) noexcept nogil:
    """Make the outputs those of the present inputs, parameters and time."""
    cdef int status = STATUS_END
    cdef unsigned long long found = take_ieee_arithmetic()
    if s.stale:
        status = plan_setup(s)
    if status == STATUS_END and (s.dirty or not s.clock.evaluated):
        status = evaluate(s)
    put_arithmetic_back(found)
    return status


cdef inline int plan_initialise(Plan* s, double start) noexcept nogil:
    """Go to the initial state at time `start`, with the present parameters and inputs."""
    cdef int i, status
    cdef const int* copy
    cdef unsigned long long found = take_ieee_arithmetic()
    memset(&s.clock, 0, sizeof(Clock))
    memset(&s.failure, 0, sizeof(Failure))
    s.failure.block = -1
    s.clock.t = start
    s.clock.start = start
    s.watched = False
    s.fresh_derivatives = False
    memset(s.x, 0, <size_t>(s.header.x + s.header.z + s.header.rates) * sizeof(double))
    memcpy(s.values + s.header.inputs, s.given + s.header.inputs,
           <size_t>(s.header.signals - s.header.inputs) * sizeof(double))
    status = plan_setup(s)
    if status == STATUS_END:
        for i in range(s.header.copies):
            copy = s.copies + 3 * i
            memcpy(s.values + copy[1], s.values + copy[0], <size_t>copy[2] * sizeof(double))
        take_starts(s, start)
    put_arithmetic_back(found)
    return status


cdef inline int plan_start(Plan* s, double start) noexcept nogil:
    """Go to the initial state at time `start` and evaluate it."""
    cdef int status = plan_initialise(s, start)
    return plan_refresh(s) if status == STATUS_END else status


cdef inline int write_record(Plan* s, double t, Recorder* r) noexcept nogil:
    """Append one row if there is room; STATUS_NOT_FINITE if it holds a value that is not a finite number."""
    cdef int i
    cdef double total = 0.0
    cdef double* row
    if r.summary != NULL:
        summarise(r.summary, s.values)
    if r.rows >= r.capacity or (r.every != 1 and s.clock.grid % r.every != 0):
        return STATUS_END
    row = r.out + r.rows * r.channels
    for i in range(r.channels):
        row[i] = s.values[r.places[i]]
        total += row[i] * 0.0
    r.time[r.rows] = t
    r.rows += 1
    return STATUS_END if total == 0.0 else STATUS_NOT_FINITE


cdef inline bint is_recorded(const Plan* s, const Recorder* r) noexcept nogil:
    return r != NULL and (r.every == 1 or r.summary != NULL or s.clock.grid % r.every == 0)


cdef inline bint is_stopped(const Plan* s) noexcept nogil:
    """True if the stop signal is on."""
    return s.header.stop >= 0 and s.values[s.header.stop] > 0.5


cdef inline double grid_time(const Plan* s) noexcept nogil:
    """The next point of the recording grid."""
    return s.clock.start + <double>s.clock.grid * s.header.step


cdef inline int pass_grid(Plan* s, Recorder* r) noexcept nogil:
    """If the clock stands on the recording grid, record and go on to the next grid point."""
    cdef int status = STATUS_END
    if fabs(grid_time(s) - s.clock.t) <= tolerance(s):
        if is_recorded(s, r):
            status = write_record(s, grid_time(s), r)
        s.clock.grid += 1
    return status


cdef inline int not_finite(Plan* s, double h) noexcept nogil:
    """Find the block that first made a value that is no finite number. h > 0: repeat a fixed step of h and watch."""
    s.failure.t = s.clock.t
    s.failure.part = PART_NONE
    if h > 0.0:
        memcpy(s.x, vector(s, 0), <size_t>s.header.x * sizeof(double))
        continuous_outputs(s, s.clock.t)
    if not spoilt_signals(s) and h > 0.0:
        watch(s, s.clock.t)
        if s.failure.part == PART_NONE:
            s.failure.t = s.clock.t + h
            s.watched = True
            fixed_step(s, h)
            s.watched = False
    if s.failure.part == PART_NONE:
        note_state(s)
    return STATUS_NOT_FINITE


cdef inline int record_between(Plan* s, double taken, Recorder* r) noexcept nogil:
    """Record the grid points inside the adaptive step just taken, from its dense output."""
    cdef int status = STATUS_END
    cdef double t
    cdef bint moved = False
    cdef double* end = vector(s, 2)
    while grid_time(s) < s.clock.t + taken - tolerance(s) and status == STATUS_END:
        t = grid_time(s)
        if is_recorded(s, r):
            if not moved:
                memcpy(end, s.x, <size_t>s.header.x * sizeof(double))
                moved = True
            dense_state(s, (t - s.clock.t) / taken)
            continuous_outputs(s, t)
            status = STATUS_FAULT if faulty(s) else write_record(s, t, r)
            if status == STATUS_NOT_FINITE:
                not_finite(s, 0.0)
            s.failure.t = t
        s.clock.grid += 1
    if moved:
        memcpy(s.x, end, <size_t>s.header.x * sizeof(double))
    return status


cdef inline int step_too_small(Plan* s, double h) noexcept nogil:
    """The adaptive solver cannot go on, not even by h: say which block does not allow it."""
    cdef int i, k
    cdef double size, times = 0.0, largest = -1.0
    cdef const int* b
    s.failure.t = s.clock.t
    s.failure.part = PART_NONE
    s.watched = True
    for k in range(5):                  # at t, and 1, 10, 100 and 1000 h later
        size = h * times
        times = 10.0 * times if k else 1.0
        for i in range(s.header.x):
            s.x[i] = vector(s, 0)[i] + size * vector(s, 1)[i]
        right_hand_side(s, s.clock.t + size)
    memcpy(s.x, vector(s, 0), <size_t>s.header.x * sizeof(double))
    s.watched = False
    if faulty(s):
        return STATUS_FAULT
    if s.failure.part != PART_NONE:
        return STATUS_NOT_FINITE
    for i in range(s.header.blocks):
        b = s.blocks + <size_t>i * BLOCK_FIELDS
        for k in range(b[BLOCK_X + 1]):
            size = fabs(s.dx[b[BLOCK_X] - (s.x - s.values) + k])
            if size > largest:
                largest = size
                note(s, i, PART_DERIVATIVE, k)
    return STATUS_STEP_TOO_SMALL


cdef inline int adaptive_way(Plan* s, double end, Recorder* r) noexcept nogil:
    """One step of the adaptive solver from t, and the clock set to where it went."""
    cdef double taken, reached
    cdef double target = next_instant(s, end, s.states == 0)    # without an error to control, no step is too long
    cdef int status
    taken = target - s.clock.t
    take_crossings(s, s.clock.t)
    status = dopri5_step(s, target, &taken)
    if status != STATUS_END:
        return status if status == STATUS_FAULT else step_too_small(s, taken)
    s.clock.tiny_steps = s.clock.tiny_steps + 1 if taken < 1e-12 * (1.0 + fabs(s.clock.t)) else 0
    if s.clock.tiny_steps > MODE_ITERATIONS:
        s.failure.t = s.clock.t
        return STATUS_TOO_MANY_EVENTS
    status = record_between(s, taken, r)
    if status != STATUS_END:
        return status
    reached = s.clock.t + taken
    if taken == target - s.clock.t and reached != target:   # derivatives are those of an instant beside the target
        s.fresh_derivatives = False
        reached = target
    s.clock.t = reached
    return STATUS_END


cdef inline int fixed_way(Plan* s, double end) noexcept nogil:
    """One step of a fixed-step solver from t, and the clock set to its end."""
    cdef double target = next_jump(s, next_instant(s, end, True))
    cdef bint on_grid = s.clock.t == s.clock.start + <double>(s.clock.grid - 1) * s.header.step
    cdef bint hit_grid = target == grid_time(s)
    cdef double taken = s.header.step if on_grid and hit_grid else target - s.clock.t
    fixed_step(s, taken)
    if not states_are_finite(s):
        if faulty(s):
            s.failure.t = target    # as the next evaluation says it where the states stayed finite
            return STATUS_FAULT
        return not_finite(s, taken)
    s.clock.t = target
    return STATUS_END


cdef inline int integrate(Plan* s, double end, Recorder* r, Detour* d) noexcept nogil:
    """One step from t, and the clock set to where it went."""
    cdef int status
    commit(s)
    if d != NULL and not d.away:
        if cuts(s, end):
            keep(d, s, r)
        else:
            end = INFINITY      # an instant of its own may be the same as `end` but for rounding
    status = adaptive_way(s, end, r) if s.header.solver == SOLVER_DOPRI5 else fixed_way(s, end)
    if status != STATUS_END:
        return status
    s.clock.steps += 1
    s.clock.evaluated = False
    return STATUS_END


cdef inline int step_on(Plan* s, double end, long long steps, Recorder* r, Detour* d, bint closed) noexcept nogil:
    """As `go_on`, in the arithmetic that is there."""
    cdef int status
    cdef bint ended
    cdef long long limit = s.clock.steps + steps
    while True:
        if not s.clock.evaluated or s.dirty or s.stale:
            status = plan_refresh(s)
            if status != STATUS_END:
                return status
        ended = s.clock.t >= end - tolerance(s) or end != end       # what is no number is never reached
        if ended and not closed:
            return STATUS_STOPPED if is_stopped(s) and (d == NULL or not d.away) else STATUS_END
        if pass_grid(s, r) != STATUS_END:
            return not_finite(s, 0.0)
        if is_stopped(s):
            return STATUS_STOPPED
        if ended:
            return STATUS_END
        if s.clock.steps >= limit:
            return STATUS_PAUSED
        status = integrate(s, end, r, d)
        if status != STATUS_END:
            return status


cdef inline int go_on(Plan* s, double end, long long steps, Recorder* r, Detour* d, bint closed) noexcept nogil:
    """Go on to the time `end`, or for `steps` steps, and record on the way (`r` may be NULL).

    closed: `end` belongs to what is gone through, and is recorded. If it does not, that is left to what goes on from
    there, perhaps with other inputs. With `d` a step that `end` would cut short is a detour.
    """
    cdef unsigned long long found = take_ieee_arithmetic()
    cdef int status = step_on(s, end, steps, r, d, closed)
    put_arithmetic_back(found)
    return status


cdef inline int plan_advance(Plan* s, double end, long long steps, Recorder* r) noexcept nogil:
    """Go on to the time `end`, where a step ends, or for `steps` steps, and record on the way (`r` may be NULL).

    On return the outputs are those of the clock's time. Samples that are due then have been evaluated but not
    committed: if inputs change before the next call, they are evaluated again with the new inputs.
    """
    return go_on(s, end, steps, r, NULL, True)
