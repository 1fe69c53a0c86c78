"""Many plans at once: independent of each other, or in lockstep with signals passed from one to another.

Plans share nothing, so that numbers do not depend on how many threads there are. Compiled without OpenMP one thread
does it all. Inputs are read from, and outputs written to, arrays with a row for each plan.
"""

from cython.parallel cimport parallel, prange
from libc.math cimport fabs, floor, isfinite
from libc.stdint cimport uintptr_t
from libc.string cimport memcpy

import numpy as np

from cython_kernels.core.arithmetic cimport put_arithmetic_back, take_ieee_arithmetic
from cython_kernels.core.detour cimport Detour, come_back, take_inputs
from cython_kernels.core.engine cimport GoOn, IsOf, plan_refresh
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
    MOST_LANES = 8
    STRIDE_ALONE = 64       # steps
    APART = 16              # numbers that threads share are so far apart that they are not in one cache line


cdef struct Member:
    Plan* plan
    Recorder* recorder      # NULL: nothing is recorded
    Detour* detour
    GoOn forward
    double end              # where it goes now


ctypedef bint (*Fits)(
    const Plan* a, const Recorder* ra, double end, const Plan* b, const Recorder* rb, double other_end
) noexcept nogil
ctypedef long long (*GoTogether)(
    Plan** plans, Recorder** recorders, int count, double end, long long steps, int* apart
) noexcept nogil


cdef struct Lanes:          # of a plan compiled for several members at once, see `plain_c/lanes/group.h`
    int width               # how many go on together; 1: none do
    Fits fits
    GoTogether go


cdef struct Channel:        # a quantity of all plans as an array, a row for each
    double* rows
    int place               # in the values of each plan
    int count


cdef struct Together:
    Member* members
    int* statuses
    double* times
    const Channel* inputs
    const Channel* outputs
    Lanes lanes
    long long* going        # those on the way, in order
    long long* side_by_side  # steps that each took beside others
    const long long* links
    double* passing
    int inputs_count
    int outputs_count
    long long count
    long long links_count
    bint closed             # the end belongs to what is gone through
    long long parts         # of a step
    long long total         # parts of all steps
    long long taken[APART]  # parts that a thread has begun
    long long open[APART]   # parts that may be begun: to the end of the present step
    long long done[APART]


cdef void read_inputs(const Together* s, long long i) noexcept nogil:
    cdef int k
    cdef const Channel* c
    for k in range(s.inputs_count):
        c = s.inputs + k
        memcpy(s.members[i].plan.values + c.place, c.rows + i * c.count, <size_t>c.count * sizeof(double))


cdef void write_outputs(const Together* s, long long i) noexcept nogil:
    cdef int k
    cdef const Channel* c
    s.times[i] = s.members[i].plan.clock.t
    for k in range(s.outputs_count):
        c = s.outputs + k
        memcpy(c.rows + i * c.count, s.members[i].plan.values + c.place, <size_t>c.count * sizeof(double))


cdef double near_grid(const Plan* s, double t, double nearness) noexcept nogil:
    """The point of the grid that is meant, where rounding alone keeps an instant from it."""
    cdef double point = s.clock.start + floor((t - s.clock.start) / s.header.step + 0.5) * s.header.step
    return point if fabs(point - t) <= nearness * s.header.step else t


cdef void begin_one(const Together* s, long long i, double by, double until, double nearness) noexcept nogil:
    """Let one that stands at the end of its way set out for the next."""
    cdef Member* m = &s.members[i]
    cdef unsigned long long found
    if s.statuses[i] != STATUS_END:
        return
    read_inputs(s, i)
    found = take_ieee_arithmetic()
    m.end = near_grid(m.plan, m.plan.clock.t + by if by >= 0.0 else until, nearness)
    put_arithmetic_back(found)
    come_back(m.detour, m.plan, m.recorder)
    s.statuses[i] = STATUS_PAUSED


cdef void advance_one(const Together* s, long long i, long long steps) noexcept nogil:
    """Go on with one plan unless it has ended."""
    cdef Member* m = &s.members[i]
    if s.statuses[i] != STATUS_PAUSED:
        return
    s.statuses[i] = m.forward(m.plan, m.end, steps, m.recorder, m.detour, s.closed)
    if s.statuses[i] != STATUS_PAUSED:
        write_outputs(s, i)


cdef int size_of_group(long long i, int width, long long n) noexcept nogil:
    """How many are in group i of those of `width` that n make."""
    return width if (i + 1) * width <= n else <int>(n - i * width)


