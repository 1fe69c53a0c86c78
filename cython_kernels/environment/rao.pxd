"""Tables of transfer functions over frequency and heading: where a wave stands in them, and what it has of each node.

A node of the table is a frequency and a heading: the real parts of six transfer functions and two zeros, then the
imaginary parts and two zeros, then what else there is. So the loops over a node are of eight lanes. Waves of eight
components at a time get their phase, and their place between the nodes by a bisection that takes the same steps for all
of them.
"""

from libc.math cimport fabs, floor

from cython_kernels.environment.waves cimport WAVES_EAST, WAVES_NORTH, WAVES_OMEGA, wave_phase
from cython_kernels.mathematics.elementary.bits cimport choice
from cython_kernels.mathematics.frames cimport KB_PI
from cython_kernels.mathematics.trigonometry cimport sine_cosine
from cython_kernels.mathematics.wide cimport wide_sine_cosine
from cython_kernels.mathematics.wide_angle cimport wide_angle
from cython_kernels.mathematics.wide_paths cimport each_lane

cdef enum:
    NODE_IMAGINARY = 8

    EIGHT_OMEGA = 0             # of eight waves at a time
    EIGHT_TURN = 8              # heading, relative to the vessel's
    EIGHT_SIDE = 16             # -1: from the other side than the table has
    EIGHT_SINE = 24
    EIGHT_COSINE = 32
    EIGHT_LOW = 40              # 0: above the frequencies of the table
    EIGHT_HEIGHT = 48           # amplitude
    EIGHT_DOWN = 56             # part of the interval of frequencies that is below
    EIGHT_ACROSS = 64           # the same of headings
    EIGHT_SIZE = 72


ctypedef struct RaoTable:
    const double* frequencies
    const double* turns         # headings from the first one on, and where the last interval ends
    const double* nodes
    int count                   # frequencies
    int intervals               # of headings
    int headings                # nodes of each frequency
    int size                    # numbers of a node
    bint symmetric
    bint drift
    double first                # heading
    double last                 # frequency
    double t
    double x
    double y
    double cos_psi
    double sin_psi


ctypedef struct RaoNodes:       # the four nodes around a wave, and what it has of each
    const double* n01
    const double* n10
    const double* n11
    double w00
    double w01
    double w10
    double w11
    double cosine
    double sine
    double side
    const double* keep
    const double* reverse


cdef extern from *:
    """
    static inline void kb_rao_wave_lane(KB_OF_A_LANE) KB_ALWAYS_INLINE;
    static inline void kb_rao_fold_lane(KB_OF_A_LANE) KB_ALWAYS_INLINE;
    static inline void kb_rao_turn_lane(KB_OF_A_LANE) KB_ALWAYS_INLINE;
    static inline void kb_find_eight(
        const double *points, int count, const double *values, int *found, double *part) KB_ALWAYS_INLINE;
    static inline void kb_place_eight(
        const double *wave, size_t stride, const void *table, double *eight, int *node) KB_ALWAYS_INLINE;
    """


cdef inline bint turned_by_symmetry(int dof) noexcept nogil:
    """Whether a response reverses when waves come from the other side: sway, roll and yaw."""
    return dof == 1 or dof == 3 or dof == 5


cdef inline void rao_node(
    const double* amplitude, const double* phase, int at, int step, bint central, double* node
) noexcept nogil:
    """Real and imaginary parts of six responses. In a symmetric table there is no lateral one where `central`."""
    cdef double sine, cosine
    cdef int d
    for d in range(16):
        node[d] = 0.0
    for d in range(6):
        if central and turned_by_symmetry(d):
            continue
        sine_cosine(phase[at + d * step], &sine, &cosine)
        node[d] = amplitude[at + d * step] * cosine
        node[NODE_IMAGINARY + d] = amplitude[at + d * step] * sine


