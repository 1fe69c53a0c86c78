"""Kernel of Formula: runs programs that `blocks/formula/program.py` makes of equations.

The sizes n are the program. A segment computes what one function of a kernel has to: it loads registers from derived
constants, time, inputs and states, runs instructions, and its results stand in registers one after the other. What is
not a number stays none on its way to a result, unless no result takes notice of it; so one look at the results is
enough, and only if that finds something is the segment run again, slowly, to find the instruction at fault.

Modes hold relations between events, so that a choice may stand on a side that has no value any more, as that of
`sqrt(u) if u > 0 else 0` at the end of a step on which u falls below 0. That second run therefore takes relations as
they are now, and only what has no value even then is a fault. A mode is not a number where its relation has no value.

As all sizes of a stored plan, see `core/loader.pxd`, a program is trusted to be one that was made for its block.
"""

from libc.math cimport NAN, isfinite
from libc.string cimport memcpy

from cython_kernels.basic.formula_machine cimport FIELDS, put_numbers, run_formula
from cython_kernels.views.basic.formula cimport FORMULA_INSTRUCTION_WHERE, FormulaView

cdef extern from *:
    """
    static inline int kb_culprit(void const *b, int const *g, double t, double *r) KB_FAR;
    static inline void kb_put_each(void const *b, double t) KB_FAR;
    static inline double const *kb_computed_here(
        void const *b, int const *g, double const **ports, double t, double *r, double s) KB_ALWAYS_INLINE;
    static inline double *kb_load(
        void const *b, int const *g, double const **ports, double t, double *r) KB_ALWAYS_INLINE;
    """

cdef enum:
    REGISTERS = 512         # as in blocks/formula/machine.py
    ROOM = REGISTERS + 24   # a page of 4096 bytes would put what lies around it where processors take it for the same

    # n[0 …]: where what begins in n, 0 for a segment that there is not
    PROGRAM_CONSTANTS = 0   # the first constant, of two numbers each, then how many
    PROGRAM_SETUP = 2
    PROGRAM_DERIVATIVES = 3
    PROGRAM_UPDATE = 4
    PROGRAM_CROSSINGS = 5
    PROGRAM_JUMPS = 6
    PROGRAM_OUTPUTS = 7     # the segment of all outputs together, or 0
    PROGRAM_OUTPUT = 8      # how many outputs have a segment of their own, then these

    SEGMENT_CODE = 0        # its first instruction, then where the last one ends
    SEGMENT_PLACES = 2      # the places of what is loaded and of the instructions, for faults
    SEGMENT_RESULTS = 3     # the first register with a result, then how many
    SEGMENT_RUNS = 5        # how many numbers say what is loaded, three for a run: from where, the first one, how many
    SEGMENT_FIELDS = 6      # then those, how many arrays take results, and of each its output or INTO_DX, and how many

    INTO_DX = -1

    FROM_WORK = -1          # from where a run is loaded, unless it is an input or parameter
    FROM_X = -2
    FROM_Z = -3
    FROM_TIME = -4

    PLACE_ACCUMULATOR = 1   # the instruction reads s
    PLACE_TWO = 2           # one fault for what is not a number, and the next one for what is too large
    PLACE_FAULT = 4         # the fault times this


cdef inline double* load "kb_load"(
    const void* view, const int* g, const double** ports, double t, double* r
) noexcept nogil:
    """Fill the first registers of a segment with what it reads; where these end."""
    cdef const FormulaView* b = <const FormulaView*>view
    cdef const int* run = g + SEGMENT_FIELDS
    cdef const int* end = run + g[SEGMENT_RUNS]
    while run != end:
        if run[0] >= 0 and run[2] == 1:
            r[0] = ports[run[0]][run[1]]
            r += 1
        elif run[0] >= 0:
            r = put_numbers(ports[run[0]] + run[1], run[2], False, r)
        elif run[0] == FROM_WORK:
            r = put_numbers(b.w + run[1], run[2], True, r)
        elif run[0] == FROM_X:
            r = put_numbers(b.x + run[1], run[2], False, r)
        elif run[0] == FROM_Z:
            r = put_numbers(b.z + run[1], run[2], False, r)
        else:
            r[0] = t
            r += 1
        run += 3
    return r


