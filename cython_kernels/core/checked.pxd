"""Guarded calls: a kernel's functions run on copies of its arrays, fenced, so that no wrong index goes unseen.

A kernel gets bare pointers, whose bounds no compiler can check. `guard_checked` puts `guarded_call` between the engine
and each function of a kernel whose entry says `checked`, as those of a library do that was built with checks; where
KEELBLOCKS_CHECKED is defined (see setup.py), of every kernel. Which function a task runs is decided once, when a plan
is opened, so other kernels are called as ever.

A guarded call stops the run, with block, function, array and element in the fault (see `misuse.py`), if the function
writes outside of an array or into one that is not its to write, if it leaves an output or derivative unwritten, and if
what it writes there was read outside of an array. What brings a process down elsewhere, a write to an output that is
not wanted (NULL), an address that is nobody's, a division of whole numbers by zero and what a sanitizer of the compiler
traps, ends the call and stops the run as well (`KB_CATCHES`; not on Windows, where an output that is not wanted is a
copy like any other).

The FMU runtime has none of this: the compiler keeps it only where KEELBLOCKS_GUARDS or KEELBLOCKS_CHECKED is defined.
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
    #if defined(KEELBLOCKS_CHECKED) || defined(KEELBLOCKS_GUARDS)
    #define KB_GUARDS 1
    #else
    #define KB_GUARDS 0
    #endif
    /* AddressSanitizer sees a step outside of an allocation, but not one into a guard. */
    #ifdef __SANITIZE_ADDRESS__
    #define KB_GUARD 0
    #else
    #define KB_GUARD 32
    #endif

    /* No numbers, with the sign set: what stands in guards and in what is to be written. Calculations keep the bits. */
    #define KB_SIGN 0x8000000000000000ULL
    #define KB_OUTSIDE 0xFFFFFFFFFFFFFFFFULL
    #define KB_UNWRITTEN 0xFFFFFFFFFFFFFFFDULL

    #if defined(KEELBLOCKS_GUARDS) && !defined(_WIN32)
    #define KB_CATCHES 1
    #include <setjmp.h>
    #include <signal.h>
    #include <stdint.h>
    static const int kb_signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};
    enum { KB_SIGNALS = sizeof(kb_signals) / sizeof(kb_signals[0]) };
    static struct sigaction kb_before[KB_SIGNALS];
    static _Thread_local sigjmp_buf *kb_way_back;      /* NULL: this thread runs no guarded kernel */
    static _Thread_local uintptr_t kb_address;

    static void kb_caught(int number, siginfo_t *info, void *context) {
        int i;
        (void)context;
        if (kb_way_back != NULL) {
            kb_address = (uintptr_t)info->si_addr;
            siglongjmp(*kb_way_back, number);
        }
        for (i = 0; i < KB_SIGNALS; i++) {              /* not ours: once more, and then it is what it was before */
            if (kb_signals[i] == number) sigaction(number, &kb_before[i], NULL);
        }
        if (info->si_code <= 0) raise(number);
    }

    static void kb_catch(void) {                        /* from now on; with the GIL, or in one thread */
        struct sigaction now, own = {0};
        int i;
        own.sa_sigaction = kb_caught;
        own.sa_flags = SA_SIGINFO | SA_NODEFER;         /* so that there is no mask to be kept, which takes time */
        for (i = 0; i < KB_SIGNALS; i++) {
            if (sigaction(kb_signals[i], NULL, &now) == 0
                    && !((now.sa_flags & SA_SIGINFO) && now.sa_sigaction == kb_caught)) {
                kb_before[i] = now;
                sigaction(kb_signals[i], &own, NULL);
            }
        }
    }

    static int kb_run(void (*run)(const void *, double), const void *view, double t) {
        sigjmp_buf back;
        int number = sigsetjmp(back, 0);
        if (number == 0) {
            kb_way_back = &back;
            run(view, t);
        }
        kb_way_back = NULL;
        return number == 0 ? 0 : number == SIGFPE ? 5 : number == SIGILL || number == SIGTRAP ? 6
            : kb_address < 65536 ? 3 : 4;               /* MISUSE_… */
    }
    #else
    #define KB_CATCHES 0
    #define kb_catch() ((void)0)
    static inline int kb_run(void (*run)(const void *, double), const void *view, double t) {
        run(view, t);
        return 0;
    }
    #endif
    """
    const int KB_CHECKED
    const int KB_GUARDS     # compiled for guarded calls
    const int KB_GUARD      # doubles before and behind each copy, all bits 1: not a number
    const unsigned long long KB_SIGN, KB_OUTSIDE, KB_UNWRITTEN
    const int KB_CATCHES    # what would bring the process down ends a guarded call
    void kb_catch() noexcept nogil
    int kb_run(void (*run)(const void*, double) noexcept nogil, const void* view, double t) noexcept nogil


