"""Kernel of wave loads from tables: force transfer functions, and slow drift by Newman's approximation.

A node of the table is a frequency and a heading, with NODE_SIZE numbers: the real parts of the six transfer functions
and two zeros, the imaginary parts and two zeros, the signed roots of the three drift coefficients and a zero. So the
loops over a node are of four and eight lanes. Waves of eight components at a time get their phase, and their place
between the nodes by a bisection that takes the same steps for all of them.
"""

from libc.math cimport fabs, floor, sqrt

from cython_kernels.environment.waves cimport WAVES_EAST, WAVES_NORTH, WAVES_OMEGA, eight_waves, wave_phase, wave_stride
from cython_kernels.mathematics.elementary.bits cimport choice
from cython_kernels.mathematics.frames cimport KB_PI
from cython_kernels.mathematics.trigonometry cimport sine_cosine
from cython_kernels.mathematics.wide cimport sum_of_lanes, wide_sine_cosine
from cython_kernels.mathematics.wide_angle cimport wide_angle
from cython_kernels.mathematics.wide_paths cimport each_lane, widest
from cython_kernels.views.environment.wave_force_rao cimport WaveForceRAOView

cdef enum:
    NODE_SIZE = 20
    NODE_IMAGINARY = 8
    NODE_DRIFT = 16

    EIGHT_OMEGA = 0             # of eight waves at a time
    EIGHT_TURN = 8              # heading, relative to the vessel's
    EIGHT_SIDE = 16             # -1: from the other side than the table has
    EIGHT_SINE = 24
    EIGHT_COSINE = 32
    EIGHT_LOW = 40              # 0: above the frequencies of the table
    EIGHT_HEIGHT = 48           # amplitude
    EIGHT_SIZE = 56


