"""The checked build: a kernel's functions run on copies of its arrays, fenced, so that no wrong index goes unseen.

A kernel gets bare pointers, whose bounds no compiler can check. Where KEELBLOCKS_CHECKED is defined (see setup.py),
`guard_all` puts `guarded_call` between the engine and each function of a kernel. It stops the run, with the block and
the array in the fault (see `misuse.py`), if the function writes outside of an array or into one that is not its to
write. What is read outside of an array is not a number, nor is a result that the function leaves unwritten; so both
stop the run too. In other builds the compiler leaves all of this out.
"""

from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcmp, memcpy, memset, strncmp

from cython_kernels.core.plan cimport *
from cython_kernels.view cimport Kernel, KernelEntry, View

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


cdef inline double* fenced(Fence** at, double* original, int count, bint writable, int array, int port) noexcept nogil:
    """Make a copy with guards and go on to the next fence; where the copy begins."""
    cdef Fence* f = at[0]
    cdef size_t size = <size_t>(count + 2 * KB_GUARD) * sizeof(double)
    f.memory = <double*>malloc(size)
    f.original = original
    f.count = count
    f.writable = writable
    f.array = array
    f.port = port
    memset(f.memory, 0xFF, size)
    if not writable or array == ARRAY_WORK or array == ARRAY_X or array == ARRAY_Z:
        memcpy(f.memory + KB_GUARD, original, <size_t>count * sizeof(double))
    at[0] = f + 1
    return f.memory + KB_GUARD


cdef inline double** fenced_ports(
    Fence** at, const Plan* s, const int* ports, double** originals, bint writable, int array
) noexcept nogil:
    """Fence the arrays of all inputs, outputs or parameters of a block; pointers to the copies, to be freed."""
    cdef int i
    cdef double** copies = <double**>calloc(<size_t>ports[0] + 1, sizeof(double*))
    for i in range(ports[0]):
        if originals[i] != NULL:
            copies[i] = fenced(at, originals[i], s.ports[ports[1] + 2 * i + 1], writable, array, i)
    return copies


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
    cdef const Plan* s = task.plan
    cdef const int* block = s.blocks + <size_t>task.block * BLOCK_FIELDS
    cdef const KernelEntry* k = &s.kernels[task.block]
    cdef Kernel run = task.guarded
    cdef int arrays = block[BLOCK_INPUTS] + block[BLOCK_OUTPUTS] + block[BLOCK_PARAMETERS] + 5
    cdef Fence* fences = <Fence*>calloc(<size_t>arrays, sizeof(Fence))
    cdef Fence* at = fences
    cdef double** u = fenced_ports(&at, s, block + BLOCK_INPUTS, <double**>b.u, False, ARRAY_INPUT)
    cdef double** y = fenced_ports(&at, s, block + BLOCK_OUTPUTS, b.y, run == k.outputs, ARRAY_OUTPUT)
    cdef double** p = fenced_ports(&at, s, block + BLOCK_PARAMETERS, <double**>b.p, False, ARRAY_PARAMETER)
    cdef int* n = <int*>calloc(<size_t>block[BLOCK_NUMBERS + 1] + KB_GUARD + 1, sizeof(int))
    cdef View view = b[0]
    cdef int fault
    memcpy(n, b.n, <size_t>block[BLOCK_NUMBERS + 1] * sizeof(int))
    view.u = <const double**>u
    view.y = y
    view.p = <const double**>p
    view.w = fenced(&at, b.w, block[BLOCK_WORK + 1], run == k.setup, ARRAY_WORK, 0)
    view.x = fenced(&at, <double*>b.x, block[BLOCK_X + 1], run == k.start, ARRAY_X, 0)
    view.dx = fenced(&at, b.dx, block[BLOCK_X + 1], run == k.derivatives, ARRAY_DX, 0)
    view.z = fenced(&at, b.z, block[BLOCK_Z + 1], run == k.start or run == k.update, ARRAY_Z, 0)
    view.g = fenced(&at, b.g, block[BLOCK_G + 1], run == k.crossings or run == k.jumps, ARRAY_G, 0)
    view.n = n
    run(&view, t)
    fault = closed(fences, <int>(at - fences))
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
    guard(s, s.jumps, s.n_jumps)
