"""The direction of many plane vectors at once: an arc tangent for loops over lanes, without a branch.

The octant is chosen by comparisons that become masks; within it atan q = pi/4 + atan((q - 1)/(q + 1)) where q is above
tan(pi/8). Polynomial: FDLIBM 5.3 (Sun Microsystems, 1993), s_atan.c, for |x| <= 7/16.
"""

from libc.math cimport fabs

from cython_kernels.mathematics.frames cimport KB_PI
from cython_kernels.mathematics.wide cimport wide_choice

cdef extern from *:
    """
    #define KB_TAN_PIO8 4.14213562373095048802e-01
    static inline double kb_wide_angle(double y, double x) KB_ALWAYS_INLINE;
    """
    const double KB_TAN_PIO8


cdef inline double wide_angle "kb_wide_angle"(double y, double x) noexcept nogil:
    """The angle of (x, y) from the x-axis towards the y-axis, within [-pi, pi], to 4e-16 rad; 0 for (0, 0)."""
    cdef double across = fabs(y)
    cdef double along = fabs(x)
    cdef double small = wide_choice(across < along, across, along)
    cdef double big = wide_choice(across < along, along, across)
    cdef double q = small / (big + 1e-300)
    cdef double base = wide_choice(q > KB_TAN_PIO8, 0.25 * KB_PI, 0.0)
    cdef double r = (q - 1.0) / (q + 1.0)
    cdef double z, angle
    r = wide_choice(q > KB_TAN_PIO8, r, q)
    z = r * r
    angle = base + (r - r * z * (
        3.33333333333329318027e-01 + z * (
            -1.99999999998764832476e-01 + z * (
                1.42857142725034663711e-01 + z * (
                    -1.11111104054623557880e-01 + z * (
                        9.09088713343650656196e-02 + z * (
                            -7.69187620504482999495e-02 + z * (
                                6.66107313738753120669e-02 + z * (
                                    -5.83357013379057348645e-02 + z * (
                                        4.97687799461593236017e-02 + z * (
                                            -3.65315727442169155270e-02 + z * 1.62858201153657823623e-02
                                        )
                                    )
                                )
                            )
                        )
                    )
                )
            )
        )
    ))
    angle = wide_choice(across > along, 0.5 * KB_PI - angle, angle)
    angle = wide_choice(x < 0.0, KB_PI - angle, angle)
    return wide_choice(y < 0.0, -angle, angle)
