"""The hull of the MMG standard method: its constants and its forces.

Source: Yasukawa and Yoshimura (2015), Journal of Marine Science and Technology 20, 37-52. Primes are not formed: with
R = r L every term is a product of velocities, over U or U^2 where it is of third or fourth degree.
"""

from libc.math cimport fabs, sqrt

from cython_kernels.dynamics.shallow_water cimport DEEP_WATER, shallow_water_factors
from cython_kernels.mathematics.elementary.inverse_trigonometric cimport atan2
from cython_kernels.mathematics.limits cimport clamp, larger
from cython_kernels.views.dynamics.mmg_hull cimport MMG_HULL_DERIVATIVES_OF_DRIFT_ANGLE, MMGHullView

cdef enum:                          # faults
    MMG_AGROUND = 1
    MMG_NO_BREADTH = 2

cdef enum:                          # places in b.w.hull
    MMG_SURGE = 1                   # after R_0'
    MMG_SWAY = 5
    MMG_YAW = 11


cdef inline void mmg_hull_constants(const MMGHullView* b) noexcept nogil:
    """w: M, its inverse, the factors of shallow water and the derivatives with their dimension."""
    cdef double length = b.p.length[0]
    cdef double mass = b.p.density[0] * b.p.displacement[0]
    cdef double area = 0.5 * b.p.density[0] * length * b.p.draught[0]
    cdef double x_g = b.p.centre_of_gravity[0]
    cdef double radius = b.p.gyration[0] * length
    cdef double* m = b.w.mass_matrix
    cdef double* inverse = b.w.inverse_mass
    cdef double* factors = b.w.depth_factors
    cdef double determinant
    cdef int i
    if b.p.water_depth[0] <= b.p.draught[0]:
        b.fault[0] = MMG_AGROUND
    elif b.p.water_depth[0] < DEEP_WATER and b.p.breadth[0] <= 0.0:
        b.fault[0] = MMG_NO_BREADTH
    for i in range(9):
        m[i] = 0.0
        inverse[i] = 0.0
    m[0] = mass + area * length * b.p.added_mass[0]
    m[4] = mass + area * length * b.p.added_mass[1]
    m[5] = m[7] = mass * x_g
    m[8] = mass * (radius * radius + x_g * x_g) + area * length * length * length * b.p.added_mass[2]
    determinant = m[4] * m[8] - m[5] * m[7]
    inverse[0] = 1.0 / m[0]
    inverse[4] = m[8] / determinant
    inverse[5] = inverse[7] = -m[5] / determinant
    inverse[8] = m[4] / determinant
    shallow_water_factors(
        length, b.p.breadth[0], b.p.draught[0], b.p.displacement[0], b.p.water_depth[0], factors,
    )
    b.w.hull[0] = area * b.p.resistance[0]
    for i in range(4):
        b.w.hull[MMG_SURGE + i] = area * b.p.surge_derivatives[i] * factors[i]
    for i in range(6):
        b.w.hull[MMG_SWAY + i] = area * b.p.sway_derivatives[i] * factors[4 + i]
        b.w.hull[MMG_YAW + i] = area * length * b.p.yaw_derivatives[i] * factors[10 + i]
    b.w.turning[0] = area * length * b.p.added_mass[0]
    b.w.turning[1] = area * length * b.p.added_mass[1]
    if b.p.derivatives_of[0] == MMG_HULL_DERIVATIVES_OF_DRIFT_ANGLE:
        derivatives_for_sway(b)


cdef inline void derivatives_for_sway(const MMGHullView* b) noexcept nogil:
    """Those for the drift angle, with the signs that -beta U in place of v wants.

    X_br - m_y and Y_r - m_x: the depth changes X_br and Y_r alone.
    """
    cdef double area = 0.5 * b.p.density[0] * b.p.length[0] * b.p.draught[0]
    cdef int i
    b.w.hull[MMG_SURGE + 1] += area * b.p.added_mass[1] * (b.w.depth_factors[1] - 1.0)
    b.w.hull[MMG_SWAY + 1] += area * b.p.added_mass[0] * (b.w.depth_factors[5] - 1.0)
    b.w.hull[MMG_SURGE + 1] = -b.w.hull[MMG_SURGE + 1]
    for i in range(0, 5, 2):            # of beta, beta^3 and beta r^2
        b.w.hull[MMG_SWAY + i] = -b.w.hull[MMG_SWAY + i]
        b.w.hull[MMG_YAW + i] = -b.w.hull[MMG_YAW + i]
    b.w.turning[0] = b.w.turning[1] = 0.0


cdef inline void mmg_hull_damping(const MMGHullView* b, const double* nu_r, double* f_d) noexcept nogil:
    """f_d = -(X_H, Y_H, N_H) at (u, v, r) through the water."""
    cdef const double* hull = b.w.hull
    cdef double u = nu_r[0]
    cdef double v = nu_r[1]
    cdef double r = nu_r[2] * b.p.length[0]
    cdef double square = u * u + v * v
    cdef double speed = sqrt(square)
    cdef double floor_of = larger(speed, 0.5 * fabs(r))
    cdef double inverse = 1.0 / larger(floor_of, 1e-100)
    cdef double ahead = clamp(1.4142135623730951 * u / larger(speed, 1e-100), -1.0, 1.0)
    cdef double r2 = r * r
    cdef double r3 = r2 * r * inverse
    cdef double v2, v3, v2r, vr2
    cdef const double* x = hull + MMG_SURGE
    cdef const double* y = hull + MMG_SWAY
    cdef const double* n = hull + MMG_YAW
    if b.p.derivatives_of[0] == MMG_HULL_DERIVATIVES_OF_DRIFT_ANGLE:
        v = speed * atan2(v, fabs(u))
    v2 = v * v
    v3 = v2 * v * inverse
    v2r = v2 * r * inverse
    vr2 = v * r2 * inverse
    f_d[0] = ahead * (hull[0] * square - x[0] * v2 - x[2] * r2 - x[3] * v3 * v * inverse) - x[1] * v * r
    f_d[1] = -(y[0] * speed * v + y[2] * v3 + y[4] * vr2) - ahead * (y[1] * speed * r + y[3] * v2r + y[5] * r3)
    f_d[2] = -ahead * (n[0] * speed * v + n[2] * v3 + n[4] * vr2) - (n[1] * speed * r + n[3] * v2r + n[5] * r3)
