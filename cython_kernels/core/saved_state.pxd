"""The state of a running plan as bytes: what follows after it is restored is bit-identical."""

from libc.math cimport fabs, isfinite
from libc.string cimport memcpy, memset

from cython_kernels.core.loader cimport fnv1a
from cython_kernels.core.plan cimport *


cdef inline bint countable(long long count) noexcept nogil:
    """False beyond 2^53, where doubles no longer count one by one."""
    return count >= 0 and <double>count <= 9007199254740992.0


ctypedef struct SavedState:             # followed by the saved values
    unsigned long long plan             # checksum of the plan it belongs to
    unsigned long long checksum         # of everything after this field
    Clock clock
    int dirty                           # as in Plan
    int stale


cdef inline size_t plan_state_size(const Plan* s) noexcept nogil:
    return sizeof(SavedState) + <size_t>s.saved * sizeof(double)


cdef inline void plan_save(const Plan* s, unsigned char* to) noexcept nogil:
    """Write the whole state, `plan_state_size` bytes."""
    cdef SavedState head
    cdef size_t size = <size_t>s.saved * sizeof(double)
    memset(&head, 0, sizeof(SavedState))
    head.plan = s.header.checksum
    head.clock = s.clock
    head.dirty = s.dirty
    head.stale = s.stale
    memcpy(to + sizeof(SavedState), s.values, size)
    memcpy(to, &head, sizeof(SavedState))
    head.checksum = fnv1a(to + 16, sizeof(SavedState) - 16 + size)
    memcpy(to, &head, sizeof(SavedState))


cdef inline double saved_number(const unsigned char* saved, size_t place) noexcept nogil:
    """One of the saved values."""
    cdef double value
    memcpy(&value, saved + sizeof(SavedState) + place * sizeof(double), sizeof(double))
    return value


cdef inline bint clock_is_possible(const Plan* s, const Clock* c, const unsigned char* saved) noexcept nogil:
    """False if no run of this plan can have such a clock. A checksum tells damage, but not what means to mislead."""
    cdef int i
    cdef double hit
    if not (isfinite(c.t) and isfinite(c.start) and c.next_step >= 0.0 and 0 <= c.tiny_steps <= MODE_ITERATIONS):
        return False
    if not (countable(c.grid) and countable(c.steps) and countable(c.evaluations)):
        return False
    for i in range(s.header.rates):
        hit = saved_number(saved, s.hits - s.values + i)
        if not (0.0 <= hit <= 9e15):
            return False
        if saved_number(saved, s.rates[2 * i]) != s.given[s.rates[2 * i]]:
            return False
        if saved_number(saved, s.rates[2 * i + 1]) != s.given[s.rates[2 * i + 1]]:
            return False
    return True


cdef inline bint hits_are_ahead(const Plan* s, const unsigned char* saved) noexcept nogil:
    """False if a sample should have been taken before: stepping on from there might never end."""
    cdef SavedState head
    cdef int i
    cdef double due
    memcpy(&head, saved, sizeof(SavedState))
    if head.clock.steps == 0:
        return True
    for i in range(s.header.rates):
        due = head.clock.start + s.given[s.rates[2 * i + 1]]
        due += saved_number(saved, s.hits - s.values + i) * s.given[s.rates[2 * i]]
        if due < head.clock.t - 1e-9 * s.header.step - 2e-15 * fabs(head.clock.t):
            return False
    return True


cdef inline int plan_restore(Plan* s, const unsigned char* saved, size_t size) noexcept nogil:
    """Take up a saved state; STATUS_OTHER_STATE if it is not one of this plan. What follows is bit-identical."""
    cdef SavedState head
    if size != plan_state_size(s):
        return STATUS_OTHER_STATE
    memcpy(&head, saved, sizeof(SavedState))
    if head.plan != s.header.checksum or fnv1a(saved + 16, size - 16) != head.checksum:
        return STATUS_OTHER_STATE
    if not clock_is_possible(s, &head.clock, saved):
        return STATUS_OTHER_STATE
    s.clock = head.clock
    memcpy(s.values, saved + sizeof(SavedState), <size_t>s.saved * sizeof(double))
    memset(s.faults, 0, <size_t>s.header.blocks * sizeof(int))
    s.fresh_derivatives = False
    s.first_major = 0
    s.dirty = head.dirty
    s.stale = head.stale
    return STATUS_END
