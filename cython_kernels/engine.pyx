"""The Python face of the engine, and only that: `Engine` runs a plan, `kernel_counts` tells what kernels expect."""

from os import environ as _environ

import numpy as np

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.math cimport NAN
from libc.stdint cimport uintptr_t

from cython_kernels.core.arithmetic cimport arithmetic, put_arithmetic_back, set_arithmetic, take_ieee_arithmetic
from cython_kernels.core.checked cimport KB_CHECKED
from cython_kernels.core.detour cimport Detour, come_back, detour_open, detour_size, take_inputs
from cython_kernels.core.differences cimport DIFFERENCE_STEP, extrapolated, plan_differences
from cython_kernels.core.engine cimport *
from cython_kernels.core.external cimport held_evaluation
from cython_kernels.core.loader cimport fnv1a, plan_memory, plan_open
from cython_kernels.core.saved_state cimport plan_restore, plan_save, plan_state_size
from cython_kernels.core.summaries cimport SUMMARY_FIELDS, Summary
from cython_kernels.libraries cimport find_library_kernel
from cython_kernels.mathematics.wide_paths cimport choose_path, has_sse42
from cython_kernels.registry cimport entry, find_kernel
from cython_kernels.view cimport Kernel, KernelEntry, View

CHECKED_BUILD = KB_CHECKED != 0
PLAN_VERSION_NUMBER = PLAN_VERSION
LANE_COUNT = LANES
SUMMARY_FIELD_COUNT = SUMMARY_FIELDS
HEADER_SIZE = sizeof(Header)
LAYOUT = sizeof(Plan) + 100000 * sizeof(Recorder) + 100000000 * sizeof(Detour)     # see blocks/compiled/source.py
CHECKED_FROM_BYTE = CHECKED_FROM
SOLVERS = {"euler": SOLVER_EULER, "heun": SOLVER_HEUN, "rk4": SOLVER_RK4, "dopri5": SOLVER_DOPRI5}
STATUSES = {
    STATUS_END: "end", STATUS_PAUSED: "paused", STATUS_STOPPED: "stopped", STATUS_FAULT: "fault",
    STATUS_NOT_FINITE: "not finite", STATUS_UNSETTLED: "unsettled", STATUS_STEP_TOO_SMALL: "step too small",
    STATUS_TOO_MANY_EVENTS: "too many events", STATUS_NOT_A_PLAN: "not a plan",
    STATUS_OTHER_VERSION: "plan of another version", STATUS_TRUNCATED: "truncated plan",
    STATUS_DAMAGED: "damaged plan", STATUS_UNKNOWN_KERNEL: "unknown kernel",
    STATUS_OTHER_STATE: "state of another plan",
}
SIMD = ("baseline", "avx2", "avx512")
ASKED_SIMD = _environ.get("KEELBLOCKS_SIMD") or "avx512"
PARTS = {PART_NONE: "", PART_OUTPUT: "output", PART_DERIVATIVE: "derivative", PART_STATE: "state"}


class EngineError(Exception):
    """A plan or a state that the engine cannot take."""


def use_simd(widest: str = ASKED_SIMD) -> str:
    """Let loops over waves take this one of SIMD, or the widest below it that there is; the one that they take."""
    return SIMD[choose_path(SIMD.index(widest))]


WIDEST_SIMD = use_simd() if ASKED_SIMD in SIMD else SIMD[0]
HAS_SSE42 = has_sse42() != 0


def processor_arithmetic() -> int:
    """How this thread's processor calculates: its control word, with the flags that it raised."""
    return arithmetic()


def set_processor_arithmetic(unsigned long long word):
    """Let this thread's processor calculate as `processor_arithmetic` once said."""
    set_arithmetic(word)


