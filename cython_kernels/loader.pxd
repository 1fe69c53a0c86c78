"""From stored plan bytes to a runnable Plan in one block of memory, trusting nothing that the bytes say.

What is guaranteed: whatever the bytes are, opening them reads nothing outside of them, writes nothing outside of the
memory, and asks for no more memory than the tables account for. Running an opened plan trusts that the sizes n[...] of
a block are those of its ports, as `blocks/plan.py` writes them; only the kernel knows what they mean. The checksum
keeps accidents out, not intent: a plan is to be trusted as much as the binary that comes with it.
"""

from libc.math cimport INFINITY, fabs
from libc.string cimport memcmp, memcpy, memset, strlen

from cython_kernels.checked cimport KB_CHECKED, guard_all
from cython_kernels.plan cimport *
from cython_kernels.registry cimport find_kernel
from cython_kernels.view cimport Kernel, KernelEntry, View


ctypedef bint (*Finder)(const char* name, KernelEntry* k) noexcept nogil


cdef inline unsigned long long fnv1a(const unsigned char* data, size_t size) noexcept nogil:
    """64-bit hash (Fowler, Noll and Vo, FNV-1a)."""
    cdef unsigned long long h = 14695981039346656037ULL
    cdef size_t i
    for i in range(size):
        h = (h ^ data[i]) * 1099511628211ULL
    return h


cdef inline size_t aligned(size_t size) noexcept nogil:
    return (size + 15) & ~<size_t>15


cdef inline bint negative_count(const Header* h) noexcept nogil:
    return (
        h.blocks < 0 or h.ports < 0 or h.majors < 0 or h.minors < 0 or h.wanted < 0 or h.numbers < 0
        or h.copies < 0 or h.rates < 0 or h.strings < 0 or h.inputs < 0 or h.signals < 0 or h.parameters < 0
        or h.work < 0 or h.x < 0 or h.z < 0 or h.g < 0
    )


cdef inline size_t int_count(const Header* h) noexcept nogil:
    return (
        <size_t>h.blocks * BLOCK_FIELDS + <size_t>h.ports + 2 * (<size_t>h.majors + <size_t>h.minors)
        + <size_t>h.wanted + <size_t>h.numbers + 3 * <size_t>h.copies + 2 * <size_t>h.rates
    )


cdef inline size_t value_count(const Header* h) noexcept nogil:
    return (
        <size_t>h.signals + h.parameters + h.work + <size_t>h.x * (2 + SOLVER_VECTORS) + 2 * <size_t>h.z
        + h.rates + 3 * <size_t>h.g
    )


cdef inline size_t stored_size(const Header* h) noexcept nogil:
    return (
        sizeof(Header) + (<size_t>h.signals + <size_t>h.parameters) * sizeof(double)
        + int_count(h) * sizeof(int) + <size_t>h.strings
    )


cdef inline size_t task_count(const Header* h) noexcept nogil:
    return <size_t>h.majors + h.minors + 6 * <size_t>h.blocks


cdef inline size_t pointer_count(const Header* h) noexcept nogil:
    return <size_t>h.ports // 2 + h.wanted + 1


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


cdef inline size_t plan_memory(const unsigned char* data, size_t size, int* status) noexcept nogil:
    """How much memory `plan_open` needs for these bytes; 0 and a status below 0 if they are not a whole plan."""
    cdef Header h
    status[0] = STATUS_NOT_A_PLAN
    if size < sizeof(Header):
        return 0
    memcpy(&h, data, sizeof(Header))
    if memcmp(h.magic, b"KEELPLAN", 8) != 0:
        return 0
    status[0] = STATUS_OTHER_VERSION
    if h.version != PLAN_VERSION:
        return 0
    status[0] = STATUS_TRUNCATED
    if h.size < 0 or <size_t>h.size > size:
        return 0
    status[0] = STATUS_DAMAGED
    if <size_t>h.size != size or negative_count(&h) or stored_size(&h) != size:
        return 0
    if not settings_are_sound(&h) or h.strings < 1 or data[size - 1] != 0 or h.ports % 2 != 0:
        return 0
    if h.inputs > h.signals or h.steady < 0 or h.steady > h.majors or h.x % LANES != 0:
        return 0
    if not counts_add_up(&h, data):
        return 0
    if fnv1a(data + CHECKED_FROM, size - CHECKED_FROM) != h.checksum:
        return 0
    status[0] = STATUS_END
    return (
        aligned(sizeof(Plan)) + aligned(size) + aligned(value_count(&h) * sizeof(double))
        + aligned(<size_t>h.blocks * sizeof(KernelEntry)) + aligned(<size_t>h.blocks * sizeof(View))
        + aligned(task_count(&h) * sizeof(Task)) + aligned(pointer_count(&h) * sizeof(double*))
        + aligned((<size_t>h.blocks + h.rates + 1) * sizeof(int))
    )


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