cdef inline const double* computed_here "kb_computed_here"(
    const void* view, const int* g, const double** ports, double t, double* r, double s
) noexcept nogil:
    """Run a segment; its results. s: what the first instruction finds in the accumulator."""
    cdef const FormulaView* b = <const FormulaView*>view
    load(b, g, ports, t, r)
    run_formula(b.n + g[SEGMENT_CODE], b.n + g[SEGMENT_CODE + 1], r, s)
    return r + g[SEGMENT_RESULTS]


cdef inline const double* computed(
    const FormulaView* b, const int* g, const double** ports, double t, double* r, double s
) noexcept nogil:
    """The same as a call, which what runs at every step does without."""
    return computed_here(b, g, ports, t, r, s)


cdef inline int fault_of(int place, double value) noexcept nogil:
    """The fault of a value that is not finite."""
    return place // PLACE_FAULT + (1 if place & PLACE_TWO and value == value else 0)


cdef inline int blamed(
    const FormulaView* b, const int* g, const double** ports, double t, double* r, int* origin
) noexcept nogil:
    """The fault of the first result that is not finite, each register having that of where it comes from.

    `origin` holds those of the derived constants.
    """
    cdef const int* at = b.n + g[SEGMENT_CODE]
    cdef const int* place = b.n + g[SEGMENT_PLACES]
    cdef int loaded = <int>(load(b, g, ports, t, r) - r)
    cdef int[SEGMENT_FIELDS] one        # a segment of one instruction
    cdef double s = 0.0
    cdef double before
    cdef int of_s = 0
    cdef int found, k
    for k in range(loaded):
        if not isfinite(r[k]) and place[k]:
            origin[k] = fault_of(place[k], r[k])
    place += loaded
    one[SEGMENT_RUNS] = 0
    while at != b.n + g[SEGMENT_CODE + 1]:
        found = of_s if place[0] & PLACE_ACCUMULATOR else 0
        for k in range(2, FIELDS):
            if found == 0 and at[k] >= 0:
                found = origin[at[k]]
        if at[0] == FORMULA_INSTRUCTION_WHERE and of_s == 0:
            found = origin[at[2]] if s != 0.0 else origin[at[3]]
        before = s
        one[SEGMENT_CODE] = <int>(at - b.n)
        one[SEGMENT_CODE + 1] = one[SEGMENT_CODE] + FIELDS
        one[SEGMENT_RESULTS] = at[1]
        s = computed(b, one, ports, t, r, before)[0]
        of_s = 0 if isfinite(s) else found if found else fault_of(place[0], s)
        origin[at[1]] = of_s
        at += FIELDS
        place += 1
    for k in range(g[SEGMENT_RESULTS + 1]):
        if origin[g[SEGMENT_RESULTS] + k]:
            return origin[g[SEGMENT_RESULTS] + k]
    return 0


cdef inline void inherit(
    const FormulaView* b, const int* g, const int* of_setup, const int* of_modes, int* origin
) noexcept nogil:
    """The faults of the derived constants and modes among the registers that a segment loads."""
    cdef const int* setup = b.n + b.n[PROGRAM_SETUP]
    cdef const int* update = b.n + b.n[PROGRAM_UPDATE]
    cdef const int* run = g + SEGMENT_FIELDS
    cdef const int* end = run + g[SEGMENT_RUNS]
    cdef int i, k
    cdef int register = 0
    while run != end:
        for i in range(run[2]):
            k = run[1] + i - b.n[PROGRAM_CONSTANTS + 1]
            origin[register] = 0
            if run[0] == FROM_WORK and k >= 0:
                origin[register] = of_setup[setup[SEGMENT_RESULTS] + k]
            elif run[0] == FROM_Z and b.n[PROGRAM_JUMPS]:
                origin[register] = of_modes[update[SEGMENT_RESULTS] + run[1] + i]
            register += 1
        run += 3


