"""Kernel of wave loads from tables: force transfer functions, and slow drift by Newman's approximation.

A node of the table is a frequency and a heading, with NODE_SIZE numbers: the real parts of the six transfer functions
and two zeros, the imaginary parts and two zeros, the signed roots of the three drift coefficients and a zero. So the
loops over a node are of four and eight lanes. Waves of eight components at a time get their phase, and their place
between the nodes by a bisection that takes the same steps for all of them.
"""

from libc.math cimport fabs, floor, sqrt

from cython_kernels.frames cimport KB_PI
from cython_kernels.trigonometry cimport sine_cosine
from cython_kernels.view cimport View
from cython_kernels.waves cimport WAVES_AMPLITUDE, WAVES_EAST, WAVES_NORTH, WAVES_OMEGA, WAVES_PHASE, eight_waves
from cython_kernels.wide cimport sum_of_lanes, wide_choice, wide_sine_cosine
from cython_kernels.wide_angle cimport wide_angle

cdef enum:
    RAO_FREQUENCIES = 0
    RAO_HEADINGS = 1
    RAO_AMPLITUDE = 2
    RAO_PHASE = 3
    RAO_DRIFT = 4

    NODE_SIZE = 20
    NODE_IMAGINARY = 8
    NODE_DRIFT = 16

    RAO_HAS_DRIFT = 0           # derived constants: these two, headings from the first one and the end, then the nodes
    RAO_INTERVALS = 1
    RAO_TURNS = 2


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
    double t
    double x
    double y
    double cos_psi
    double sin_psi


cdef extern from *:
    """
    static inline void kb_find_eight(
        const double *points, int count, const double *values, int *found, double *part) KB_ALWAYS_INLINE;
    static void kb_rao_sums(const double *waves, int n, const void *table, double *sums) KB_WIDE;
    """


cdef inline bint half_turn(const double* headings, int count) noexcept nogil:
    """Whether headings go from 0 to pi, so that port and starboard are alike."""
    return fabs(headings[0]) < 1e-6 and fabs(headings[count - 1] - KB_PI) < 1e-6


cdef inline bint turned_by_symmetry(int dof) noexcept nogil:
    """Whether a load reverses when waves come from the other side: sway, roll and yaw."""
    return dof == 1 or dof == 3 or dof == 5


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


cdef inline void rao_sums "kb_rao_sums"(const double* waves, int n, const void* table, double* sums) noexcept nogil:
    """Sums over the components: six loads in 8 lanes; of drift, real and imaginary, signed and not, in 4 lanes each."""
    cdef RaoTable at = (<const RaoTable*>table)[0]
    cdef double rest[56]
    cdef double load[8]
    cdef double signed_cosine[4]
    cdef double signed_sine[4]
    cdef double cosine_sum[4]
    cdef double sine_sum[4]
    cdef double omega[8]
    cdef double turn[8]
    cdef double side[8]
    cdef double cosine[8]
    cdef double sine[8]
    cdef double low[8]
    cdef double east[8]
    cdef double keep[8]
    cdef double reverse[8]
    cdef int row[8]
    cdef int column[8]
    cdef double down[8]
    cdef double across[8]
    cdef double north, angle, amplitude, w00, w01, w10, w11, c, s, root, size
    cdef double last = at.frequencies[at.count - 1]
    cdef const double* lane
    cdef const double* n00
    cdef const double* n01
    cdef const double* n10
    cdef const double* n11
    cdef size_t stride
    cdef int d, i, j, beside
    for d in range(8):
        load[d] = 0.0
        reverse[d] = 1.0 if turned_by_symmetry(d) else 0.0
        keep[d] = 1.0 - reverse[d]
    for d in range(4):
        signed_cosine[d] = signed_sine[d] = cosine_sum[d] = sine_sum[d] = 0.0
    for i from 0 <= i < n by 8:
        lane = eight_waves(waves, n, i, rest)
        stride = 8 if lane == rest else n
        for j in range(8):
            omega[j] = lane[WAVES_OMEGA * stride + j]
            north = lane[WAVES_NORTH * stride + j]
            east[j] = lane[WAVES_EAST * stride + j]
            amplitude = lane[WAVES_AMPLITUDE * stride + j]
            wide_sine_cosine(
                (north * at.x + east[j] * at.y) - omega[j] * at.t + lane[WAVES_PHASE * stride + j], &sine[j], &cosine[j]
            )
            sine[j] *= amplitude
            cosine[j] *= amplitude
            low[j] = wide_choice(omega[j] > last, 0.0, 1.0)
            angle = wide_angle(east[j] * at.cos_psi - north * at.sin_psi, north * at.cos_psi + east[j] * at.sin_psi)
            side[j] = wide_choice(angle < 0.0, -1.0, 1.0)
            turn[j] = angle
        if at.symmetric:
            for j in range(8):
                turn[j] = fabs(turn[j])
        else:
            for j in range(8):
                side[j] = 1.0
                turn[j] -= at.first
                turn[j] -= 2.0 * KB_PI * floor(turn[j] / (2.0 * KB_PI))
        find_eight(at.frequencies, at.count, omega, row, down)
        find_eight(at.turns, at.intervals + 1, turn, column, across)
        for j in range(8):
            beside = column[j] + 1 if column[j] + 1 < at.headings else 0
            n00 = at.nodes + NODE_SIZE * (<size_t>row[j] * at.headings + column[j])
            n01 = at.nodes + NODE_SIZE * (<size_t>row[j] * at.headings + beside)
            n10 = n00 + NODE_SIZE * at.headings
            n11 = n01 + NODE_SIZE * at.headings
            w00 = (1.0 - down[j]) * (1.0 - across[j])
            w01 = (1.0 - down[j]) * across[j]
            w10 = down[j] * (1.0 - across[j])
            w11 = down[j] * across[j]
            c = cosine[j] * low[j]
            s = sine[j] * low[j]
            for d in range(8):
                load[d] += (keep[d] + reverse[d] * side[j]) * (
                    c * ((w00 * n00[d] + w01 * n01[d]) + (w10 * n10[d] + w11 * n11[d]))
                    - s * (
                        (w00 * n00[NODE_IMAGINARY + d] + w01 * n01[NODE_IMAGINARY + d])
                        + (w10 * n10[NODE_IMAGINARY + d] + w11 * n11[NODE_IMAGINARY + d])
                    )
                )
            if at.drift and not omega[j] < at.frequencies[0]:
                for d in range(4):
                    root = (w00 * n00[NODE_DRIFT + d] + w01 * n01[NODE_DRIFT + d]) + (
                        w10 * n10[NODE_DRIFT + d] + w11 * n11[NODE_DRIFT + d]
                    )
                    root *= 1.0 if d == 0 else side[j]
                    size = fabs(root)
                    signed_cosine[d] += cosine[j] * root
                    signed_sine[d] += sine[j] * root
                    cosine_sum[d] += cosine[j] * size
                    sine_sum[d] += sine[j] * size
    for d in range(8):
        sums[d] = load[d]
    for d in range(4):
        sums[8 + d] = signed_cosine[d]
        sums[12 + d] = signed_sine[d]
        sums[16 + d] = cosine_sum[d]
        sums[20 + d] = sine_sum[d]