cdef inline int add_task(Task* list, int count, Kernel run, const View* view, int block, int rate) noexcept nogil:
    """Append a task if there is a function to run; the new count."""
    if run == NULL:
        return count
    list[count].run = run
    list[count].view = view[0]
    list[count].block = block
    list[count].rate = rate
    return count + 1


cdef inline double** add_pointers(double** to, const Plan* s, const int* port, int count) noexcept nogil:
    """Pointers to the values of `count` ports; where the next ones go."""
    cdef int i
    for i in range(count):
        to[i] = s.values + port[2 * i]
    return to + count


cdef inline bint open_block(Plan* s, int i, const int* numbers, double*** pointers, Finder more) noexcept nogil:
    """Find a block's kernel and make its view. False if no kernel has that name."""
    cdef const int* b = s.blocks + <size_t>i * BLOCK_FIELDS
    cdef View* view = &s.views[i]
    cdef const char* name = s.strings + b[BLOCK_KERNEL]
    if not find_kernel(name, &s.kernels[i]) and (more == NULL or not more(name, &s.kernels[i])):
        return False
    view.u = <const double**>pointers[0]
    pointers[0] = add_pointers(pointers[0], s, s.ports + b[BLOCK_INPUTS + 1], b[BLOCK_INPUTS])
    view.y = pointers[0]
    pointers[0] = add_pointers(pointers[0], s, s.ports + b[BLOCK_OUTPUTS + 1], b[BLOCK_OUTPUTS])
    view.p = <const double**>pointers[0]
    pointers[0] = add_pointers(pointers[0], s, s.ports + b[BLOCK_PARAMETERS + 1], b[BLOCK_PARAMETERS])
    view.w = s.values + b[BLOCK_WORK]
    view.x = s.values + b[BLOCK_X]
    view.dx = s.dx + (b[BLOCK_X] - (s.x - s.values))
    view.z = s.values + b[BLOCK_Z]
    view.g = s.values + b[BLOCK_G]
    view.n = numbers + b[BLOCK_NUMBERS]
    view.fault = s.faults + i
    view.key = <unsigned int>b[BLOCK_KEY]
    return True


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


cdef inline void open_calls(
    Plan* s, Task* tasks, const int* calls, int count, const int* wanted, double** wanted_pointers
) noexcept nogil:
    """The calls of a major or minor evaluation, each with its own list of wanted outputs."""
    cdef int i, j, block, first
    for i in range(count):
        block = calls[2 * i]
        first = calls[2 * i + 1]
        add_task(
            tasks, i, s.kernels[block].outputs, &s.views[block], block,
            s.blocks[<size_t>block * BLOCK_FIELDS + BLOCK_RATE],
        )
        tasks[i].view.y = wanted_pointers + first
        for j in range(s.blocks[<size_t>block * BLOCK_FIELDS + BLOCK_OUTPUTS]):
            wanted_pointers[first + j] = s.views[block].y[j] if wanted[first + j] else NULL


cdef inline void open_tasks(Plan* s, Task* next_task) noexcept nogil:
    """The lists of setups, starts, derivatives, modes, samples and crossings."""
    cdef int i, rate
    cdef int blocks = s.header.blocks
    cdef const View* view
    cdef const KernelEntry* k
    s.setups = next_task
    s.starts = next_task + blocks
    s.derivatives = next_task + 2 * blocks
    s.modes = next_task + 3 * blocks
    s.samples = next_task + 4 * blocks
    s.crossings = next_task + 5 * blocks
    for i in range(blocks):
        k = &s.kernels[i]
        view = &s.views[i]
        rate = s.blocks[<size_t>i * BLOCK_FIELDS + BLOCK_RATE]
        s.n_setups = add_task(s.setups, s.n_setups, k.setup, view, i, rate)
        s.n_starts = add_task(s.starts, s.n_starts, k.start, view, i, rate)
        s.n_derivatives = add_task(s.derivatives, s.n_derivatives, k.derivatives, view, i, rate)
        if rate:
            s.n_samples = add_task(s.samples, s.n_samples, k.update, view, i, rate)
        else:
            s.n_modes = add_task(s.modes, s.n_modes, k.update, view, i, rate)
        s.n_crossings = add_task(s.crossings, s.n_crossings, k.crossings, view, i, rate)


