"""Kernel of motions in waves from tables of motion transfer functions."""

from cython_kernels.environment.headings cimport half_turn, whole_turn
from cython_kernels.environment.rao cimport (
    EIGHT_HEIGHT, EIGHT_OMEGA, EIGHT_SIZE, NODE_IMAGINARY, RaoNodes, RaoTable, nodes_around, place_eight, rao_node,
    turned_by_symmetry,
)
from cython_kernels.environment.wave_motion cimport SlowMotion, put_motion, slow_motion
from cython_kernels.environment.waves cimport WAVES_EAST, WAVES_NORTH, WAVES_OMEGA, eight_waves, wave_stride
from cython_kernels.mathematics.elementary.bits cimport choice
from cython_kernels.mathematics.wide_paths cimport each_lane, widest
from cython_kernels.views.environment.motion_rao cimport MotionRAOView, motion_rao_as_wave_motion
from cython_kernels.views.environment.wave_motion cimport WaveMotionView

cdef enum:
    MOTION_NODE = 16

    EIGHT_RATE = EIGHT_SIZE     # of the phase: minus the frequency of encounter
    EIGHT_LONG = EIGHT_SIZE + 8     # how much smaller the slope is than at the first frequency
    EIGHT_ALL = EIGHT_SIZE + 16


ctypedef struct MotionTable:
    RaoTable table              # first, so that its lanes take this
    double north                # velocity of the vessel
    double east


ctypedef struct MotionNodes:
    RaoNodes nodes              # first, so that its lanes take this
    const double* rotation      # 1 for rotations
    double rate
    double shrink               # of rotations, less 1


cdef extern from *:
    """
    static inline void kb_motion_rate_lane(KB_OF_A_LANE) KB_ALWAYS_INLINE;
    static inline void kb_motion_lane(KB_OF_A_LANE) KB_ALWAYS_INLINE;
    static inline void kb_motion_sums(KB_OF_SUMS) KB_WIDE;
    KB_VERSIONS(kb_motion_sums)
    """


cdef inline void motion_rate_lane "kb_motion_rate_lane"(
    const double* wave, size_t stride, const void* table, double* eight, int j
) noexcept nogil:
    """Rate of the phase of one wave where the vessel goes, and how long the wave is beside those of the table."""
    cdef const MotionTable* at = <const MotionTable*>table
    cdef double part = eight[EIGHT_OMEGA + j] / at.table.frequencies[0]
    eight[EIGHT_RATE + j] = (wave[WAVES_NORTH * stride + j] * at.north + wave[WAVES_EAST * stride + j] * at.east) \
        - wave[WAVES_OMEGA * stride + j]
    eight[EIGHT_LONG + j] = choice(part < 1.0, part * part - 1.0, 0.0)


cdef inline void motion_lane "kb_motion_lane"(
    const double* n00, size_t stride, const void* nodes, double* sums, int d
) noexcept nogil:
    """One degree of freedom of the motion, velocity and acceleration in one wave."""
    cdef const MotionNodes* motion = <const MotionNodes*>nodes
    cdef const RaoNodes* at = &motion.nodes
    cdef double size = (at.keep[d] + at.reverse[d] * at.side) * (1.0 + motion.rotation[d] * motion.shrink)
    cdef double real = (at.w00 * n00[d] + at.w01 * at.n01[d]) + (at.w10 * at.n10[d] + at.w11 * at.n11[d])
    cdef double imaginary = (at.w00 * n00[NODE_IMAGINARY + d] + at.w01 * at.n01[NODE_IMAGINARY + d]) \
        + (at.w10 * at.n10[NODE_IMAGINARY + d] + at.w11 * at.n11[NODE_IMAGINARY + d])
    cdef double here = size * (at.cosine * real - at.sine * imaginary)
    cdef double beside = size * (at.sine * real + at.cosine * imaginary)
    sums[d] += here
    sums[8 + d] -= motion.rate * beside
    sums[16 + d] -= motion.rate * motion.rate * here


cdef inline void motion_sums "kb_motion_sums"(
    const double* waves, int n, const void* table, double* sums
) noexcept nogil:
    """Sums over the components: six motions in 8 lanes, their velocities, their accelerations."""
    cdef MotionTable at = (<const MotionTable*>table)[0]
    cdef MotionNodes nodes
    cdef double rest[56]
    cdef double motion[24]
    cdef double keep[8]
    cdef double reverse[8]
    cdef double rotation[8]
    cdef double eight[EIGHT_ALL]
    cdef int node[16]
    cdef const double* wave
    cdef const double* n00
    cdef int d, i, j
    for d in range(8):
        reverse[d] = 1.0 if turned_by_symmetry(d) else 0.0
        keep[d] = 1.0 - reverse[d]
        rotation[d] = 1.0 if d > 2 else 0.0
    for d in range(24):
        motion[d] = 0.0
    nodes.nodes.keep = keep
    nodes.nodes.reverse = reverse
    nodes.rotation = rotation
    for i from 0 <= i < n by 8:
        wave = eight_waves(waves, n, i, rest, eight + EIGHT_HEIGHT)
        place_eight(wave, wave_stride(n), &at, eight, node)
        each_lane(8, motion_rate_lane, wave, wave_stride(n), &at, eight)
        for j in range(8):
            n00 = nodes_around(&at.table, eight, node, j, &nodes.nodes)
            nodes.rate = eight[EIGHT_RATE + j]
            nodes.shrink = eight[EIGHT_LONG + j]
            each_lane(8, motion_lane, n00, 0, &nodes, motion)
    for d in range(24):
        sums[d] = motion[d]


cdef inline void motion_rao_setup(const MotionRAOView* b, double t) noexcept nogil:
    """The table as the loops take it. In a symmetric one sway, roll and yaw are zero for waves from astern or ahead."""
    cdef int count = b.n.m
    cdef int width = b.n.k
    cdef bint symmetric = half_turn(b.p.headings, width)
    cdef double* node = b.w.nodes
    cdef int i, j
    b.w.intervals[0] = whole_turn(b.p.headings, width, b.w.turns)
    for i in range(count):
        for j in range(width):
            rao_node(
                b.p.amplitude, b.p.phase, i * width + j, count * width, symmetric and (j == 0 or j == width - 1), node
            )
            node += MOTION_NODE


cdef inline void motion_rao_outputs(const MotionRAOView* b, double t) noexcept nogil:
    """Motions in the waves, and the sum with the slow motion."""
    cdef WaveMotionView motion = motion_rao_as_wave_motion(b)
    cdef SlowMotion slow = slow_motion(&motion)
    cdef MotionTable at
    cdef double sums[24]
    at.table.frequencies = b.p.frequencies
    at.table.count = b.n.m
    at.table.headings = b.n.k
    at.table.size = MOTION_NODE
    at.table.turns = b.w.turns
    at.table.nodes = b.w.nodes
    at.table.intervals = <int>b.w.intervals[0]
    at.table.symmetric = half_turn(b.p.headings, b.n.k)
    at.table.drift = False
    at.table.first = b.p.headings[0]
    at.table.last = b.p.frequencies[b.n.m - 1]
    at.table.t = t
    at.table.x = slow.x
    at.table.y = slow.y
    at.table.cos_psi = slow.cos_psi
    at.table.sin_psi = slow.sin_psi
    at.north = slow.north
    at.east = slow.east
    widest(motion_sums, b.u.waves, b.n.n, &at, sums)
    put_motion(&motion, &slow, sums, True)
