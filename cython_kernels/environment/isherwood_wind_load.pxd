"""Kernel of wind loads on merchant ships by eight of their dimensions, after Isherwood."""

from cython_kernels.environment.wind_by_angle cimport (
    WIND_NODE, Air, air_past, mirrored_slopes, put_coefficients, wind_coefficients,
)
from cython_kernels.mathematics.frames cimport KB_PI
from cython_kernels.views.environment.isherwood_wind_load cimport (
    IsherwoodWindLoadView, isherwood_wind_load_as_wind_load_by_angle,
)
from cython_kernels.views.environment.wind_by_angle cimport WindLoadByAngleView

cdef extern from *:
    """
    static inline double kb_isherwood(int row, int column) {
        static const double table[19][20] = {
            {2.152, -5.0, 0.243, -0.164, 0.0, 0.0, 0.0,
             0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0,
             0.0, 0.0, 0.0, 0.0, 0.0, 0.0},
            {1.714, -3.33, 0.145, -0.121, 0.0, 0.0, 0.0,
             0.096, 0.22, 0.0, 0.0, 0.0, 0.0, 0.0,
             0.0596, 0.061, 0.0, 0.0, 0.0, -0.074},
            {1.818, -3.97, 0.211, -0.143, 0.0, 0.0, 0.033,
             0.176, 0.71, 0.0, 0.0, 0.0, 0.0, 0.0,
             0.1106, 0.204, 0.0, 0.0, 0.0, -0.17},
            {1.965, -4.81, 0.243, -0.154, 0.0, 0.0, 0.041,
             0.225, 1.38, 0.0, 0.023, 0.0, -0.29, 0.0,
             0.2258, 0.245, 0.0, 0.0, 0.0, -0.38},
            {2.333, -5.99, 0.247, -0.19, 0.0, 0.0, 0.042,
             0.329, 1.82, 0.0, 0.043, 0.0, -0.59, 0.0,
             0.2017, 0.457, 0.0, 0.0067, 0.0, -0.472},
            {1.726, -6.54, 0.189, -0.173, 0.348, 0.0, 0.048,
             1.164, 1.26, 0.121, 0.0, -0.242, -0.95, 0.0,
             0.1759, 0.573, 0.0, 0.0118, 0.0, -0.523},
            {0.913, -4.68, 0.0, -0.104, 0.482, 0.0, 0.052,
             1.163, 0.96, 0.101, 0.0, -0.177, -0.88, 0.0,
             0.1925, 0.48, 0.0, 0.0115, 0.0, -0.546},
            {0.457, -2.88, 0.0, -0.068, 0.346, 0.0, 0.043,
             0.916, 0.53, 0.069, 0.0, 0.0, -0.65, 0.0,
             0.2133, 0.315, 0.0, 0.0081, 0.0, -0.526},
            {0.341, -0.91, 0.0, -0.031, 0.0, 0.0, 0.032,
             0.844, 0.55, 0.082, 0.0, 0.0, -0.54, 0.0,
             0.1827, 0.254, 0.0, 0.0053, 0.0, -0.443},
            {0.355, 0.0, 0.0, 0.0, -0.247, 0.0, 0.018,
             0.889, 0.0, 0.138, 0.0, 0.0, -0.66, 0.0,
             0.2627, 0.0, 0.0, 0.0, 0.0, -0.508},
            {0.601, 0.0, 0.0, 0.0, -0.372, 0.0, -0.02,
             0.799, 0.0, 0.155, 0.0, 0.0, -0.55, 0.0,
             0.2102, 0.0, -0.0195, 0.0, 0.0335, -0.492},
            {0.651, 1.29, 0.0, 0.0, -0.582, 0.0, -0.031,
             0.797, 0.0, 0.151, 0.0, 0.0, -0.55, 0.0,
             0.1567, 0.0, -0.0258, 0.0, 0.0497, -0.457},
            {0.564, 2.54, 0.0, 0.0, -0.748, 0.0, -0.024,
             0.996, 0.0, 0.184, 0.0, -0.212, -0.66, 0.34,
             0.0801, 0.0, -0.0311, 0.0, 0.074, -0.396},
            {-0.142, 3.58, 0.0, 0.047, -0.7, 0.0, -0.028,
             1.014, 0.0, 0.191, 0.0, -0.28, -0.69, 0.44,
             -0.0189, 0.0, -0.0488, 0.0101, 0.1128, -0.42},
            {-0.677, 3.64, 0.0, 0.069, -0.529, 0.0, -0.032,
             0.784, 0.0, 0.166, 0.0, -0.209, -0.53, 0.38,
             0.0256, 0.0, -0.0422, 0.01, 0.0889, -0.463},
            {-0.723, 3.14, 0.0, 0.064, -0.475, 0.0, -0.032,
             0.536, 0.0, 0.176, -0.029, -0.163, 0.0, 0.27,
             0.0552, 0.0, -0.0381, 0.0109, 0.0689, -0.476},
            {-2.148, 2.56, 0.0, 0.081, 0.0, 1.27, -0.027,
             0.251, 0.0, 0.106, -0.022, 0.0, 0.0, 0.0,
             0.0881, 0.0, -0.0306, 0.0091, 0.0366, -0.415},
            {-2.707, 3.97, -0.175, 0.126, 0.0, 1.81, 0.0,
             0.125, 0.0, 0.046, -0.012, 0.0, 0.0, 0.0,
             0.0851, 0.0, -0.0122, 0.0025, 0.0, -0.22},
            {-2.529, 3.76, -0.174, 0.128, 0.0, 1.55, 0.0,
             0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0,
             0.0, 0.0, 0.0, 0.0, 0.0, 0.0}};
        return table[row][column];
    }
    """
    double of_table "kb_isherwood"(int row, int column) noexcept nogil