cdef enum:
    # what was misused: the fault is -((((array 8 + function) 1024 + port) 1024 + element) 16 + misuse)
    MISUSE_OUTSIDE = 1          # element: 0 is the first behind the array, MISUSE_BEFORE + 1 the first before it
    MISUSE_NOT_ITS_OWN = 2
    MISUSE_NULL = 3
    MISUSE_ASTRAY = 4
    MISUSE_DIVISION = 5
    MISUSE_UNDEFINED = 6
    MISUSE_UNWRITTEN = 7
    MISUSE_READ_OUTSIDE = 8
    MISUSE_BEFORE = 512
    MISUSE_MOST = 1023          # and more: ports, elements

    ARRAY_NONE = 0
    ARRAY_INPUT = 1
    ARRAY_OUTPUT = 2
    ARRAY_PARAMETER = 3
    ARRAY_WORK = 4
    ARRAY_X = 5
    ARRAY_DX = 6
    ARRAY_Z = 7
    ARRAY_G = 8
    ARRAY_N = 9


ctypedef struct Fence:                  # a copy of one array
    double* memory                      # guard, copy, guard
    double* original                    # NULL: an output that is not wanted
    int count
    bint writable
    bint filled                         # with KB_UNWRITTEN, as the function is to write all of it
    int array
    int port


cdef inline int function_of(const KernelEntry* k, Kernel run) noexcept nogil:
    """Which one it is: setup, start, outputs, derivatives, update, crossings, jumps."""
    cdef int number = 6
    if run == k.setup:
        number = 0
    elif run == k.start:
        number = 1
    elif run == k.outputs:
        number = 2
    elif run == k.derivatives:
        number = 3
    elif run == k.update:
        number = 4
    elif run == k.crossings:
        number = 5
    return number


cdef inline int misuse_code(int array, int function, int port, int element, int misuse) noexcept nogil:
    """As a fault below 0."""
    port = port if port < MISUSE_MOST else MISUSE_MOST
    element = element if 0 <= element < MISUSE_MOST else MISUSE_MOST
    return -((((array * 8 + function) * 1024 + port) * 1024 + element) * 16 + misuse)


cdef inline bint is_made_of(const double* value, unsigned long long bits) noexcept nogil:
    """Whether a number is this one that is none, of either sign."""
    cdef unsigned long long found
    memcpy(&found, value, sizeof(double))
    return (found | KB_SIGN) == bits


cdef inline double* fenced(Fence** at, double* original, int count, bint writable, int array, int port) noexcept nogil:
    """Make a copy with guards and go on to the next fence; where the copy begins."""
    cdef Fence* f = at[0]
    cdef unsigned long long unwritten = KB_UNWRITTEN
    cdef int i
    cdef size_t size = <size_t>(count + 2 * KB_GUARD) * sizeof(double)
    if KB_GUARD > 0:                    # out of the memory of the call: each for itself takes ten times as long
        f[1].memory = f.memory + count + 2 * KB_GUARD
    else:
        f.memory = <double*>malloc(size)
    f.original = original
    f.count = count
    f.writable = writable
    f.filled = writable and (array == ARRAY_OUTPUT or array == ARRAY_DX)
    f.array = array
    f.port = port
    memset(f.memory, 0xFF, size)
    if f.filled:
        for i in range(count):
            memcpy(f.memory + KB_GUARD + i, &unwritten, sizeof(double))
    elif original != NULL and not (writable and array == ARRAY_G):
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
        if originals[i] != NULL or not KB_CATCHES:
            copies[i] = fenced(at, originals[i], s.ports[ports[1] + 2 * i + 1], writable, array, i)
    return copies


cdef inline size_t space(const Plan* s, const int* block, int arrays) noexcept nogil:
    """How many numbers the copies of all arrays of a block take, with their guards."""
    cdef size_t total = <size_t>(block[BLOCK_WORK + 1] + 2 * block[BLOCK_X + 1])
    cdef int kind, i
    cdef const int* ports
    total += <size_t>(block[BLOCK_Z + 1] + block[BLOCK_G + 1])
    for kind in range(3):
        ports = block + BLOCK_INPUTS + 2 * kind                 # inputs, outputs, parameters
        for i in range(ports[0]):
            total += <size_t>s.ports[ports[1] + 2 * i + 1]
    return total + <size_t>(2 * KB_GUARD * arrays)


