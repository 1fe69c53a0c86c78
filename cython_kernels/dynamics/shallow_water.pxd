"""By what the depth of the water multiplies the hydrodynamic derivatives of a ship.

Sources: Kijima and Nakiri (1990), Prediction method of ship manoeuvrability in deep and shallow waters, MARSIM & ICSM
90 (Y_v, Y_r, N_r, N_vvr, N_vrr); Ankudinov et al. (1990), ibid. (the others); both as collected
by Taimuri et al. (2020), Ocean Engineering 218, 108103.
"""

from cython_kernels.mathematics.elementary.power cimport pow

cdef extern from *:
    """
    #define KB_DEEP_WATER 1e9
    """
    const double DEEP_WATER "KB_DEEP_WATER"


cdef inline double kijima_power(double h, double n) noexcept nogil:
    """(1 - h)^-n - h."""
    return pow(1.0 - h, -n) - h


cdef inline double depth_cubic(double a, double b, double c, double h) noexcept nogil:
    """1 + a h + b h^2 + c h^3."""
    return 1.0 + h * (a + h * (b + h * c))


cdef inline void shallow_water_factors(
    double length, double breadth, double draught, double displacement, double depth, double* f
) noexcept nogil:
    """f: for X_vv, X_vr, X_rr, X_vvvv, Y_v, Y_r, Y_vvv, Y_vvr, Y_vrr, Y_rrr, N_v, ..., N_rrr; 1 from 1e9 m on."""
    cdef double h, under, block, fullness, width, breadths, k_0, k_1, k_2, g_nr, f_yr, f_nr, f_yv, f_nv
    cdef int i
    for i in range(16):
        f[i] = 1.0
    if depth <= draught or depth >= DEEP_WATER or breadth <= 0.0:
        return
    h = draught / depth
    under = depth / draught - 1.0
    block = displacement / (length * breadth * draught)
    breadths = breadth / draught
    fullness = block * breadths
    width = fullness * (1.0 + breadth / length) * (1.0 + breadth / length)
    k_0 = 1.0 + (0.0775 + (-0.011 + 0.000068 / (under * under)) / under) / (under * under)
    k_1 = (-0.0643 + (0.0724 + (-0.0113 + 0.0000767 / (under * under)) / under) / under) / under
    k_2 = 0.0342 / under if breadths <= 4.0 else 0.137 * breadths / under
    g_nr = k_0 + 8.0 / 15.0 * k_1 * width + 40.0 / 105.0 * k_2 * width * width
    f_yr = k_0 + 0.4 * k_1 * width + 24.0 / 105.0 * k_2 * width * width
    f_nr = k_0 + 0.5 * k_1 * width + k_2 * width * width / 3.0
    f_yv = 1.5 * f_nr - 0.5
    f_nv = k_0 + k_1 * width + k_2 * width * width
    f[0] = f[3] = f_yv
    f[1] = f_yr
    f[2] = f_nr
    f[4] = kijima_power(h, 0.4 * fullness)
    f[5] = depth_cubic(
        (-5.5 * fullness + 26.0) * fullness - 31.5, (37.0 * fullness - 185.0) * fullness + 230.0,
        (-38.0 * fullness + 197.0) * fullness - 250.0, h,
    )
    f[6] = f[7] = f[8] = f_yv
    f[9] = g_nr
    f[10] = f_nv
    f[11] = kijima_power(h, 1.5 - 14.28 * draught / length)
    f[12] = f_yv
    f[13] = depth_cubic(
        91.0 * block / breadths - 25.0, -515.0 * block / breadths + 144.0, 508.0 * block / breadths - 143.0, h,
    )
    f[14] = depth_cubic(40.0 * fullness - 88.0, -295.0 * fullness + 645.0, 312.0 * fullness - 678.0, h)
    f[15] = g_nr