cdef inline int culprit "kb_culprit"(const void* view, const int* g, double t, double* r) noexcept nogil:
    """The fault of a segment whose results are not all finite: that of the first instruction that led there.

    Relations are taken as they are now: the results are in r once more, and 0 says that these are finite.
    """
    cdef FormulaView b = (<const FormulaView*>view)[0]
    cdef double now[REGISTERS]
    cdef int origin[REGISTERS]
    cdef int of_setup[REGISTERS]
    cdef int of_modes[REGISTERS]
    cdef const int* update = b.n + b.n[PROGRAM_UPDATE]
    cdef int i
    for i in range(REGISTERS):
        origin[i] = 0
        of_setup[i] = 0
        of_modes[i] = 0
    blamed(&b, b.n + b.n[PROGRAM_SETUP], b.p, t, r, of_setup)
    if b.n[PROGRAM_JUMPS]:
        inherit(&b, update, of_setup, of_modes, of_modes)
        blamed(&b, update, b.u, t, r, of_modes)
        memcpy(now, r + update[SEGMENT_RESULTS], <size_t>update[SEGMENT_RESULTS + 1] * sizeof(double))
        b.z = now
    inherit(&b, g, of_setup, of_modes, origin)
    return blamed(&b, g, b.u, t, r, origin)


cdef inline void formula_setup(const FormulaView* b, double t) noexcept nogil:
    """Constants of the text, then what follows from the parameters alone."""
    cdef double r[ROOM]
    cdef const int* g = b.n + b.n[PROGRAM_SETUP]
    cdef int constants = b.n[PROGRAM_CONSTANTS + 1]
    cdef const double* found
    cdef int i
    memcpy(b.w, b.n + b.n[PROGRAM_CONSTANTS], <size_t>constants * sizeof(double))
    found = computed(b, g, b.p, t, r, 0.0)
    for i in range(g[SEGMENT_RESULTS + 1]):
        b.w[constants + i] = found[i]


cdef inline double put_results(const FormulaView* b, const int* g, const double* found, bint again) noexcept nogil:
    """Hand results on, `again` those that are not finite; 0 if all are then that someone wants."""
    cdef const int* run = g + SEGMENT_FIELDS + g[SEGMENT_RUNS]
    cdef double total = 0.0
    cdef double* to
    cdef int _, i
    for _ in range(run[0]):
        to = b.y[run[1]] if run[1] >= 0 else b.dx
        if to != NULL:
            for i in range(run[2]):
                if not again or not isfinite(to[i]):
                    to[i] = found[i]
                total += to[i] * 0.0
        found += run[2]
        run += 2
    return total


cdef inline void put(const FormulaView* b, const int* g, double t) noexcept nogil:
    """Compute results and hand them on, and say so if one is not finite."""
    cdef double r[ROOM]
    cdef const double* found = computed_here(b, g, b.u, t, r, 0.0)
    cdef int fault
    if put_results(b, g, found, False) != 0.0:
        fault = culprit(b, g, t, r)
        if put_results(b, g, found, True) != 0.0:
            b.fault[0] = fault


cdef inline void put_each "kb_put_each"(const void* view, double t) noexcept nogil:
    """The outputs that are wanted, each with a segment of its own."""
    cdef const FormulaView* b = <const FormulaView*>view
    cdef const int* own = b.n + PROGRAM_OUTPUT
    cdef int i
    for i in range(own[0]):
        if own[1 + i] and b.y[i] != NULL:
            put(b, b.n + own[1 + i], t)


cdef inline void formula_outputs(const FormulaView* b, double t) noexcept nogil:
    if b.n[PROGRAM_OUTPUTS]:
        put(b, b.n + b.n[PROGRAM_OUTPUTS], t)
    else:
        put_each(b, t)


cdef inline void formula_states_derivatives(const FormulaView* b, double t) noexcept nogil:
    put(b, b.n + b.n[PROGRAM_DERIVATIVES], t)


cdef inline void move_on(const FormulaView* b, double t) noexcept nogil:
    """The next values of discrete states; who is at fault is found while z is what it was."""
    cdef double r[ROOM]
    cdef const int* g = b.n + b.n[PROGRAM_UPDATE]
    cdef const double* found = computed(b, g, b.u, t, r, 0.0)
    cdef double total = 0.0
    cdef int i
    for i in range(g[SEGMENT_RESULTS + 1]):
        total += found[i] * 0.0
    if total != 0.0:
        b.fault[0] = culprit(b, g, t, r)
    for i in range(g[SEGMENT_RESULTS + 1]):
        b.z[i] = found[i]