def kernel_counts(name: str):
    """(inputs, outputs, parameters, sizes, has_setup, has_start, has_outputs, has_derivatives, has_update,
    has_crossings, has_jumps) of a kernel, a count being -1 where it varies; None if there is no such kernel."""
    cdef KernelEntry k
    data = name.encode()
    if not find_kernel(data, &k) and not find_library_kernel(data, &k):
        return None
    return (
        k.inputs, k.outputs_count, k.parameters, k.sizes, k.setup != NULL, k.start != NULL, k.outputs != NULL,
        k.derivatives != NULL, k.update != NULL, k.crossings != NULL, k.jumps != NULL,
    )


# A call that succeeds does not take the fault of an earlier one back.

cdef bint call_runner(runner, method, double t) noexcept:
    """Call a runner. A Ctrl-C that is heard on the way in, where the runner cannot catch it, is kept for the run."""
    try:
        return method(t)
    except KeyboardInterrupt:
        runner.interrupted = True
        return method(t)
    finally:
        take_ieee_arithmetic()      # which what was called may have left otherwise


cdef void python_outputs(const View* b, double t) noexcept with gil:
    if call_runner(<object>b.context, (<object>b.context).call_outputs, t):
        b.fault[0] = 1


cdef void python_derivatives(const View* b, double t) noexcept with gil:
    if call_runner(<object>b.context, (<object>b.context).call_derivatives, t):
        b.fault[0] = 1


cdef void python_update(const View* b, double t) noexcept with gil:
    if call_runner(<object>b.context, (<object>b.context).call_update, t):
        b.fault[0] = 1


cdef bint python_entry(
    KernelEntry* k, const char* wanted, const char* name, Kernel derivatives, Kernel update
) noexcept nogil:
    return entry(k, wanted, name, NULL, NULL, &python_outputs, derivatives, update, NULL, NULL, -1, -1, -1, -1)


cdef bint find_python_kernel(const char* name, KernelEntry* k) noexcept nogil:
    """Blocks written in Python: which of the functions they have is in the kernel's name."""
    return (
        python_entry(k, name, b"python_o", NULL, NULL)
        or python_entry(k, name, b"python_od", &python_derivatives, NULL)
        or python_entry(k, name, b"python_ou", NULL, &python_update)
        or python_entry(k, name, b"python_odu", &python_derivatives, &python_update)
    )


cdef bint find_elsewhere(const char* name, KernelEntry* k) noexcept nogil:
    return find_python_kernel(name, k) or find_library_kernel(name, k)


cdef void give_context(Task* tasks, int count, int block, void* context) noexcept:
    cdef int i
    for i in range(count):
        if tasks[i].block == block:
            tasks[i].view.context = context


def fnv1a_hash(data: bytes) -> int:
    """The checksum that plans carry."""
    return fnv1a(<const unsigned char*>PyBytes_AS_STRING(data), len(data))


def memory_for(bytes stored not None) -> int:
    """How many bytes an `Engine` of a plan needs; 0 if it is not one."""
    cdef int status
    return plan_memory(<const unsigned char*>PyBytes_AS_STRING(stored), len(stored), &status) + 16