cdef enum:
    ISHERWOOD_ANGLES = 19       # every 10 degrees: A_0 to A_6 of surge, B_0 to B_6 of sway, C_0 to C_5 of yaw


cdef inline void isherwood_wind_load_setup(const IsherwoodWindLoadView* b, double t) noexcept nogil:
    """Coefficients of this ship at each angle. The tables are for wind from port, with sway and yaw to starboard."""
    cdef double length = b.p.length[0]
    cdef double breadth = b.p.breadth[0]
    cdef double lateral = b.p.lateral_area[0]
    cdef double of_ship[6]
    cdef double surge, sway, yaw
    cdef double* node = b.w.nodes
    cdef int i, j
    of_ship[0] = 1.0
    of_ship[1] = 2.0 * lateral / (length * length)
    of_ship[2] = 2.0 * b.p.frontal_area[0] / (breadth * breadth)
    of_ship[3] = length / breadth
    of_ship[4] = b.p.perimeter[0] / length
    of_ship[5] = b.p.centroid_from_bow[0] / length
    for j in range(ISHERWOOD_ANGLES):
        b.w.turns[j] = j * (KB_PI / 18.0)
        surge = of_table(j, 6) * b.p.masts[0]
        sway = of_table(j, 13) * b.p.superstructure_area[0] / lateral
        yaw = 0.0
        for i in range(6):
            surge += of_table(j, i) * of_ship[i]
            sway += of_table(j, 7 + i) * of_ship[i]
            yaw += of_table(j, 14 + i) * of_ship[i]
        node[0] = -surge
        node[1] = -sway
        node[2] = -sway * b.p.centroid_height[0] * length / lateral
        node[3] = -yaw
        node += WIND_NODE
    mirrored_slopes(b.w.turns, ISHERWOOD_ANGLES, b.w.nodes)


cdef inline void isherwood_wind_load_outputs(const IsherwoodWindLoadView* b, double t) noexcept nogil:
    """Coefficients of this angle, times the pressure of this wind."""
    cdef WindLoadByAngleView ship = isherwood_wind_load_as_wind_load_by_angle(b)
    cdef Air air = air_past(&ship)
    cdef double found[4]
    wind_coefficients(b.w.turns, ISHERWOOD_ANGLES - 1, b.w.nodes, 0.0, True, &air, found)
    put_coefficients(&ship, &air, found)
