"""Whether the header and tables of a stored plan can be what they say; the loader opens no plan that is not sound."""

from libc.math cimport INFINITY, fabs
from libc.string cimport memcpy

from cython_kernels.core.plan cimport *
from cython_kernels.view cimport KernelEntry


cdef inline bint negative_count(const Header* h) noexcept nogil:
    return (
        h.blocks < 0 or h.ports < 0 or h.majors < 0 or h.minors < 0 or h.wanted < 0 or h.numbers < 0
        or h.copies < 0 or h.rates < 0 or h.strings < 0 or h.inputs < 0 or h.signals < 0 or h.parameters < 0
        or h.work < 0 or h.x < 0 or h.z < 0 or h.g < 0
    )


cdef inline bint settings_are_sound(const Header* h) noexcept nogil:
    cdef long long z0 = <long long>h.signals + h.parameters + h.work + h.x
    return (
        0 <= h.solver <= SOLVER_DOPRI5 and -1 <= h.stop < z0
        and 0.0 < h.step < INFINITY and fabs(h.start) < INFINITY and h.max_step >= 0.0
        and 0.0 < h.relative_tolerance < INFINITY and 0.0 < h.absolute_tolerance < INFINITY
    )


cdef inline bint counts_add_up(const Header* h, const unsigned char* data) noexcept nogil:
    """The blocks have as many derived constants, states and crossings as the header says, for which there is memory."""
    cdef const unsigned char* record = data + sizeof(Header) + (<size_t>h.signals + h.parameters) * sizeof(double)
    cdef long long work = 0, x = 0, z = 0, g = 0
    cdef int b[BLOCK_FIELDS]
    cdef int _
    for _ in range(h.blocks):
        memcpy(b, record, sizeof(b))
        if b[BLOCK_WORK + 1] < 0 or b[BLOCK_X + 1] < 0 or b[BLOCK_Z + 1] < 0 or b[BLOCK_G + 1] < 0:
            return False
        work += b[BLOCK_WORK + 1]
        x += b[BLOCK_X + 1]
        z += b[BLOCK_Z + 1]
        g += b[BLOCK_G + 1]
        record += sizeof(b)
    return work == h.work and x <= h.x < x + LANES and z == h.z and g == h.g


cdef inline bint within(long long first, long long count, long long limit) noexcept nogil:
    return first >= 0 and count >= 0 and first + count <= limit


cdef inline bint block_is_sound(const Plan* s, const int* b) noexcept nogil:
    """Every place that a block's record names lies where it must."""
    cdef const Header* h = &s.header
    cdef long long w0 = <long long>h.signals + h.parameters
    cdef long long x0 = w0 + h.work
    cdef long long z0 = x0 + h.x
    cdef long long g0 = z0 + h.z + h.rates + h.x
    cdef int kind, i, place, count
    if not (within(b[BLOCK_KERNEL], 1, h.strings) and within(b[BLOCK_NAME], 1, h.strings)):
        return False
    for kind in range(BLOCK_INPUTS, BLOCK_WORK, 2):
        if not within(b[kind + 1], 2 * <long long>b[kind], h.ports) or b[kind + 1] % 2 != 0:
            return False
        for i in range(b[kind]):
            place = s.ports[b[kind + 1] + 2 * i]
            count = s.ports[b[kind + 1] + 2 * i + 1]
            if not within(place, count, w0) and (place < x0 or not within(place, count, z0)):
                return False        # neither a signal nor a parameter nor a continuous state
    return (
        within(b[BLOCK_WORK] - w0, b[BLOCK_WORK + 1], h.work)
        and within(b[BLOCK_X] - x0, b[BLOCK_X + 1], h.x)
        and within(b[BLOCK_Z] - z0, b[BLOCK_Z + 1], h.z)
        and within(b[BLOCK_G] - g0, b[BLOCK_G + 1], h.g)
        and within(b[BLOCK_NUMBERS], b[BLOCK_NUMBERS + 1], h.numbers)
        and within(b[BLOCK_RATE], 0, h.rates)
    )


cdef inline bint calls_are_sound(const Plan* s, const int* calls, int count) noexcept nogil:
    """Calls name blocks that compute outputs, and lists of wanted outputs that exist."""
    cdef int i
    cdef const int* b
    for i in range(count):
        if not within(calls[2 * i], 1, s.header.blocks):
            return False
        b = s.blocks + <size_t>calls[2 * i] * BLOCK_FIELDS
        if not within(calls[2 * i + 1], b[BLOCK_OUTPUTS], s.header.wanted):
            return False
    return True


cdef inline bint tables_are_sound(const Plan* s) noexcept nogil:
    cdef int i
    cdef const Header* h = &s.header
    cdef long long w0 = <long long>h.signals + h.parameters
    cdef long long x0 = w0 + h.work
    cdef long long moved
    for i in range(h.copies):
        moved = s.copies[3 * i + 1]
        if not within(s.copies[3 * i], s.copies[3 * i + 2], w0):
            return False
        if moved < x0 or not within(moved - x0, s.copies[3 * i + 2], <long long>h.x + h.z):
            return False
    for i in range(h.rates):
        if not within(s.rates[2 * i], 1, w0) or not within(s.rates[2 * i + 1], 1, w0):
            return False
        if not (0.0 < s.given[s.rates[2 * i]] < INFINITY and 0.0 <= s.given[s.rates[2 * i + 1]] < INFINITY):
            return False
    return True


cdef inline bint ports_fit(const Plan* s) noexcept nogil:
    """All blocks together name no more ports than there is room for pointers."""
    cdef long long total = 0
    cdef int i, kind
    for i in range(s.header.blocks):
        for kind in range(BLOCK_INPUTS, BLOCK_WORK, 2):
            total += s.blocks[<size_t>i * BLOCK_FIELDS + kind]
    return total * 2 <= s.header.ports


cdef inline bint counts_fit(const Plan* s, int i) noexcept nogil:
    """A kernel sees as many ports, parameters and sizes as it expects."""
    cdef const int* b = s.blocks + <size_t>i * BLOCK_FIELDS
    cdef const KernelEntry* k = &s.kernels[i]
    return (
        (k.inputs < 0 or k.inputs == b[BLOCK_INPUTS])
        and (k.outputs_count < 0 or k.outputs_count == b[BLOCK_OUTPUTS])
        and (k.parameters < 0 or k.parameters <= b[BLOCK_PARAMETERS])
        and (k.sizes < 0 or k.sizes == b[BLOCK_NUMBERS + 1])
    )