cdef inline void hold(const FormulaView* b, double t) noexcept nogil:
    """How relations stand now. One without a value harms nobody as long as nobody reads its mode."""
    cdef double r[ROOM]
    cdef const int* g = b.n + b.n[PROGRAM_UPDATE]
    cdef const double* found = computed(b, g, b.u, t, r, 0.0)
    cdef int i
    for i in range(g[SEGMENT_RESULTS + 1]):
        b.z[i] = found[i] if found[i] == found[i] else NAN


cdef inline void put_crossings(const FormulaView* b, int segment, double t) noexcept nogil:
    """What `crossings` or `jumps` compute, which need not be finite."""
    cdef double r[ROOM]
    cdef const int* g = b.n + b.n[segment]
    cdef const double* found
    cdef int i
    if b.n[segment]:
        found = computed(b, g, b.u, t, r, 0.0)
        for i in range(g[SEGMENT_RESULTS + 1]):
            b.g[i] = found[i]


cdef inline void formula_crossings(const FormulaView* b, double t) noexcept nogil:
    put_crossings(b, PROGRAM_CROSSINGS, t)


# The same with modes, which have jumps besides: t less the instant at which a relation of t and parameters alone
# changes, and 1 for all other crossings.

cdef inline void formula_modes_setup(const FormulaView* b, double t) noexcept nogil:
    formula_setup(b, t)


cdef inline void formula_modes_outputs(const FormulaView* b, double t) noexcept nogil:
    formula_outputs(b, t)


cdef inline void formula_modes_update(const FormulaView* b, double t) noexcept nogil:
    hold(b, t)


cdef inline void formula_modes_crossings(const FormulaView* b, double t) noexcept nogil:
    put_crossings(b, PROGRAM_CROSSINGS, t)


cdef inline void formula_modes_jumps(const FormulaView* b, double t) noexcept nogil:
    put_crossings(b, PROGRAM_JUMPS, t)


cdef inline void formula_states_setup(const FormulaView* b, double t) noexcept nogil:
    formula_setup(b, t)


cdef inline void formula_states_outputs(const FormulaView* b, double t) noexcept nogil:
    formula_outputs(b, t)


cdef inline void formula_states_crossings(const FormulaView* b, double t) noexcept nogil:
    put_crossings(b, PROGRAM_CROSSINGS, t)


cdef inline void formula_states_modes_setup(const FormulaView* b, double t) noexcept nogil:
    formula_setup(b, t)


cdef inline void formula_states_modes_outputs(const FormulaView* b, double t) noexcept nogil:
    formula_outputs(b, t)


cdef inline void formula_states_modes_derivatives(const FormulaView* b, double t) noexcept nogil:
    formula_states_derivatives(b, t)


cdef inline void formula_states_modes_update(const FormulaView* b, double t) noexcept nogil:
    hold(b, t)


cdef inline void formula_states_modes_crossings(const FormulaView* b, double t) noexcept nogil:
    put_crossings(b, PROGRAM_CROSSINGS, t)


cdef inline void formula_states_modes_jumps(const FormulaView* b, double t) noexcept nogil:
    put_crossings(b, PROGRAM_JUMPS, t)


cdef inline void formula_sampled_setup(const FormulaView* b, double t) noexcept nogil:
    formula_setup(b, t)


cdef inline void formula_sampled_outputs(const FormulaView* b, double t) noexcept nogil:
    formula_outputs(b, t)


cdef inline void formula_sampled_states_setup(const FormulaView* b, double t) noexcept nogil:
    formula_setup(b, t)


cdef inline void formula_sampled_states_outputs(const FormulaView* b, double t) noexcept nogil:
    formula_outputs(b, t)


cdef inline void formula_sampled_states_update(const FormulaView* b, double t) noexcept nogil:
    move_on(b, t)
