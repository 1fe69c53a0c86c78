"""Kernel of wave loads from tables: force transfer functions, and slow drift by Newman's approximation.

A node of the table has, behind its six transfer functions, the signed roots of the three drift coefficients and a zero:
four lanes.
"""

from libc.math cimport fabs, sqrt

from cython_kernels.environment.headings cimport half_turn, whole_turn
from cython_kernels.environment.rao cimport (
    EIGHT_COSINE, EIGHT_HEIGHT, EIGHT_OMEGA, EIGHT_SINE, EIGHT_SIZE, NODE_IMAGINARY, RaoNodes, RaoTable, nodes_around,
    place_eight, rao_node, turned_by_symmetry,
)
from cython_kernels.environment.waves cimport eight_waves, wave_stride
from cython_kernels.mathematics.trigonometry cimport sine_cosine
from cython_kernels.mathematics.wide_paths cimport each_lane, widest
from cython_kernels.views.environment.wave_force_rao cimport WaveForceRAOView

cdef enum:
    NODE_SIZE = 20
    NODE_DRIFT = 16


cdef extern from *:
    """
    static inline void kb_rao_load_lane(KB_OF_A_LANE) KB_ALWAYS_INLINE;
    static inline void kb_rao_drift_lane(KB_OF_A_LANE) KB_ALWAYS_INLINE;
    static inline void kb_rao_sums(KB_OF_SUMS) KB_WIDE;
    KB_VERSIONS(kb_rao_sums)
    """


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
    cdef int node[16]
    cdef const double* wave
    cdef const double* n00
    cdef int d, i, j
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
        place_eight(wave, wave_stride(n), &at, eight, node)
        for j in range(8):
            n00 = nodes_around(&at, eight, node, j, &nodes)
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
    cdef double* node = b.w.nodes
    cdef double value
    cdef bint central, drift = False
    cdef int i, j, d
    b.w.intervals[0] = whole_turn(headings, width, b.w.turns)
    for i in range(count):
        for j in range(width):
            central = symmetric and (j == 0 or j == width - 1)
            rao_node(b.p.amplitude, b.p.phase, i * width + j, count * width, central, node)
            for d in range(16, NODE_SIZE):
                node[d] = 0.0
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
    at.size = NODE_SIZE
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
