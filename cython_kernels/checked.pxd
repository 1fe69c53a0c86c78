"""The checked build: a kernel's functions run on copies of its arrays, fenced, so that no wrong index goes unseen.

A kernel gets bare pointers, whose bounds no compiler can check. Where KEELBLOCKS_CHECKED is defined (see setup.py),
`guard_all` puts `guarded_call` between the engine and each function of a kernel. It stops the run, with the block and
the array in the fault (see `misuse.py`), if the function writes outside of an array or into one that is not its to
write. What is read outside of an array is not a number, nor is a result that the function leaves unwritten; so both
stop the run too. In other builds the compiler leaves all of this out.
"""

from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcmp, memcpy, memset, strncmp

from cython_kernels.plan cimport *
from cython_kernels.view cimport KernelEntry, View

cdef extern from *:
    """
    #ifdef KEELBLOCKS_CHECKED
    #define KB_CHECKED 1
    #else
    #define KB_CHECKED 0
    #endif
    /* AddressSanitizer sees a step outside of an allocation, but not one into a guard. */
    #ifdef __SANITIZE_ADDRESS__
    #define KB_GUARD 0
    #else
    #define KB_GUARD 8
    #endif
    """
    const int KB_CHECKED
    const int KB_GUARD      # doubles before and behind each copy, all bits 1: not a number


cdef enum:
    # what was misused; the fault is -(MISUSE_ARRAY * array + number of the port or parameter from 0) - misuse
    MISUSE_OUTSIDE = 1
    MISUSE_NOT_ITS_OWN = 2
    MISUSE_PORT = 10
    MISUSE_ARRAY = 100000

    ARRAY_INPUT = 1
    ARRAY_OUTPUT = 2
    ARRAY_PARAMETER = 3
    ARRAY_WORK = 4
    ARRAY_X = 5
    ARRAY_DX = 6
    ARRAY_Z = 7
    ARRAY_G = 8


ctypedef struct Fence:                  # a copy of one array
    double* memory                      # guard, copy, guard
    double* original
    int count
    bint writable
    int array
    int port


cdef inline double* fenced(Fence* f, double* original, int count, bint writable, int array, int port) noexcept nogil:
    """Make a copy with guards; where it begins."""
    cdef size_t size = <size_t>(count + 2 * KB_GUARD) * sizeof(double)
    f.memory = <double*>malloc(size)
    f.original = original
    f.count = count
    f.writable = writable
    f.array = array
    f.port = port
    memset(f.memory, 0xFF, size)
    memcpy(f.memory + KB_GUARD, original, <size_t>count * sizeof(double))
    return f.memory + KB_GUARD


cdef inline bint is_intact(const double* guard) noexcept nogil:
    cdef const unsigned char* bytes = <const unsigned char*>guard
    cdef size_t i
    for i in range(<size_t>KB_GUARD * sizeof(double)):
        if bytes[i] != 0xFF:
            return False
    return True


cdef inline int misuse_of(const Fence* f) noexcept nogil:
    """What was misused, as a fault below 0, or 0."""
    cdef const double* copy = f.memory + KB_GUARD
    cdef int misuse = 0
    if not (is_intact(f.memory) and is_intact(copy + f.count)):
        misuse = MISUSE_OUTSIDE
    elif not f.writable and memcmp(f.original, copy, <size_t>f.count * sizeof(double)) != 0:
        misuse = MISUSE_NOT_ITS_OWN
    return -(MISUSE_ARRAY * f.array + MISUSE_PORT * f.port + misuse) if misuse else 0


cdef inline int closed(Fence* fences, int count) noexcept nogil:
    """Look for misuse, then take over what was written and free the copies; the first misuse, or 0."""
    cdef int i
    cdef int fault = 0
    for i in range(count):
        if fault == 0:
            fault = misuse_of(&fences[i])
    for i in range(count):              # only now, because an output that is a state is fenced twice
        if fences[i].writable:
            memcpy(fences[i].original, fences[i].memory + KB_GUARD, <size_t>fences[i].count * sizeof(double))
        free(fences[i].memory)
    return fault


