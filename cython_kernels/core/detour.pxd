"""Instants that were asked for from outside: what is seen there is off the way of the run, which goes on from before.

Steps of a run end at instants of its own: points of its grid, samples, jumps, and for an adaptive solver where its
error allows. A step that an instant from outside cuts short is a detour: the state ahead of it is kept, and the run
goes on from there, so that pieces give the bits of the whole. Where inputs or parameters change at the end of a
detour, it becomes the way.
"""

from libc.math cimport INFINITY
from libc.string cimport memcmp, memcpy

from cython_kernels.core.dormand_prince cimport first_step
from cython_kernels.core.evaluate cimport *
from cython_kernels.core.plan cimport *
from cython_kernels.core.solvers cimport start_step, vector
from cython_kernels.core.summaries cimport SUMMARY_FIELDS


ctypedef struct Detour:
    double* inputs          # external inputs as the run has last seen them
    double* kept            # values ahead of the detour, without parameters; then the summary
    Clock clock             # and the time ahead of it
    long long rows          # recorded by then
    long long summarised
    bint away               # the plan is at the end of a detour


cdef inline size_t detour_size(const Plan* s, int summarised) noexcept nogil:
    """How many numbers a detour has to keep."""
    return <size_t>(s.header.inputs + s.saved - s.header.parameters + summarised * SUMMARY_FIELDS)


cdef inline void detour_open(Detour* d, const Plan* s, double* memory) noexcept nogil:
    d.inputs = memory
    d.kept = memory + s.header.inputs
    d.away = False
    memcpy(d.inputs, s.values, <size_t>s.header.inputs * sizeof(double))


cdef inline void keep(Detour* d, const Plan* s, const Recorder* r) noexcept nogil:
    """Keep the present state: here a detour begins."""
    cdef size_t first = <size_t>s.header.signals
    cdef size_t rest = <size_t>(s.saved - s.header.parameters) - first
    memcpy(d.kept, s.values, first * sizeof(double))
    memcpy(d.kept + first, s.values + first + s.header.parameters, rest * sizeof(double))
    d.clock = s.clock
    d.away = True
    if r != NULL:
        d.rows = r.rows
        if r.summary != NULL:
            d.summarised = r.summary.count
            memcpy(d.kept + first + rest, r.summary.fields,
                   <size_t>(r.summary.channels * SUMMARY_FIELDS) * sizeof(double))


cdef inline void take_inputs(Detour* d, Plan* s) noexcept nogil:
    """Note whether inputs have changed. Where they have, or parameters, a detour has become the way."""
    cdef size_t size = <size_t>s.header.inputs * sizeof(double)
    if size and memcmp(d.inputs, s.values, size) != 0:
        memcpy(d.inputs, s.values, size)
        s.dirty = True
    if s.dirty or s.stale:
        d.away = False


cdef inline void come_back(Detour* d, Plan* s, Recorder* r) noexcept nogil:
    """Go back to where the detour began, unless something has changed at its end."""
    cdef size_t first = <size_t>s.header.signals
    cdef size_t rest = <size_t>(s.saved - s.header.parameters) - first
    take_inputs(d, s)
    if d.away:
        memcpy(s.values, d.kept, first * sizeof(double))
        memcpy(s.values + first + s.header.parameters, d.kept + first, rest * sizeof(double))
        s.clock = d.clock
        s.fresh_derivatives = False
        if r != NULL:
            r.rows = d.rows
            if r.summary != NULL:
                r.summary.count = d.summarised
                memcpy(r.summary.fields, d.kept + first + rest,
                       <size_t>(r.summary.channels * SUMMARY_FIELDS) * sizeof(double))
    d.away = False


cdef inline double wanted_step(Plan* s) noexcept nogil:
    """The step that the adaptive solver would like to take."""
    cdef double h = s.clock.next_step
    if h <= 0.0:
        start_step(s)
        memcpy(vector(s, 1), s.dx, <size_t>s.header.x * sizeof(double))
        h = first_step(s, INFINITY)
        forget_faults(s)
        memcpy(s.x, vector(s, 0), <size_t>s.header.x * sizeof(double))
        memcpy(s.dx, vector(s, 1), <size_t>s.header.x * sizeof(double))
        continuous_outputs(s, s.clock.t)
    return h


cdef inline bint cuts(Plan* s, double end) noexcept nogil:
    """True if the next step would be another one without `end`."""
    cdef double room
    if s.header.solver != SOLVER_DOPRI5 or s.states == 0:
        if s.clock.start + <double>s.clock.grid * s.header.step <= end + tolerance(s):
            return False
        return next_jump(s, next_instant(s, INFINITY, True)) > end + tolerance(s)
    if next_instant(s, INFINITY, False) <= end + tolerance(s):
        return False
    room = end - s.clock.t
    if s.header.max_step > 0.0 and room >= s.header.max_step:
        return False
    return 2.0 * wanted_step(s) > room
