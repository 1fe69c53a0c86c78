"""The kernel ABI: what one block sees while it runs, and what a compiled library gives.

A kernel is up to seven functions named after it, all of type `Kernel`. They are pure: the same view and time give the
same result; no globals, no allocation, no input or output.

    setup        p, n -> w          derived constants (a factorised matrix, say); again whenever a parameter changes
    start        p, n, w -> x, z    initial states; without it the engine copies the block's initial-value parameters
    outputs      t, u, p, w, x, z -> y
    derivatives  t, u, p, w, x, z -> dx
    update       t, u, p, w, x, z -> z
                 sampled block: at its hits. Other blocks: at every major step, repeated until z no longer changes, so
                 a second call at the same t, u and x must change nothing.
    crossings    t, u, p, w, x, z -> g    functions whose sign change is an event that adaptive solvers locate
    jumps        t, p, w, z -> g    where time alone decides when an output jumps: t less the instant of the next jump,
                 below 0, at which a fixed-step solver ends a step; above 0 if none is to come

Ports, parameters and states come in the order of the block's declaration. A matrix is row by row.
"""

ctypedef struct View:
    const double** u      # u[i]: values on input port i
    double** y            # y[i]: where output port i goes; NULL: not wanted in this call, or read from a state. Only a
                          # block whose outputs differ in direct feedthrough, or some of which are states, ever sees
                          # NULL, and such a kernel checks every output.
    const double** p      # p[i]: parameter i; the initial values of the states follow the declared parameters
    double* w             # derived constants, written by setup only
    const double* x       # continuous states
    double* dx            # their derivatives
    double* z             # discrete states and modes, written by start and update only
    double* g             # zero-crossing functions
    const int* n          # sizes, in the order of the declaration's `sizes`
    int* fault            # set to a positive number to stop the run: the index (from 1) in the declaration's `faults`
    unsigned int key      # hash of the block's name: tells random streams of equal seed apart
    void* context         # only for blocks written in Python


ctypedef void (*Kernel)(const View* b, double t) noexcept nogil


ctypedef struct KernelEntry:
    const char* name
    Kernel setup
    Kernel start
    Kernel outputs
    Kernel derivatives
    Kernel update
    Kernel crossings
    Kernel jumps
    int inputs            # counts that the block's declaration must match
    int outputs_count
    int parameters
    int sizes
    int checked           # built with checks: its calls are guarded in every build of the engine


cdef enum:
    KERNEL_ABI = 1        # raised whenever View, KernelEntry or KernelLibrary change


ctypedef struct KernelLibrary:     # what the one exported function of a compiled library, keelblocks_library, gives
    char magic[8]         # "KEELLIB"
    int abi
    int count
    const char* name      # of the package; kernels are called "name.kernel"
    const char* digest    # of the sources that it was built from
    const KernelEntry* entries
