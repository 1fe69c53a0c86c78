"""A plan: a diagram flattened into numbers, as it is stored (Header) and as it runs (Plan).

Stored, little-endian, one section after the other:

    Header
    double  given[signals + parameters]      start values of all signals and parameters
    int     blocks[blocks][BLOCK_FIELDS]     see the BLOCK_… constants
    int     ports[ports]                     pairs (place in values, width) for inputs, outputs, parameters
    int     majors[majors][2]                calls of a major step in order: block, first entry in `wanted`
    int     minors[minors][2]                calls between major steps
    int     wanted[wanted]                   per output of a call: 1 if it is to be computed, else 0
    int     numbers[numbers]                 the sizes n[…] of all blocks
    int     copies[copies][3]                initial values: from, to, how many (places in values)
    int     rates[rates][2]                  places in values of period and offset of each sample rate
    char    strings[strings]                 names, each ended by 0

Running, all numbers stand in one array `values`, so a place in it names any quantity (an FMI value reference is one):

    signals | parameters | work | x | z | hits | dx | g | scratch
    └──────────── saved with the state ────────┘
"""

from cython_kernels.core.summaries cimport Summary
from cython_kernels.view cimport Kernel, KernelEntry, View


cdef enum:
    PLAN_VERSION = 1
    CHECKED_FROM = 24       # the first byte of a stored plan that its checksum covers
    BLOCK_KERNEL = 0        # place of the kernel's name in strings
    BLOCK_NAME = 1          # place of the block's dotted name in strings
    BLOCK_INPUTS = 2        # how many, then the first pair in ports; likewise below
    BLOCK_OUTPUTS = 4
    BLOCK_PARAMETERS = 6
    BLOCK_WORK = 8          # place in values, then how many; likewise below
    BLOCK_X = 10
    BLOCK_Z = 12
    BLOCK_G = 14
    BLOCK_NUMBERS = 16      # first in numbers, then how many
    BLOCK_RATE = 18         # 0: not sampled, else number of the rate from 1
    BLOCK_KEY = 19
    BLOCK_FIELDS = 20

    SOLVER_EULER = 0
    SOLVER_HEUN = 1
    SOLVER_RK4 = 2
    SOLVER_DOPRI5 = 3

    LANES = 4               # states are integrated so many at a time
    MODE_ITERATIONS = 100
    EVENT_ATTEMPTS = 20     # steps that may be taken to end one at a zero crossing
    SOLVER_VECTORS = 12     # of the length of x, in scratch


cdef enum Status:
    STATUS_END = 0          # the end that was asked for is reached
    STATUS_PAUSED = 1       # the step or record limit of this call is reached
    STATUS_STOPPED = 2      # the stop signal is on
    STATUS_FAULT = 3        # a kernel set its fault
    STATUS_NOT_FINITE = 4
    STATUS_UNSETTLED = 5    # modes keep changing at one instant
    STATUS_STEP_TOO_SMALL = 6
    STATUS_TOO_MANY_EVENTS = 7
    STATUS_NOT_A_PLAN = -1
    STATUS_OTHER_VERSION = -2
    STATUS_TRUNCATED = -3
    STATUS_DAMAGED = -4
    STATUS_UNKNOWN_KERNEL = -5
    STATUS_OTHER_STATE = -6


cdef enum Part:             # what of a block was found not to be finite
    PART_NONE = 0
    PART_OUTPUT = 1
    PART_DERIVATIVE = 2
    PART_STATE = 3


ctypedef struct Header:
    char magic[8]
    double end                      # suggested end of a run; not part of the model, so not of the checksum
    unsigned long long checksum     # FNV-1a of everything after this field
    int version
    int size
    int blocks
    int ports
    int majors
    int steady                      # the first so many majors depend on parameters alone
    int minors
    int wanted
    int numbers
    int copies
    int rates
    int strings
    int inputs                      # external inputs: the first of the signals
    int signals
    int parameters
    int work
    int x                           # a multiple of LANES; the last ones may belong to no block and stay 0
    int z
    int g
    int solver
    int reserved                    # 0
    int stop                        # place of the signal that ends the run, or -1
    double start
    double step
    double relative_tolerance
    double absolute_tolerance
    double max_step


ctypedef struct Plan


ctypedef struct Task:               # one kernel function with the view that it is called with
    Kernel run
    View view
    int block
    int rate
    Kernel guarded                  # in a checked build what `run` guards, and the plan that knows how large arrays are
    const Plan* plan


ctypedef struct Clock:              # everything about time that belongs to the state
    double t
    double start
    double next_step                # what the adaptive solver would like to take next; 0: to be estimated
    long long grid                  # how many points of the recording grid have been passed
    long long steps                 # accepted steps since the start
    long long evaluations           # evaluations of the right-hand side
    int evaluated                   # outputs are those of t
    int tiny_steps                  # event steps in a row that hardly moved on


ctypedef struct Failure:
    int block
    int part
    int element
    int fault
    double t


ctypedef struct Plan:
    Header header
    Clock clock
    Failure failure
    const double* given             # as stored
    double* values
    double* x
    double* dx
    double* z
    double* g
    double* hits                    # number of the next hit of each rate
    double* scratch
    int saved                       # how many of the values belong to the state
    int states                      # how many of x belong to a block
    int dirty                       # inputs have changed since the last evaluation
    int stale                       # parameters have changed since setup
    int first_major                 # the first call that a major evaluation needs: 0, or `steady` once those are known
    int watched                     # look for the first value that is not finite
    int fresh_derivatives           # dx is that of t and x
    const double* series            # how external inputs go on from a communication point, or NULL: they are held
    int series_orders               # rows of `series`: the values then, their first derivatives, and so on
    double series_start
    int* numbers                    # the sizes n[...] of all blocks; a structural parameter may make one smaller
    const int* blocks
    const int* ports
    const int* copies
    const int* rates
    const char* strings
    KernelEntry* kernels            # one per block, as the view with everything wanted
    View* views
    int* faults
    int* due                        # which rates have a hit now
    Task* majors
    Task* minors
    Task* setups
    Task* starts
    Task* derivatives
    Task* modes
    Task* samples
    Task* crossings
    Task* jumps
    int n_majors
    int n_minors
    int n_setups
    int n_starts
    int n_derivatives
    int n_modes
    int n_samples
    int n_crossings
    int n_jumps


ctypedef struct Recorder:
    const int* places               # which values are recorded
    int channels
    long long every                 # each how many grid points
    long long capacity              # rows that fit
    long long rows                  # rows written
    double* time
    double* out                     # rows × channels
    Summary* summary                # taken at each grid point, or NULL
