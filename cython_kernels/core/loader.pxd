"""From stored plan bytes to a runnable Plan in one block of memory, trusting nothing that the bytes say.

What is guaranteed: whatever the bytes are, opening them reads nothing outside of them, writes nothing outside of the
memory, and asks for no more memory than the tables account for. Running an opened plan trusts that the sizes n[...] of
a block are those of its ports, as `blocks/plan/storage.py` writes them; only the kernel knows what they mean. The
checksum keeps accidents out, not intent: a plan is to be trusted as much as the binary that comes with it.
"""

from libc.string cimport memcmp, memcpy, memset

from cython_kernels.core.checked cimport KB_GUARDS, guard_checked
from cython_kernels.core.plan cimport *
from cython_kernels.core.soundness cimport *
from cython_kernels.registry cimport find_kernel
from cython_kernels.view cimport Kernel, KernelEntry, View


ctypedef bint (*Finder)(const char* name, KernelEntry* k) noexcept nogil
ctypedef bint (*FinderAmong)(void* those, const char* name, KernelEntry* k) noexcept nogil

# Sizes are of 64 bits: those that a damaged header gives may add up to more than a size_t of 32 bits holds.


cdef inline unsigned long long fnv1a(const unsigned char* data, size_t size) noexcept nogil:
    """64-bit hash (Fowler, Noll and Vo, FNV-1a)."""
    cdef unsigned long long h = 14695981039346656037ULL
    cdef size_t i
    for i in range(size):
        h = (h ^ data[i]) * 1099511628211ULL
    return h


cdef inline long long aligned(long long size) noexcept nogil:
    return (size + 15) & ~<long long>15


cdef inline long long int_count(const Header* h) noexcept nogil:
    return (
        <long long>h.blocks * BLOCK_FIELDS + h.ports + 2 * (<long long>h.majors + h.minors)
        + h.wanted + h.numbers + 3 * <long long>h.copies + 2 * <long long>h.rates
    )


cdef inline long long value_count(const Header* h) noexcept nogil:
    return (
        <long long>h.signals + h.parameters + h.work + <long long>h.x * (2 + SOLVER_VECTORS) + 2 * <long long>h.z
        + h.rates + 3 * <long long>h.g
    )


cdef inline long long stored_size(const Header* h) noexcept nogil:
    return (
        sizeof(Header) + (<long long>h.signals + <long long>h.parameters) * sizeof(double)
        + int_count(h) * sizeof(int) + <long long>h.strings
    )


cdef inline long long task_count(const Header* h) noexcept nogil:
    return <long long>h.majors + h.minors + 7 * <long long>h.blocks


cdef inline long long pointer_count(const Header* h) noexcept nogil:
    return <long long>h.ports // 2 + h.wanted + 1


cdef inline size_t plan_memory(const unsigned char* data, size_t size, int* status) noexcept nogil:
    """How much memory `plan_open` needs for these bytes; 0 and a status below 0 if they are not a whole plan."""
    cdef Header h
    cdef long long needed
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
    if h.size < 0 or h.size > <long long>size:
        return 0
    status[0] = STATUS_DAMAGED
    if h.size != <long long>size or negative_count(&h) or stored_size(&h) != <long long>size:
        return 0
    if not settings_are_sound(&h) or h.strings < 1 or data[size - 1] != 0 or h.ports % 2 != 0:
        return 0
    if h.inputs > h.signals or h.steady < 0 or h.steady > h.majors or h.x % LANES != 0:
        return 0
    if not counts_add_up(&h, data):
        return 0
    if fnv1a(data + CHECKED_FROM, size - CHECKED_FROM) != h.checksum:
        return 0
    needed = (
        aligned(sizeof(Plan)) + aligned(size) + aligned(value_count(&h) * sizeof(double))
        + aligned(<long long>h.blocks * sizeof(KernelEntry)) + aligned(<long long>h.blocks * sizeof(View))
        + aligned(task_count(&h) * sizeof(Task)) + aligned(pointer_count(&h) * sizeof(double*))
        + aligned((<long long>h.blocks + h.rates + 1) * sizeof(int))
    )
    if needed > <long long>(<size_t>-1 // 2):
        return 0
    status[0] = STATUS_END
    return <size_t>needed


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


cdef inline bint open_block(Plan* s, int i, double*** pointers, FinderAmong more, void* those) noexcept nogil:
    """Find a block's kernel and make its view. False if no kernel has that name."""
    cdef const int* b = s.blocks + <size_t>i * BLOCK_FIELDS
    cdef View* view = &s.views[i]
    cdef const char* name = s.strings + b[BLOCK_KERNEL]
    if not find_kernel(name, &s.kernels[i]) and (more == NULL or not more(those, name, &s.kernels[i])):
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
    view.n = s.numbers + b[BLOCK_NUMBERS]
    view.fault = s.faults + i
    view.key = <unsigned int>b[BLOCK_KEY]
    return True


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
    """The lists of setups, starts, derivatives, modes, samples, crossings and jumps."""
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
    s.jumps = next_task + 6 * blocks
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
        s.n_jumps = add_task(s.jumps, s.n_jumps, k.jumps, view, i, rate)


cdef inline int plan_open_among(
    void* memory, const unsigned char* data, size_t size, FinderAmong more, void* those, Plan** opened
) noexcept nogil:
    """As `plan_open`, with a `more` that is told where to look: among the libraries of one FMU, say."""
    cdef int status, i
    cdef char* place = <char*>memory
    cdef size_t needed = plan_memory(data, size, &status)
    cdef Plan* s = <Plan*>memory
    cdef Header* h
    cdef const int* majors
    cdef const int* minors
    cdef const int* wanted
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
    s.numbers = <int*>(wanted + h.wanted)
    s.copies = s.numbers + h.numbers
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
        if not open_block(s, i, &pointers, more, those):
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
    if KB_GUARDS:
        guard_checked(s)
    return STATUS_END


cdef inline bint find_by_name(void* more, const char* name, KernelEntry* k) noexcept nogil:
    """By a Finder, to which this is a pointer, if there is one."""
    cdef Finder found = (<Finder*>more)[0]
    return found != NULL and found(name, k)


cdef inline int plan_open(
    void* memory, const unsigned char* data, size_t size, Finder more, Plan** opened
) noexcept nogil:
    """Make a Plan in `memory`, which must be as large as `plan_memory` said. The bytes need not live on.

    `more` finds kernels that are not in the registry (blocks written in Python); it may be NULL. On
    STATUS_UNKNOWN_KERNEL, or STATUS_DAMAGED because of one block, `failure.block` says which.
    """
    return plan_open_among(memory, data, size, find_by_name, &more, opened)