cdef inline int broken(const double* guard) noexcept nogil:
    """The first number of a guard that was written to, or -1."""
    cdef unsigned long long found
    cdef int i
    if KB_GUARD > 0:
        memcpy(&found, guard, sizeof(double))
        if found == KB_OUTSIDE and memcmp(guard, guard + 1, <size_t>(KB_GUARD - 1) * sizeof(double)) == 0:
            return -1                   # all are as the first one is
    for i in range(KB_GUARD):
        memcpy(&found, guard + i, sizeof(double))
        if found != KB_OUTSIDE:
            return i
    return -1


cdef inline int misuse_of(const Fence* f, int function, bint told) noexcept nogil:
    """What was misused, as a fault below 0, or 0. told: a kernel has said why there are no results."""
    cdef const double* copy = f.memory + KB_GUARD
    cdef int i
    cdef int before = broken(f.memory)
    cdef int behind = broken(copy + f.count)
    if behind >= 0:
        return misuse_code(f.array, function, f.port, behind, MISUSE_OUTSIDE)
    if before >= 0:
        return misuse_code(f.array, function, f.port, MISUSE_BEFORE + KB_GUARD - before, MISUSE_OUTSIDE)
    if not f.writable and f.original != NULL and memcmp(f.original, copy, <size_t>f.count * sizeof(double)) != 0:
        for i in range(f.count):
            if memcmp(f.original + i, copy + i, sizeof(double)) != 0:
                return misuse_code(f.array, function, f.port, i, MISUSE_NOT_ITS_OWN)
    if f.filled and f.original != NULL and not told:
        for i in range(f.count):
            if is_made_of(copy + i, KB_UNWRITTEN):
                return misuse_code(f.array, function, f.port, i, MISUSE_UNWRITTEN)
            if is_made_of(copy + i, KB_OUTSIDE):
                return misuse_code(f.array, function, f.port, i, MISUSE_READ_OUTSIDE)
    return 0


cdef inline bint any_told(const Plan* s) noexcept nogil:
    """Whether a kernel has set its fault: what it left unwritten reaches those that it feeds."""
    cdef int i
    for i in range(s.header.blocks):
        if s.faults[i] != 0:
            return True
    return False


cdef inline int closed(Fence* fences, int count, int function, bint told) noexcept nogil:
    """Look for misuse, then take over what was written and free the copies; the first misuse, or 0."""
    cdef int i
    cdef int fault = 0
    for i in range(count):
        if fault == 0:
            fault = misuse_of(&fences[i], function, told)
    for i in range(count):              # only now, because an output that is a state is fenced twice
        if fences[i].writable and fences[i].original != NULL:
            memcpy(fences[i].original, fences[i].memory + KB_GUARD, <size_t>fences[i].count * sizeof(double))
        if KB_GUARD == 0:
            free(fences[i].memory)
    return fault


cdef inline int unwanted(double** y, int count) noexcept nogil:
    """The first output that is NULL, or -1."""
    cdef int i
    for i in range(count):
        if y[i] == NULL:
            return i
    return -1


cdef inline int ended_early(const int* block, double** y, int function, int misuse) noexcept nogil:
    """The fault of a call that a signal ended: at NULL it is an output that is not wanted, if there is one."""
    cdef int port = unwanted(y, block[BLOCK_OUTPUTS]) if function == 2 else -1
    if misuse == MISUSE_NULL and port >= 0:
        return misuse_code(ARRAY_OUTPUT, function, port, 0, misuse)
    return misuse_code(ARRAY_NONE, function, 0, 0, MISUSE_ASTRAY if misuse == MISUSE_NULL else misuse)


cdef inline Fence* in_memory(Fence* fences, const Plan* s, const int* block, int arrays) noexcept nogil:
    """Get the memory for the copies of a call; the first fence."""
    fences.memory = <double*>malloc(space(s, block, arrays) * sizeof(double)) if KB_GUARD > 0 else NULL
    return fences