cdef inline int plan_open(
    void* memory, const unsigned char* data, size_t size, Finder more, Plan** opened
) noexcept nogil:
    """Make a Plan in `memory`, which must be as large as `plan_memory` said. The bytes need not live on.

    `more` finds kernels that are not in the registry (blocks written in Python); it may be NULL. On
    STATUS_UNKNOWN_KERNEL, or STATUS_DAMAGED because of one block, `failure.block` says which.
    """
    cdef int status, i
    cdef char* place = <char*>memory
    cdef size_t needed = plan_memory(data, size, &status)
    cdef Plan* s = <Plan*>memory
    cdef Header* h
    cdef const int* majors
    cdef const int* minors
    cdef const int* wanted
    cdef const int* numbers
    cdef double** pointers
    cdef Task* tasks
    opened[0] = NULL
    if status != STATUS_END:
        return status
    memset(memory, 0, needed)
    place += aligned(sizeof(Plan))
    memcpy(place, data, size)
    memcpy(&s.header, place, sizeof(Header))
    h = &s.header
    opened[0] = s
    s.failure.block = -1

    s.given = <const double*>(place + sizeof(Header))
    s.blocks = <const int*>(s.given + h.signals + h.parameters)
    s.ports = s.blocks + <size_t>h.blocks * BLOCK_FIELDS
    majors = s.ports + h.ports
    minors = majors + 2 * h.majors
    wanted = minors + 2 * h.minors
    numbers = wanted + h.wanted
    s.copies = numbers + h.numbers
    s.rates = s.copies + 3 * h.copies
    s.strings = <const char*>(s.rates + 2 * h.rates)
    place += aligned(size)

    s.values = <double*>place
    memcpy(s.values, s.given, (<size_t>h.signals + h.parameters) * sizeof(double))
    s.x = s.values + h.signals + h.parameters + h.work
    s.z = s.x + h.x
    s.hits = s.z + h.z
    s.saved = <int>(s.hits + h.rates - s.values)
    s.dx = s.hits + h.rates
    s.g = s.dx + h.x
    s.scratch = s.g + h.g
    place += aligned(value_count(h) * sizeof(double))

    s.kernels = <KernelEntry*>place
    place += aligned(<size_t>h.blocks * sizeof(KernelEntry))
    s.views = <View*>place
    place += aligned(<size_t>h.blocks * sizeof(View))
    tasks = <Task*>place
    place += aligned(task_count(h) * sizeof(Task))
    pointers = <double**>place
    place += aligned(pointer_count(h) * sizeof(double*))
    s.faults = <int*>place
    s.due = s.faults + h.blocks

    for i in range(h.blocks):
        s.failure.block = i
        if not block_is_sound(s, s.blocks + <size_t>i * BLOCK_FIELDS):
            return STATUS_DAMAGED
    s.failure.block = -1
    if not (
        ports_fit(s) and tables_are_sound(s)
        and calls_are_sound(s, majors, h.majors) and calls_are_sound(s, minors, h.minors)
    ):
        return STATUS_DAMAGED
    for i in range(h.blocks):
        s.failure.block = i
        s.states += s.blocks[<size_t>i * BLOCK_FIELDS + BLOCK_X + 1]
        if not open_block(s, i, numbers, &pointers, more):
            return STATUS_UNKNOWN_KERNEL
        if not counts_fit(s, i):
            return STATUS_DAMAGED
    for i in range(h.majors + h.minors):                # majors and minors stand one after the other
        s.failure.block = majors[2 * i]
        if s.kernels[majors[2 * i]].outputs == NULL:
            return STATUS_DAMAGED
    s.failure.block = -1
    s.majors = tasks
    s.n_majors = h.majors
    open_calls(s, s.majors, majors, h.majors, wanted, pointers)
    s.minors = tasks + h.majors
    s.n_minors = h.minors
    open_calls(s, s.minors, minors, h.minors, wanted, pointers)
    open_tasks(s, tasks + h.majors + h.minors)
    if KB_CHECKED:
        guard_all(s)
    return STATUS_END


cdef inline bint ports_fit(const Plan* s) noexcept nogil:
    """All blocks together name no more ports than there is room for pointers."""
    cdef long long total = 0
    cdef int i, kind
    for i in range(s.header.blocks):
        for kind in range(BLOCK_INPUTS, BLOCK_WORK, 2):
            total += s.blocks[<size_t>i * BLOCK_FIELDS + kind]
    return total * 2 <= s.header.ports


cdef inline int plan_find(const Plan* s, const char* name, size_t length) noexcept nogil:
    """The number of the block with that dotted name, or -1."""
    cdef int i
    cdef const char* own
    for i in range(s.header.blocks):
        own = s.strings + s.blocks[<size_t>i * BLOCK_FIELDS + BLOCK_NAME]
        if strlen(own) == length and memcmp(own, name, length) == 0:
            return i
    return -1