cdef inline void wave_force_rao_setup(const View* b, double t) noexcept nogil:
    """w: see above. In a symmetric table sway, roll and yaw are zero for waves from astern and from ahead."""
    cdef const double* headings = b.p[RAO_HEADINGS]
    cdef int count = b.n[1]
    cdef int width = b.n[2]
    cdef bint symmetric = half_turn(headings, width)
    cdef double* turns = b.w + RAO_TURNS
    cdef double* node = turns + width + 1
    cdef double end = 2.0 * KB_PI
    cdef double sine, cosine, value
    cdef bint central, drift = False
    cdef int i, j, d, at
    for j in range(width):
        turns[j] = headings[j] - headings[0]
    turns[width] = end
    if symmetric or end - turns[width - 1] < 1e-6:      # the last heading closes the table itself
        b.w[RAO_INTERVALS] = width - 1
    else:
        b.w[RAO_INTERVALS] = width
    for i in range(count):
        for j in range(width):
            central = symmetric and (j == 0 or j == width - 1)
            for d in range(NODE_SIZE):
                node[d] = 0.0
            for d in range(6):
                if central and turned_by_symmetry(d):
                    continue
                at = (d * count + i) * width + j
                sine_cosine(b.p[RAO_PHASE][at], &sine, &cosine)
                node[d] = b.p[RAO_AMPLITUDE][at] * cosine
                node[NODE_IMAGINARY + d] = b.p[RAO_AMPLITUDE][at] * sine
            for d in range(3):
                value = b.p[RAO_DRIFT][(d * count + i) * width + j]
                if central and d > 0:
                    continue
                node[NODE_DRIFT + d] = sqrt(value) if value > 0.0 else -sqrt(-value)
                drift = drift or value != 0.0
            node += NODE_SIZE
    b.w[RAO_HAS_DRIFT] = 1.0 if drift else 0.0


cdef inline void wave_force_rao_outputs(const View* b, double t) noexcept nogil:
    """u: waves, eta; y: disturbance, drift; n: components, frequencies, headings."""
    cdef const double* eta = b.u[1]
    cdef double sums[24]
    cdef double slow[3]
    cdef RaoTable at
    cdef int d
    at.frequencies = b.p[RAO_FREQUENCIES]
    at.count = b.n[1]
    at.headings = b.n[2]
    at.turns = b.w + RAO_TURNS
    at.nodes = at.turns + at.headings + 1
    at.intervals = <int>b.w[RAO_INTERVALS]
    at.symmetric = half_turn(b.p[RAO_HEADINGS], at.headings)
    at.drift = b.w[RAO_HAS_DRIFT] != 0.0
    at.first = b.p[RAO_HEADINGS][0]
    at.t = t
    at.x = eta[0]
    at.y = eta[1]
    sine_cosine(eta[5], &at.sin_psi, &at.cos_psi)
    rao_sums(b.u[0], b.n[0], &at, sums)
    for d in range(3):
        slow[d] = sums[8 + d] * sums[16 + d] + sums[12 + d] * sums[20 + d]
    for d in range(6):
        b.y[0][d] = sums[d]
        b.y[1][d] = 0.0
    b.y[1][0] = slow[0]
    b.y[1][1] = slow[1]
    b.y[1][5] = slow[2]
    b.y[0][0] += slow[0]
    b.y[0][1] += slow[1]
    b.y[0][5] += slow[2]