cdef inline void guarded_call(const View* b, double t) noexcept nogil:
    """Run the kernel function behind a task on fenced copies of what it sees."""
    cdef const Task* task = <const Task*>b.context
    cdef const Plan* s = task.plan
    cdef const int* block = s.blocks + <size_t>task.block * BLOCK_FIELDS
    cdef const KernelEntry* k = &s.kernels[task.block]
    cdef Kernel run = task.guarded
    cdef int function = function_of(k, run)
    cdef int arrays = block[BLOCK_INPUTS] + block[BLOCK_OUTPUTS] + block[BLOCK_PARAMETERS] + 5
    cdef Fence* fences = <Fence*>calloc(<size_t>arrays + 1, sizeof(Fence))
    cdef Fence* at = in_memory(fences, s, block, arrays)
    cdef double* memory = fences.memory
    cdef double** u = fenced_ports(&at, s, block + BLOCK_INPUTS, <double**>b.u, False, ARRAY_INPUT)
    cdef double** y = fenced_ports(&at, s, block + BLOCK_OUTPUTS, b.y, run == k.outputs, ARRAY_OUTPUT)
    cdef double** p = fenced_ports(&at, s, block + BLOCK_PARAMETERS, <double**>b.p, False, ARRAY_PARAMETER)
    cdef int* n = <int*>calloc(<size_t>block[BLOCK_NUMBERS + 1] + KB_GUARD + 1, sizeof(int))
    cdef size_t sizes = <size_t>block[BLOCK_NUMBERS + 1] * sizeof(int)
    cdef View view = b[0]
    cdef int fault, misuse, i
    memcpy(n, b.n, sizes)
    view.u = <const double**>u
    view.y = y
    view.p = <const double**>p
    view.w = fenced(&at, b.w, block[BLOCK_WORK + 1], run == k.setup, ARRAY_WORK, 0)
    view.x = fenced(&at, <double*>b.x, block[BLOCK_X + 1], run == k.start, ARRAY_X, 0)
    view.dx = fenced(&at, b.dx, block[BLOCK_X + 1], run == k.derivatives, ARRAY_DX, 0)
    view.z = fenced(&at, b.z, block[BLOCK_Z + 1], run == k.start or run == k.update, ARRAY_Z, 0)
    view.g = fenced(&at, b.g, block[BLOCK_G + 1], run == k.crossings or run == k.jumps, ARRAY_G, 0)
    view.n = n
    view.context = NULL
    misuse = kb_run(<void (*)(const void*, double) noexcept nogil>run, &view, t)
    if misuse != 0:
        fault = ended_early(block, y, function, misuse)
        for i in range(<int>(at - fences)):
            if KB_GUARD == 0:
                free(fences[i].memory)
    else:
        fault = closed(fences, <int>(at - fences), function, any_told(s))
        if fault == 0 and memcmp(n, b.n, sizes) != 0:
            fault = misuse_code(ARRAY_N, function, 0, 0, MISUSE_NOT_ITS_OWN)
    if fault != 0:
        b.fault[0] = fault
    free(memory)
    free(fences)
    free(u)
    free(y)
    free(p)
    free(n)


cdef inline bint is_guarded(const KernelEntry* k) noexcept nogil:
    """Whether a kernel's functions are: where all are, those of blocks in Python need no guard."""
    return k.checked or (KB_CHECKED and strncmp(k.name, b"python_", 7) != 0)


cdef inline void guard(Plan* s, Task* tasks, int count) noexcept nogil:
    """Let the engine call `guarded_call` instead of the functions of these tasks, where that is wanted."""
    cdef int i
    for i in range(count):
        if is_guarded(&s.kernels[tasks[i].block]):
            tasks[i].guarded = tasks[i].run
            tasks[i].plan = s
            tasks[i].run = guarded_call
            tasks[i].view.context = &tasks[i]


cdef inline bint has_guarded(const Plan* s) noexcept nogil:
    cdef int i
    for i in range(s.header.blocks):
        if is_guarded(&s.kernels[i]):
            return True
    return False


cdef inline void guard_checked(Plan* s) noexcept nogil:
    """Guard every function of the kernels of a plan that are to be."""
    if not has_guarded(s):
        return
    kb_catch()
    guard(s, s.setups, s.n_setups)
    guard(s, s.starts, s.n_starts)
    guard(s, s.majors, s.n_majors)
    guard(s, s.minors, s.n_minors)
    guard(s, s.derivatives, s.n_derivatives)
    guard(s, s.modes, s.n_modes)
    guard(s, s.samples, s.n_samples)
    guard(s, s.crossings, s.n_crossings)
    guard(s, s.jumps, s.n_jumps)