cdef inline void rao_wave_lane "kb_rao_wave_lane"(
    const double* wave, size_t stride, const void* table, double* eight, int j
) noexcept nogil:
    """Phase, amplitude and direction of one wave."""
    cdef const RaoTable* at = <const RaoTable*>table
    cdef double omega = wave[WAVES_OMEGA * stride + j]
    cdef double north = wave[WAVES_NORTH * stride + j]
    cdef double east = wave[WAVES_EAST * stride + j]
    cdef double amplitude = eight[EIGHT_HEIGHT + j]
    cdef double turn = wide_angle(east * at.cos_psi - north * at.sin_psi, north * at.cos_psi + east * at.sin_psi)
    cdef double sine, cosine
    wide_sine_cosine(wave_phase(wave, stride, j, at.t, at.x, at.y), &sine, &cosine)
    eight[EIGHT_OMEGA + j] = omega
    eight[EIGHT_TURN + j] = turn
    eight[EIGHT_SIDE + j] = choice(turn < 0.0, -1.0, 1.0)
    eight[EIGHT_SINE + j] = sine * amplitude
    eight[EIGHT_COSINE + j] = cosine * amplitude
    eight[EIGHT_LOW + j] = choice(omega > at.last, 0.0, 1.0)


cdef inline void rao_fold_lane "kb_rao_fold_lane"(
    const double* wave, size_t stride, const void* table, double* eight, int j
) noexcept nogil:
    """The heading of one wave in a table of one side."""
    eight[EIGHT_TURN + j] = fabs(eight[EIGHT_TURN + j])


cdef inline void rao_turn_lane "kb_rao_turn_lane"(
    const double* wave, size_t stride, const void* table, double* eight, int j
) noexcept nogil:
    """The heading of one wave in a table all around."""
    cdef double turn = eight[EIGHT_TURN + j] - (<const RaoTable*>table).first
    eight[EIGHT_TURN + j] = turn - 2.0 * KB_PI * floor(turn / (2.0 * KB_PI))
    eight[EIGHT_SIDE + j] = 1.0


cdef inline void find_eight "kb_find_eight"(
    const double* points, int count, const double* values, int* found, double* part
) noexcept nogil:
    """The interval of increasing points that each of eight values is in, and the part of it below; ends are held."""
    cdef int j, half
    cdef int rest = count - 1
    cdef double p
    for j in range(8):
        found[j] = 0
    while rest > 1:
        half = rest // 2
        for j in range(8):
            found[j] += half if points[found[j] + half] <= values[j] else 0
        rest -= half
    for j in range(8):
        p = (values[j] - points[found[j]]) / (points[found[j] + 1] - points[found[j]])
        p = 0.0 if p < 0.0 else p
        part[j] = 1.0 if p > 1.0 else p


cdef inline void place_eight "kb_place_eight"(
    const double* wave, size_t stride, const void* table, double* eight, int* node
) noexcept nogil:
    """Phase, amplitude and direction of eight waves; of the nodes before them, eight frequencies and eight headings."""
    cdef const RaoTable* at = <const RaoTable*>table
    each_lane(8, rao_wave_lane, wave, stride, at, eight)
    if at.symmetric:
        each_lane(8, rao_fold_lane, NULL, 0, at, eight)
    else:
        each_lane(8, rao_turn_lane, NULL, 0, at, eight)
    find_eight(at.frequencies, at.count, eight + EIGHT_OMEGA, node, eight + EIGHT_DOWN)
    find_eight(at.turns, at.intervals + 1, eight + EIGHT_TURN, node + 8, eight + EIGHT_ACROSS)


cdef inline const double* nodes_around(
    const RaoTable* at, const double* eight, const int* node, int j, RaoNodes* nodes
) noexcept nogil:
    """The four nodes around wave j of eight, their weights, and what the wave has of them; gives the first one."""
    cdef int column = node[8 + j]
    cdef int beside = 1 if column + 1 < at.headings else -column
    cdef double down = eight[EIGHT_DOWN + j]
    cdef double across = eight[EIGHT_ACROSS + j]
    cdef double low = eight[EIGHT_LOW + j]
    cdef const double* n00 = at.nodes + <size_t>at.size * (<size_t>node[j] * at.headings + column)
    nodes.n01 = n00 + at.size * beside
    nodes.n10 = n00 + <size_t>at.size * at.headings
    nodes.n11 = nodes.n01 + <size_t>at.size * at.headings
    nodes.w00 = (1.0 - down) * (1.0 - across)
    nodes.w01 = (1.0 - down) * across
    nodes.w10 = down * (1.0 - across)
    nodes.w11 = down * across
    nodes.cosine = eight[EIGHT_COSINE + j] * low
    nodes.sine = eight[EIGHT_SINE + j] * low
    nodes.side = eight[EIGHT_SIDE + j]
    return n00