ctypedef struct RaoTable:
    const double* frequencies
    const double* turns         # headings from the first one on, and where the last interval ends
    const double* nodes
    int count                   # frequencies
    int intervals               # of headings
    int headings                # nodes of each frequency
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
    static inline void kb_rao_load_lane(KB_OF_A_LANE) KB_ALWAYS_INLINE;
    static inline void kb_rao_drift_lane(KB_OF_A_LANE) KB_ALWAYS_INLINE;
    static inline void kb_find_eight(
        const double *points, int count, const double *values, int *found, double *part) KB_ALWAYS_INLINE;
    static inline void kb_rao_sums(KB_OF_SUMS) KB_WIDE;
    KB_VERSIONS(kb_rao_sums)
    """


cdef inline bint half_turn(const double* headings, int count) noexcept nogil:
    """Whether headings go from 0 to pi, so that port and starboard are alike."""
    return fabs(headings[0]) < 1e-6 and fabs(headings[count - 1] - KB_PI) < 1e-6


cdef inline bint turned_by_symmetry(int dof) noexcept nogil:
    """Whether a load reverses when waves come from the other side: sway, roll and yaw."""
    return dof == 1 or dof == 3 or dof == 5


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


cdef inline void rao_load_lane "kb_rao_load_lane"(
    const double* n00, size_t stride, const void* nodes, double* load, int d
) noexcept nogil:
    """One degree of freedom of the load of one wave."""
    cdef const RaoNodes* at = <const RaoNodes*>nodes
    load[d] += (at.keep[d] + at.reverse[d] * at.side) * (
        at.cosine * ((at.w00 * n00[d] + at.w01 * at.n01[d]) + (at.w10 * at.n10[d] + at.w11 * at.n11[d]))
        - at.sine * (
            (at.w00 * n00[NODE_IMAGINARY + d] + at.w01 * at.n01[NODE_IMAGINARY + d])
            + (at.w10 * at.n10[NODE_IMAGINARY + d] + at.w11 * at.n11[NODE_IMAGINARY + d])
        )
    )


cdef inline void rao_drift_lane "kb_rao_drift_lane"(
    const double* n00, size_t stride, const void* nodes, double* drift, int d
) noexcept nogil:
    """One degree of freedom of the drift of one wave."""
    cdef const RaoNodes* at = <const RaoNodes*>nodes
    cdef double root = (at.w00 * n00[NODE_DRIFT + d] + at.w01 * at.n01[NODE_DRIFT + d]) + (
        at.w10 * at.n10[NODE_DRIFT + d] + at.w11 * at.n11[NODE_DRIFT + d]
    )
    cdef double size
    root *= 1.0 if d == 0 else at.side
    size = fabs(root)
    drift[d] += at.cosine * root
    drift[4 + d] += at.sine * root
    drift[8 + d] += at.cosine * size
    drift[12 + d] += at.sine * size


cdef inline void rao_sums "kb_rao_sums"(const double* waves, int n, const void* table, double* sums) noexcept nogil:
    """Sums over the components: six loads in 8 lanes; of drift, real and imaginary, signed and not, in 4 lanes each."""
    cdef RaoTable at = (<const RaoTable*>table)[0]
    cdef RaoNodes nodes
    cdef double rest[56]
    cdef double load[8]
    cdef double drift[16]
    cdef double keep[8]
    cdef double reverse[8]
    cdef double eight[EIGHT_SIZE]
    cdef int row[8]
    cdef int column[8]
    cdef double down[8]
    cdef double across[8]
    cdef double low
    cdef const double* wave
    cdef const double* n00
    cdef size_t above = <size_t>NODE_SIZE * at.headings
    cdef int d, i, j, beside
    for d in range(8):
        load[d] = 0.0
        reverse[d] = 1.0 if turned_by_symmetry(d) else 0.0
        keep[d] = 1.0 - reverse[d]
    for d in range(16):
        drift[d] = 0.0
    nodes.keep = keep
    nodes.reverse = reverse
    for i from 0 <= i < n by 8:
        wave = eight_waves(waves, n, i, rest, eight + EIGHT_HEIGHT)
        each_lane(8, rao_wave_lane, wave, wave_stride(n), &at, eight)
        if at.symmetric:
            each_lane(8, rao_fold_lane, NULL, 0, &at, eight)
        else:
            each_lane(8, rao_turn_lane, NULL, 0, &at, eight)
        find_eight(at.frequencies, at.count, eight + EIGHT_OMEGA, row, down)
        find_eight(at.turns, at.intervals + 1, eight + EIGHT_TURN, column, across)
        for j in range(8):
            beside = 1 if column[j] + 1 < at.headings else -column[j]
            n00 = at.nodes + NODE_SIZE * (<size_t>row[j] * at.headings + column[j])
            nodes.n01 = n00 + NODE_SIZE * beside
            nodes.n10 = n00 + above
            nodes.n11 = nodes.n01 + above
            nodes.w00 = (1.0 - down[j]) * (1.0 - across[j])
            nodes.w01 = (1.0 - down[j]) * across[j]
            nodes.w10 = down[j] * (1.0 - across[j])
            nodes.w11 = down[j] * across[j]
            low = eight[EIGHT_LOW + j]
            nodes.cosine = eight[EIGHT_COSINE + j] * low
            nodes.sine = eight[EIGHT_SINE + j] * low
            nodes.side = eight[EIGHT_SIDE + j]
            each_lane(8, rao_load_lane, n00, 0, &nodes, load)
            if at.drift and not eight[EIGHT_OMEGA + j] < at.frequencies[0]:
                nodes.cosine = eight[EIGHT_COSINE + j]
                nodes.sine = eight[EIGHT_SINE + j]
                each_lane(4, rao_drift_lane, n00, 0, &nodes, drift)
    for d in range(8):
        sums[d] = load[d]
    for d in range(16):
        sums[8 + d] = drift[d]


cdef inline void wave_force_rao_setup(const WaveForceRAOView* b, double t) noexcept nogil:
    """The table as the loops take it. In a symmetric one sway, roll and yaw are zero for waves from astern or ahead."""
    cdef const double* headings = b.p.headings
    cdef int count = b.n.m
    cdef int width = b.n.k
    cdef bint symmetric = half_turn(headings, width)
    cdef double* turns = b.w.turns
    cdef double* node = b.w.nodes
    cdef double end = 2.0 * KB_PI
    cdef double sine, cosine, value
    cdef bint central, drift = False
    cdef int i, j, d, at
    for j in range(width):
        turns[j] = headings[j] - headings[0]
    turns[width] = end
    if symmetric or end - turns[width - 1] < 1e-6:      # the last heading closes the table itself
        b.w.intervals[0] = width - 1
    else:
        b.w.intervals[0] = width
    for i in range(count):
        for j in range(width):
            central = symmetric and (j == 0 or j == width - 1)
            for d in range(NODE_SIZE):
                node[d] = 0.0
            for d in range(6):
                if central and turned_by_symmetry(d):
                    continue
                at = (d * count + i) * width + j
                sine_cosine(b.p.phase[at], &sine, &cosine)
                node[d] = b.p.amplitude[at] * cosine
                node[NODE_IMAGINARY + d] = b.p.amplitude[at] * sine
            for d in range(3):
                value = b.p.mean_drift[(d * count + i) * width + j]
                if central and d > 0:
                    continue
                node[NODE_DRIFT + d] = sqrt(value) if value > 0.0 else -sqrt(-value)
                drift = drift or value != 0.0
            node += NODE_SIZE
    b.w.with_drift[0] = 1.0 if drift else 0.0


cdef inline void wave_force_rao_outputs(const WaveForceRAOView* b, double t) noexcept nogil:
    """First-order load and slow drift."""
    cdef const double* eta = b.u.eta
    cdef double sums[24]
    cdef double slow[3]
    cdef RaoTable at
    cdef int d
    at.frequencies = b.p.frequencies
    at.count = b.n.m
    at.headings = b.n.k
    at.turns = b.w.turns
    at.nodes = b.w.nodes
    at.intervals = <int>b.w.intervals[0]
    at.symmetric = half_turn(b.p.headings, at.headings)
    at.drift = b.w.with_drift[0] != 0.0
    at.first = b.p.headings[0]
    at.last = at.frequencies[at.count - 1]
    at.t = t
    at.x = eta[0]
    at.y = eta[1]
    sine_cosine(eta[5], &at.sin_psi, &at.cos_psi)
    widest(rao_sums, b.u.waves, b.n.n, &at, sums)
    for d in range(3):
        slow[d] = sums[8 + d] * sums[16 + d] + sums[12 + d] * sums[20 + d]
    for d in range(6):
        b.y.disturbance[d] = sums[d]
        b.y.drift[d] = 0.0
    b.y.drift[0] = slow[0]
    b.y.drift[1] = slow[1]
    b.y.drift[5] = slow[2]
    b.y.disturbance[0] += slow[0]
    b.y.disturbance[1] += slow[1]
    b.y.disturbance[5] += slow[2]