cdef void advance_alone(const Together* s, long long i, long long steps) noexcept nogil:
    """Go on with one plan by itself to a point of its grid so many steps ahead, however many it takes to there."""
    cdef Member* m = &s.members[i]
    cdef Plan* p = m.plan
    cdef double target
    cdef bint there
    cdef unsigned long long found
    if s.statuses[i] != STATUS_PAUSED:
        return
    found = take_ieee_arithmetic()
    target = p.clock.start + <double>(p.clock.grid + steps) * p.header.step
    if target >= m.end - tolerance(p):
        advance_one(s, i, UNLIMITED)
    else:
        s.statuses[i] = m.forward(p, target, UNLIMITED, m.recorder, m.detour, False)
        there = p.clock.t >= target - tolerance(p)      # whether it stops there is seen when it goes on
        if there and (s.statuses[i] == STATUS_END or s.statuses[i] == STATUS_STOPPED):
            s.statuses[i] = STATUS_PAUSED
        if s.statuses[i] != STATUS_PAUSED:
            write_outputs(s, i)
    put_arithmetic_back(found)


cdef bint fit(const Together* s, long long i, long long k) noexcept nogil:
    """Whether two can go side by side."""
    cdef const Member* a = &s.members[i]
    cdef const Member* b = &s.members[k]
    return s.lanes.fits(a.plan, a.recorder, a.end, b.plan, b.recorder, b.end)


cdef void advance_side_by_side(const Together* s, long long* who, int count, long long steps) noexcept nogil:
    """Go on with some that fit. Where one stops, fails or jumps by itself, each goes alone to the end of a stride."""
    cdef Plan* plans[MOST_LANES]
    cdef Recorder* recorders[MOST_LANES]
    cdef int k, kept, apart = False
    cdef long long alone, taken
    while count > 1 and steps > 0:
        for k in range(count):
            plans[k], recorders[k] = s.members[who[k]].plan, s.members[who[k]].recorder
        taken = s.lanes.go(plans, recorders, count, s.members[who[0]].end, steps, &apart)
        steps -= taken
        for k in range(count):
            s.side_by_side[who[k]] += taken
        if not apart:
            break
        alone = STRIDE_ALONE if STRIDE_ALONE < steps else steps
        steps -= alone
        kept = 0
        for k in range(count):
            advance_alone(s, who[k], alone)
            if s.statuses[who[k]] != STATUS_PAUSED:
                continue
            who[kept] = who[k]
            if kept == 0 or fit(s, who[0], who[k]):
                kept += 1
            else:
                advance_one(s, who[k], steps)
        count = kept
    for k in range(count):
        advance_one(s, who[k], steps)


cdef void advance_group(const Together* s, const long long* those, int count, long long steps) noexcept nogil:
    """Go on with some that are on the way, side by side those that can."""
    cdef long long left[MOST_LANES]
    cdef long long same[MOST_LANES]
    cdef int k, n, others
    for k in range(count):
        left[k] = those[k]
        if s.members[left[k]].plan.stale:
            s.statuses[left[k]] = plan_refresh(s.members[left[k]].plan)
            if s.statuses[left[k]] == STATUS_END:
                s.statuses[left[k]] = STATUS_PAUSED
            else:
                write_outputs(s, left[k])
    while count > 0:
        n = others = 0
        for k in range(count):
            if k == 0 or fit(s, same[0], left[k]):
                same[n] = left[k]
                n += 1
            else:
                left[others] = left[k]
                others += 1
        count = others
        advance_side_by_side(s, same, n, steps)


cdef void advance_together(const Together* s, long long i) noexcept nogil:
    """Go on to the next point of the grid, however many steps that takes: samples and jumps may be its own alone.

    What is recorded there is left to the next step, which knows what has been passed on.
    """
    cdef Member* m = &s.members[i]
    cdef Plan* p = m.plan
    cdef double target
    cdef unsigned long long found
    if s.statuses[i] != STATUS_PAUSED:
        return
    found = take_ieee_arithmetic()
    target = p.clock.start + (floor((p.clock.t - p.clock.start) / p.header.step + 0.5) + 1.0) * p.header.step
    if target >= m.end - tolerance(p):
        s.statuses[i] = m.forward(p, m.end, UNLIMITED, m.recorder, NULL, False)
    else:
        s.statuses[i] = m.forward(p, target, UNLIMITED, m.recorder, NULL, False)
        if s.statuses[i] == STATUS_END:
            s.statuses[i] = STATUS_PAUSED
    put_arithmetic_back(found)