cdef inline void guarded_call(const View* b, double t) noexcept nogil:
    """Run the kernel function behind a task on fenced copies of what it sees."""
    cdef const Task* task = <const Task*>b.context
    cdef const int* block = task.plan.blocks + <size_t>task.block * BLOCK_FIELDS
    cdef const int* ports
    cdef const KernelEntry* k = &task.plan.kernels[task.block]
    cdef Fence* fences = <Fence*>calloc(
        <size_t>(block[BLOCK_INPUTS] + block[BLOCK_OUTPUTS] + block[BLOCK_PARAMETERS] + 5), sizeof(Fence)
    )
    cdef double** u = <double**>calloc(<size_t>block[BLOCK_INPUTS] + 1, sizeof(double*))
    cdef double** y = <double**>calloc(<size_t>block[BLOCK_OUTPUTS] + 1, sizeof(double*))
    cdef double** p = <double**>calloc(<size_t>block[BLOCK_PARAMETERS] + 1, sizeof(double*))
    cdef int* n = <int*>calloc(<size_t>block[BLOCK_NUMBERS + 1] + 8, sizeof(int))
    cdef Fence* f = fences
    cdef View guarded = b[0]
    cdef bint writes = task.guarded == k.outputs
    cdef int i, fault
    ports = task.plan.ports + block[BLOCK_INPUTS + 1]
    for i in range(block[BLOCK_INPUTS]):
        u[i] = fenced(f, <double*>b.u[i], ports[2 * i + 1], False, ARRAY_INPUT, i)
        f += 1
    ports = task.plan.ports + block[BLOCK_OUTPUTS + 1]
    for i in range(block[BLOCK_OUTPUTS]):
        if b.y[i] != NULL:
            y[i] = fenced(f, b.y[i], ports[2 * i + 1], writes, ARRAY_OUTPUT, i)
            if writes:
                memset(y[i], 0xFF, <size_t>f.count * sizeof(double))
            f += 1
    ports = task.plan.ports + block[BLOCK_PARAMETERS + 1]
    for i in range(block[BLOCK_PARAMETERS]):
        p[i] = fenced(f, <double*>b.p[i], ports[2 * i + 1], False, ARRAY_PARAMETER, i)
        f += 1
    guarded.u = <const double**>u
    guarded.y = y
    guarded.p = <const double**>p
    guarded.w = fenced(f, b.w, block[BLOCK_WORK + 1], task.guarded == k.setup, ARRAY_WORK, 0)
    f += 1
    guarded.x = fenced(f, <double*>b.x, block[BLOCK_X + 1], task.guarded == k.start, ARRAY_X, 0)
    f += 1
    guarded.dx = fenced(f, b.dx, block[BLOCK_X + 1], task.guarded == k.derivatives, ARRAY_DX, 0)
    if f.writable:
        memset(guarded.dx, 0xFF, <size_t>f.count * sizeof(double))
    f += 1
    guarded.z = fenced(
        f, b.z, block[BLOCK_Z + 1], task.guarded == k.start or task.guarded == k.update, ARRAY_Z, 0
    )
    f += 1
    guarded.g = fenced(f, b.g, block[BLOCK_G + 1], task.guarded == k.crossings, ARRAY_G, 0)
    if f.writable:
        memset(guarded.g, 0xFF, <size_t>f.count * sizeof(double))
    f += 1
    memcpy(n, b.n, <size_t>block[BLOCK_NUMBERS + 1] * sizeof(int))
    guarded.n = n
    task.guarded(&guarded, t)
    fault = closed(fences, <int>(f - fences))
    if fault != 0:
        b.fault[0] = fault
    free(fences)
    free(u)
    free(y)
    free(p)
    free(n)


cdef inline void guard(Plan* s, Task* tasks, int count) noexcept nogil:
    """Let the engine call `guarded_call` instead of the functions of these tasks; blocks in Python need no guard."""
    cdef int i
    for i in range(count):
        if strncmp(s.kernels[tasks[i].block].name, b"python_", 7) != 0:
            tasks[i].guarded = tasks[i].run
            tasks[i].plan = s
            tasks[i].run = guarded_call
            tasks[i].view.context = &tasks[i]


cdef inline void guard_all(Plan* s) noexcept nogil:
    """Guard every function of every kernel of a plan."""
    guard(s, s.setups, s.n_setups)
    guard(s, s.starts, s.n_starts)
    guard(s, s.majors, s.n_majors)
    guard(s, s.minors, s.n_minors)
    guard(s, s.derivatives, s.n_derivatives)
    guard(s, s.modes, s.n_modes)
    guard(s, s.samples, s.n_samples)
    guard(s, s.crossings, s.n_crossings)