cdef class Engine:
    """One runnable plan. Raises EngineError if the bytes are not a plan that this version can run.

    memory: bytes, `memory_for` of them, that are this engine's alone; its own if not given.
    """

    cdef Plan* plan
    cdef Recorder recorder
    cdef Summary summary
    cdef Detour detour
    cdef GoOn forward
    cdef readonly object compiled
    """What `run_compiled` was given, or None."""
    cdef bint recording
    cdef object memory
    cdef object detour_memory
    cdef object contexts
    cdef object record_arrays
    cdef object summary_arrays
    cdef readonly object values
    """All numbers of the plan as one array: signals, parameters, derived constants, states."""
    cdef readonly bytes stored

    def __cinit__(self, bytes stored not None, memory=None):
        cdef int status
        cdef const unsigned char* data = <const unsigned char*>PyBytes_AS_STRING(stored)
        cdef size_t size = plan_memory(data, len(stored), &status)
        cdef char* place
        self.stored = stored
        self.contexts = {}
        self.forward = go_on
        if status == STATUS_END:
            self.memory = np.empty(size + 16, dtype=np.uint8) if memory is None else memory
            if self.memory.dtype != np.uint8 or len(self.memory) < size or not self.memory.flags.c_contiguous:
                raise ValueError("Engine: this is not the memory that was asked for")
            place = <char*><uintptr_t>self.memory.ctypes.data
            status = plan_open(<void*>place, data, len(stored), &find_elsewhere, &self.plan)
        if status != STATUS_END:
            where = f" (block number {self.plan.failure.block})" if self.plan and self.plan.failure.block >= 0 else ""
            raise EngineError(f"{STATUSES[status]}{where}")
        first = <char*>self.plan.values - place
        count = self.plan.scratch - self.plan.values
        self.values = self.memory[first:first + 8 * count].view(np.float64)

    def set_context(self, int block, context):
        """Give a Python block's runner to its kernel."""
        self.contexts[block] = context
        cdef void* pointer = <void*>context
        give_context(self.plan.majors, self.plan.n_majors, block, pointer)
        give_context(self.plan.minors, self.plan.n_minors, block, pointer)
        give_context(self.plan.derivatives, self.plan.n_derivatives, block, pointer)
        give_context(self.plan.modes, self.plan.n_modes, block, pointer)
        give_context(self.plan.samples, self.plan.n_samples, block, pointer)

    def context(self, int block):
        """The runner that was given for a block."""
        return self.contexts[block]

    def record(self, int[::1] places, long long every, double[::1] time, double[:, ::1] out):
        """Record the values at `places` into these arrays from now on."""
        if out.shape[0] != time.shape[0] or out.shape[1] != places.shape[0] or every < 1:
            raise ValueError("record: time, out and places do not fit together")
        if places.shape[0] and not 0 <= np.min(places) <= np.max(places) < len(self.values):
            raise ValueError("record: there are no values at some of the places")
        self.record_arrays = (places, time, out)
        self.recorder.places = &places[0] if places.shape[0] else NULL
        self.recorder.channels = <int>places.shape[0]
        self.recorder.every = every
        self.recorder.capacity = time.shape[0]
        self.recorder.rows = 0
        self.recorder.time = &time[0] if time.shape[0] else NULL
        self.recorder.out = &out[0, 0] if time.shape[0] and places.shape[0] else NULL
        self.recording = True

    def summarise(self, int[::1] places, double[:, ::1] fields):
        """From now on keep mean, squared deviations, least and greatest of the values at `places`, a row each.

        Taken at every point of the grid, recorded or not; to be called after `record`.
        """
        if fields.shape[0] != places.shape[0] or fields.shape[1] != SUMMARY_FIELDS or not self.recording:
            raise ValueError("summarise: places and fields do not fit together, or nothing is recorded")
        if places.shape[0] and not 0 <= np.min(places) <= np.max(places) < len(self.values):
            raise ValueError("summarise: there are no values at some of the places")
        self.summary_arrays = (places, fields)
        self.summary.places = &places[0] if places.shape[0] else NULL
        self.summary.fields = &fields[0, 0] if places.shape[0] else NULL
        self.summary.channels = <int>places.shape[0]
        self.summary.count = 0
        self.recorder.summary = &self.summary

    @property
    def summarised(self) -> int:
        """How many times the values were taken into the summary."""
        return self.summary.count

    def visit(self):
        """Make room for detours: from now on `proceed` can be called. To be called after `summarise`."""
        cdef int summarised = self.summary.channels if self.recorder.summary != NULL else 0
        self.detour_memory = np.empty(detour_size(self.plan, summarised))
        detour_open(&self.detour, self.plan, <double*><uintptr_t>self.detour_memory.ctypes.data)

    @property
    def addresses(self):
        """Where the plan, the recorder, the room for detours (0: none) and the function that goes on stand.

        For `cython_kernels.swarm`.

        Good while this engine lives.
        """
        return (
            <uintptr_t>self.plan, <uintptr_t>&self.recorder if self.recording else 0,
            <uintptr_t>&self.detour if self.detour_memory is not None else 0, <uintptr_t>self.forward,
        )

    def run_compiled(self, compiled):
        """Go on by what was compiled for this plan, see `blocks/compiled/`: has the addresses `go_on` and `is_of`.

        To be called before an `Engines` is made of this one. Raises EngineError for code of another plan.
        """
        if not (<IsOf><uintptr_t>compiled.is_of)(self.plan):
            raise EngineError("code that was compiled for another plan")
        self.compiled = compiled
        self.forward = <GoOn><uintptr_t>compiled.go_on

    def start(self, double t=0.0) -> int:
        """Go to the initial state at time t; the status."""
        cdef int status
        with nogil:
            status = plan_start(self.plan, t)
        if self.detour_memory is not None:
            detour_open(&self.detour, self.plan, self.detour.inputs)
        return status

    def look(self, double t) -> int:
        """Evaluate everything once at t with the states and inputs in `values`, samples included; the status.

        Outputs, derivatives and crossing functions stand in `values` afterwards; no mode or sample moves on.
        """
        cdef unsigned long long found
        cdef int i
        with nogil:
            found = take_ieee_arithmetic()
            for i in range(self.plan.n_majors):
                self.plan.majors[i].run(&self.plan.majors[i].view, t)
            take_derivatives(self.plan, t)
            take_crossings(self.plan, t)
            i = STATUS_FAULT if faulty(self.plan) else STATUS_END
            put_arithmetic_back(found)
        return i

    def update(self, double t) -> int:
        """Let modes and samples move on once, whether due or not; the status."""
        cdef unsigned long long found
        cdef int i
        with nogil:
            found = take_ieee_arithmetic()
            for i in range(self.plan.n_modes):
                self.plan.modes[i].run(&self.plan.modes[i].view, t)
            for i in range(self.plan.n_samples):
                self.plan.samples[i].run(&self.plan.samples[i].view, t)
            i = STATUS_FAULT if faulty(self.plan) else STATUS_END
            put_arithmetic_back(found)
        self.plan.failure.t = t
        return i

    def initialise(self, double t=0.0) -> int:
        """Go to the initial state at time t without evaluating it; the status."""
        return plan_initialise(self.plan, t)

    @property
    def crossings(self):
        """The crossing functions as last evaluated."""
        first = self.plan.g - self.plan.values
        return self.values[first : first + self.plan.header.g].copy()

    def advance(self, double end, long long steps=9223372036854775807 // 2) -> int:
        """Go on to `end`, at most `steps` steps; the status."""
        cdef int status
        cdef Recorder* recorder = &self.recorder if self.recording else NULL
        with nogil:
            status = self.forward(self.plan, end, steps, recorder, NULL, True)
        return status

    def come_back(self):
        """Begin to go on: from where the run was ahead of a detour, or from its end if inputs or parameters changed."""
        if self.detour_memory is None:
            raise ValueError("come_back: visit comes first")
        come_back(&self.detour, self.plan, &self.recorder if self.recording else NULL)

    def proceed(self, double end, long long steps=9223372036854775807 // 2, bint closed=False) -> int:
        """Go on to `end`, on a detour if need be, at most `steps` steps; the status. `come_back` comes first.

        closed: record the end, too. Otherwise it is recorded when the run goes on.
        """
        cdef int status
        cdef Recorder* recorder = &self.recorder if self.recording else NULL
        if self.detour_memory is None:
            raise ValueError("proceed: visit comes first")
        with nogil:
            status = self.forward(self.plan, end, steps, recorder, &self.detour, closed)
        return status

    def renew(self) -> int:
        """Make the outputs those of the inputs in `values` and of the parameters, if any changed; the status."""
        cdef int status
        if self.detour_memory is None:
            raise ValueError("renew: visit comes first")
        with nogil:
            take_inputs(&self.detour, self.plan)
            status = plan_refresh(self.plan)
        return status

    @property
    def away(self) -> bool:
        """True at the end of a detour."""
        return self.detour.away

    def refresh(self) -> int:
        """Make the outputs those of the present inputs and parameters; the status."""
        cdef int status
        with nogil:
            status = plan_refresh(self.plan)
        return status

    def inputs_changed(self):
        """Say that external inputs in `values` were written."""
        self.plan.dirty = True

    def parameters_changed(self):
        """Say that parameters in `values` were written."""
        self.plan.stale = True

    def right_hand_side(self, double t, double[::1] x, double[::1] dx):
        """dx at (t, x), with samples held: for solvers from elsewhere. Not numbers where a kernel sets its fault."""
        cdef unsigned long long found
        cdef size_t size = <size_t>self.plan.states * sizeof(double)
        if x.shape[0] != self.plan.states or dx.shape[0] != self.plan.states:
            raise ValueError("right_hand_side: wrong number of states")
        if size == 0:
            return
        memcpy(self.plan.x, &x[0], size)
        with nogil:
            found = take_ieee_arithmetic()
            right_hand_side(self.plan, t)
            put_arithmetic_back(found)
        memcpy(&dx[0], self.plan.dx, size)
        if forget_faults(self.plan):
            dx[:] = NAN

    def settle(self, double t) -> int:
        """Major evaluation at t with the states in `values`; the status. Part of stepping from outside."""
        cdef int status
        self.plan.clock.t = t
        self.plan.clock.steps += 1
        self.plan.clock.evaluated = False
        self.plan.fresh_derivatives = False
        with nogil:
            status = plan_refresh(self.plan)
        return status

    def clock(self, double t):
        """Set the time that the states in `values` belong to. Part of stepping from outside."""
        self.plan.clock.t = t
        self.plan.clock.evaluated = False

    @property
    def stopped(self) -> bool:
        """True if the stop signal is on."""
        return is_stopped(self.plan)

    def commit(self):
        """Let sampled blocks that were due go on. Part of stepping from outside."""
        cdef unsigned long long found
        with nogil:
            found = take_ieee_arithmetic()
            commit(self.plan)
            put_arithmetic_back(found)

    def probe(self, double t) -> int:
        """All continuous outputs and crossing functions at t with the states in `values`; the status."""
        cdef unsigned long long found
        cdef int status
        with nogil:
            found = take_ieee_arithmetic()
            continuous_outputs(self.plan, t)
            take_crossings(self.plan, t)
            status = STATUS_FAULT if faulty(self.plan) else STATUS_END
            forget_faults(self.plan)
            put_arithmetic_back(found)
        self.plan.failure.t = t
        return status

    def differences(
        self, double t, unsigned int[::1] knowns, double[::1] scales, unsigned int[::1] unknowns, bint parameters=False
    ):
        """Derivatives of the values at `unknowns` by those at `knowns`, at t with the states and inputs in `values`.

        scales: the magnitude of each known. Gives the derivatives, how much larger each is ahead than behind, arrays of
        unknowns × knowns, and the status. Samples and modes are held; `values`, which have to be those of the point,
        are as before when all is done.
        """
        cdef int status = STATUS_END
        cdef Py_ssize_t k, i
        cdef Py_ssize_t n = unknowns.shape[0]
        cdef double one = 1.0
        cdef unsigned long long kept
        cdef double[::1] before = self.values.copy()
        near_array, far_array, jump_array = np.zeros(n), np.zeros(n), np.zeros(n)
        found_array, jumps_array = np.zeros((n, knowns.shape[0])), np.zeros((n, knowns.shape[0]))
        cdef double[::1] near = near_array, far = far_array, jump = jump_array
        cdef double[:, ::1] found = found_array, jumps = jumps_array
        if scales.shape[0] != knowns.shape[0]:
            raise ValueError("differences: a scale for each known is needed")
        if n == 0 or knowns.shape[0] == 0:
            return found_array, jumps_array, status
        self.clock(t)
        kept = take_ieee_arithmetic()
        for k in range(knowns.shape[0]):
            with nogil:
                status = plan_differences(
                    self.plan, &before[0], before.shape[0], &knowns[k], &one, 1, &unknowns[0], n,
                    DIFFERENCE_STEP * scales[k], parameters, NULL, &near[0], &far[0], &jump[0],
                )
            if status != STATUS_END:
                break
            for i in range(n):
                found[i, k] = extrapolated(near[i], far[i])
                jumps[i, k] = jump[i]
        put_arithmetic_back(kept)
        self.values[:] = before
        self.plan.stale = parameters
        self.plan.fresh_derivatives = False
        self.clock(t)
        return found_array, jumps_array, status

    def hold(self, double t) -> int:
        """Everything at t with the states, inputs and parameters in `values`, samples and modes held; the status."""
        cdef int status
        self.clock(t)
        self.plan.stale = True
        with nogil:
            status = held_evaluation(self.plan)
        self.plan.failure.t = t
        return status

    def next_hit(self, double limit) -> float:
        """The next sample hit, or the limit."""
        return next_instant(self.plan, limit, False)

    def diagnose(self):
        """Look for the first output or state that is not finite and note it as the failure."""
        self.plan.failure.t = self.plan.clock.t
        self.plan.failure.part = PART_NONE
        if not spoilt_signals(self.plan):
            note_state(self.plan)

    def diagnose_step(self, double t, double h) -> int:
        """Why a solver cannot go on from t, not even by h: finds the block that does not allow it; the status."""
        cdef int status
        cdef size_t size = <size_t>self.plan.header.x * sizeof(double)
        cdef unsigned long long found
        self.plan.clock.t = t
        memcpy(vector(self.plan, 0), self.plan.x, size)
        with nogil:
            found = take_ieee_arithmetic()
            right_hand_side(self.plan, t)
            memcpy(vector(self.plan, 1), self.plan.dx, size)
            status = step_too_small(self.plan, h)
            put_arithmetic_back(found)
        return status

    def save(self) -> bytes:
        """The whole state. Restored into the same plan it continues bit for bit."""
        out = PyBytes_FromStringAndSize(NULL, plan_state_size(self.plan))
        plan_save(self.plan, <unsigned char*>PyBytes_AS_STRING(out))
        return out

    def restore(self, bytes state not None):
        """Take up a saved state. Raises EngineError if it belongs to another plan or is damaged."""
        if plan_restore(self.plan, <const unsigned char*>PyBytes_AS_STRING(state), len(state)) != STATUS_END:
            raise EngineError(STATUSES[STATUS_OTHER_STATE])

    @property
    def tolerance(self) -> float:
        """Instants nearer to the clock's time than this are one with it, s."""
        return tolerance(self.plan)

    @property
    def time(self) -> float:
        """Where the clock stands, s."""
        return self.plan.clock.t

    @property
    def grid(self) -> int:
        """How many points of the recording grid have been passed. To be set when stepping from outside."""
        return self.plan.clock.grid

    @grid.setter
    def grid(self, long long count):
        self.plan.clock.grid = count

    @property
    def steps(self) -> int:
        """Accepted steps since the start."""
        return self.plan.clock.steps

    @property
    def evaluations(self) -> int:
        """Evaluations of the right-hand side since the start."""
        return self.plan.clock.evaluations

    @property
    def rows(self) -> int:
        """Rows recorded."""
        return self.recorder.rows

    @property
    def failure(self):
        """(block number, part, element, fault or port number, time) of what stopped the run."""
        f = self.plan.failure
        return f.block, PARTS[f.part], f.element, f.fault, f.t