cdef void pass_on(const Together* s) noexcept nogil:
    """Copy what each link says, all of it as it was before. What is not finite, of a plan that failed, is held back."""
    cdef long long _i, k
    cdef const long long* link = s.links
    cdef double* place = s.passing
    cdef Plan* sink
    cdef bint sound
    for _i in range(s.links_count):
        memcpy(
            place, s.members[link[LINK_FROM]].plan.values + link[LINK_FROM + 1],
            <size_t>link[LINK_COUNT] * sizeof(double),
        )
        place += link[LINK_COUNT]
        link += LINK_FIELDS
    link = s.links
    place = s.passing
    for _i in range(s.links_count):
        sink = s.members[link[LINK_TO]].plan
        sound = True
        for k in range(link[LINK_COUNT]):
            sound = sound and isfinite(place[k])
        if sound:
            memcpy(sink.values + link[LINK_TO + 1], place, <size_t>link[LINK_COUNT] * sizeof(double))
            sink.dirty = True
        place += link[LINK_COUNT]
        link += LINK_FIELDS


cdef void work(Together* s) noexcept nogil:
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
        for i in range(part * s.count // s.parts, (part + 1) * s.count // s.parts):
            advance_together(s, i)
        if KB_COUNT(&s.done[0]) == open:  # the last part of the step, which stays open until now
            pass_on(s)
            KB_WRITE(&s.open[0], open + s.parts)


cdef void renew_one(const Together* s, long long i) noexcept nogil:
    cdef Member* m = &s.members[i]
    cdef int status
    take_inputs(m.detour, m.plan)
    status = plan_refresh(m.plan)
    if status != STATUS_END:
        s.statuses[i] = status
    write_outputs(s, i)


cdef class Engines:
    """Many engines of one plan that go on together.

    `statuses` holds the status of each: "end" when it stands where it was told to go, "paused" on the way; `times` the
    instant, s.
    """

    cdef Together shared
    cdef readonly object statuses
    cdef readonly object times
    cdef readonly object lanes
    """What `go_in_lanes` was given, or None."""
    cdef readonly object steps_side_by_side
    """How many steps each took beside others, to be set to 0 by who wants to."""
    cdef object engines
    cdef object arrays
    cdef object memory

    def __init__(self, engines, long long[:, ::1] links):
        """engines: `Engine`s that have been made ready by `visit`. links: rows (from, place, to, place, how many)."""
        cdef Py_ssize_t i
        cdef uintptr_t plan, recorder, detour, forward
        cdef int[::1] statuses
        cdef double[::1] passing, times
        cdef long long[::1] going, side_by_side
        cdef long long[:, ::1] kept
        if links.shape[1] != LINK_FIELDS or not len(engines):
            raise ValueError("Engines: links and engines do not fit together")
        self.engines = list(engines)
        self.statuses = np.zeros(len(engines), dtype=np.intc)
        members_array = np.zeros(len(engines) * sizeof(Member), dtype=np.uint8)
        links_array = np.array(links)
        passing_array = np.empty(max(1, int(np.sum(links_array[:, LINK_COUNT]))))
        self.memory = [members_array, links_array, passing_array]
        self.arrays = {"inputs": (), "outputs": ()}
        self.times = np.zeros(len(engines))
        statuses, times, kept, passing = self.statuses, self.times, links_array, passing_array
        self.shared.members = <Member*><uintptr_t>members_array.ctypes.data
        self.shared.statuses = &statuses[0]
        self.shared.times = &times[0]
        self.shared.count = len(engines)
        self.shared.links = &kept[0, 0] if kept.shape[0] else NULL
        self.shared.links_count = kept.shape[0]
        self.shared.passing = &passing[0]
        going_array = np.zeros(len(engines), dtype=np.int64)
        going = going_array
        self.memory.append(going_array)
        self.shared.going = &going[0]
        self.steps_side_by_side = np.zeros(len(engines), dtype=np.int64)
        side_by_side = self.steps_side_by_side
        self.shared.side_by_side = &side_by_side[0]
        self.shared.lanes.width = 1
        for i, engine in enumerate(self.engines):
            plan, recorder, detour, forward = engine.addresses
            if detour == 0:
                raise ValueError("Engines: visit comes first")
            self.shared.members[i].plan = <Plan*>plan
            self.shared.members[i].recorder = <Recorder*>recorder
            self.shared.members[i].detour = <Detour*>detour
            self.shared.members[i].forward = <GoOn>forward

    def go_in_lanes(self, lanes):
        """From now on let members go on side by side: lanes has `width`, and addresses `fits`, `go_together`, `is_of`.

        Raises ValueError for what is of another plan.
        """
        cdef long long i
        if not 1 <= lanes.width <= MOST_LANES:
            raise ValueError("go_in_lanes: so many cannot go on together")
        for i in range(self.shared.count):
            if not (<IsOf><uintptr_t>lanes.is_of)(self.shared.members[i].plan):
                raise ValueError("go_in_lanes: this was compiled for another plan")
        self.lanes = lanes
        self.shared.lanes.width = lanes.width
        self.shared.lanes.fits = <Fits><uintptr_t>lanes.fits
        self.shared.lanes.go = <GoTogether><uintptr_t>lanes.go_together

    def exchange_arrays(self, inputs, outputs):
        """Arrays (engines, numbers) with the places of their first numbers: read before each way, written after it."""
        self.arrays = {"inputs": tuple(inputs), "outputs": tuple(outputs)}
        self.shared.inputs_count, self.shared.outputs_count = len(inputs), len(outputs)
        self.shared.inputs = self._channels("inputs")
        self.shared.outputs = self._channels("outputs")

    cdef Channel* _channels(self, kind) except? NULL:
        cdef Py_ssize_t i
        cdef double[:, ::1] rows
        cdef Channel* channels
        room = np.zeros(max(1, len(self.arrays[kind])) * sizeof(Channel), dtype=np.uint8)
        self.memory.append(room)
        channels = <Channel*><uintptr_t>room.ctypes.data
        for i, (array, place) in enumerate(self.arrays[kind]):
            rows = array
            if rows.shape[0] != self.shared.count or not 0 <= place <= len(self.engines[0].values) - rows.shape[1]:
                raise ValueError("exchange_arrays: an array does not fit")
            channels[i].rows = &rows[0, 0] if rows.shape[1] else NULL
            channels[i].place = place
            channels[i].count = <int>rows.shape[1]
        return channels

    def pass_signals(self):
        """Pass signals on once."""
        pass_on(&self.shared)

    def write(self):
        """Write the outputs of all to their arrays."""
        cdef long long i
        for i in range(self.shared.count):
            write_outputs(&self.shared, i)

    def begin(self, double by, double until, double nearness):
        """Let all that stand at the end of their way set out: by a time, or if that is negative to an instant.

        nearness: of a step, within which an instant is that of the grid.
        """
        cdef long long i
        with nogil:
            for i in range(self.shared.count):
                begin_one(&self.shared, i, by, until, nearness)

    def go(self, long long steps, int threads, bint closed, long long first=0, long long last=-1):
        """Go on, at most `steps` steps, with those from `first` to before `last` that are on the way.

        closed: their ends are recorded. Each runs ahead on its own. With links all go from one point of the grid to
        the next, which is a step, and signals are passed on after each.
        """
        cdef long long i
        cdef Together* s = &self.shared
        if last < 0 or last > s.count:
            last = s.count
        if threads < 1 or first < 0:
            raise ValueError("go: a thread at least is needed")
        s.closed = closed
        if s.links_count == 0 and s.lanes.width > 1:
            self._go_in_groups(steps, threads, first, last)
            return
        if s.links_count == 0:
            with nogil:
                if threads == 1:
                    for i in range(first, last):
                        advance_one(s, i, steps)
                else:
                    for i in prange(first, last, num_threads=threads, schedule="dynamic", chunksize=8):
                        advance_one(s, i, steps)
            return
        if not KB_OPENMP:
            threads = 1
        s.parts = 1 if threads == 1 else min(s.count, PARTS_EACH * threads)
        s.total = steps * s.parts
        s.taken[0] = s.done[0] = 0
        s.open[0] = s.parts
        with nogil, parallel(num_threads=threads):
            work(s)
        with nogil:
            for i in range(s.count):
                if s.statuses[i] == STATUS_END:
                    renew_one(s, i)

    def _go_in_groups(self, long long steps, int threads, long long first, long long last):
        cdef Together* s = &self.shared
        cdef long long i, groups, n = 0
        cdef int width = s.lanes.width
        for i in range(first, last):
            if s.statuses[i] == STATUS_PAUSED:
                s.going[n] = i
                n += 1
        groups = (n + width - 1) // width
        with nogil:
            if threads == 1:
                for i in range(groups):
                    advance_group(s, s.going + i * width, size_of_group(i, width, n), steps)
            else:
                for i in prange(groups, num_threads=threads, schedule="dynamic", chunksize=2):
                    advance_group(s, s.going + i * width, size_of_group(i, width, n), steps)

    @property
    def going(self) -> int:
        """How many are on the way."""
        cdef long long i, count = 0
        for i in range(self.shared.count):
            count += self.shared.statuses[i] == STATUS_PAUSED
        return count

    def renew(self):
        """Make outputs those of the inputs and parameters set just now, for all that stand at the end of their way."""
        cdef long long i
        with nogil:
            for i in range(self.shared.count):
                if self.shared.statuses[i] == STATUS_END:
                    read_inputs(&self.shared, i)
                    renew_one(&self.shared, i)
