"""Places on the Earth: latitude, longitude and height, and positions in a plane that is tangent at an origin.

The Earth is an ellipsoid of revolution with the equatorial radius a and the eccentricity e; a sphere has e = 0. A point
of geodetic latitude phi and height h above the ellipsoid is, within the plane of its meridian, at

    p = (N + h) cos phi from the axis, z = (N (1 - e^2) + h) sin phi above the equator, N = a / sqrt(1 - e^2 sin^2 phi)

The tangent plane has axes north, east, down at its origin, whose values have the index 0 below. The usual way, through
Earth-centred coordinates, loses what 6.4e6 m round to, 1e-9 m at every step. Here the same equations are written for
differences from the origin, in which nothing large cancels: errors are those of the last digits of what comes out.

Source: NIMA (2000), TR8350.2, Department of Defense World Geodetic System 1984, 3rd ed., ch. 3 and 4.
"""

from libc.math cimport fabs, sqrt

from cython_kernels.mathematics.elementary.inverse_trigonometric cimport atan2
from cython_kernels.mathematics.frames cimport wrap_angle
from cython_kernels.mathematics.trigonometry cimport sine_cosine

cdef extern from *:
    """
    #define KB_WGS84_RADIUS 6378137.0
    #define KB_WGS84_SQUARED_ECCENTRICITY 6.69437999014131699614e-03   /* f (2 - f) with f = 1/298.257223563 */
    """
    const double KB_WGS84_RADIUS
    const double KB_WGS84_SQUARED_ECCENTRICITY


ctypedef struct TangentPlane:
    double a                # equatorial radius
    double e2               # squared eccentricity
    double latitude         # of the origin, and so on
    double longitude
    double height
    double sine             # of the latitude
    double cosine
    double root             # sqrt(1 - e^2 sin^2 phi)
    double normal           # N, radius of curvature across the meridian
    double axis             # p


ctypedef struct Parallel:
    double sine_delta       # sin(phi - phi_0), phi being its latitude
    double versine_delta    # 1 - cos(phi - phi_0)
    double sine             # sin phi
    double cosine
    double sine_step        # sin phi - sin phi_0
    double cosine_step      # cos phi - cos phi_0
    double root             # sqrt(1 - e^2 sin^2 phi)
    double normal           # N
    double normal_step      # N - N_0


cdef inline void tangent_plane(
    TangentPlane* o, double a, double e2, double latitude, double longitude, double height
) noexcept nogil:
    """The plane at an origin."""
    o.a = a
    o.e2 = e2
    o.latitude = latitude
    o.longitude = longitude
    o.height = height
    sine_cosine(latitude, &o.sine, &o.cosine)
    o.root = sqrt(1.0 - e2 * o.sine * o.sine)
    o.normal = a / o.root
    o.axis = (o.normal + height) * o.cosine


cdef inline void parallel_at(const TangentPlane* o, double delta, Parallel* at) noexcept nogil:
    """The parallel of the latitude phi_0 + delta. Its differences from the origin keep all their digits."""
    cdef double s, c
    sine_cosine(0.5 * delta, &s, &c)
    at.sine_delta = 2.0 * s * c
    at.versine_delta = 2.0 * s * s
    at.sine_step = o.cosine * at.sine_delta - o.sine * at.versine_delta
    at.cosine_step = -o.sine * at.sine_delta - o.cosine * at.versine_delta
    at.sine = o.sine + at.sine_step
    at.cosine = o.cosine + at.cosine_step
    at.root = sqrt(1.0 - o.e2 * at.sine * at.sine)
    at.normal = o.a / at.root
    at.normal_step = at.normal * o.e2 * at.sine_step * (at.sine + o.sine) / (o.root * (at.root + o.root))


cdef inline double height_at(const TangentPlane* o, const Parallel* at, double dp, double dz) noexcept nogil:
    """h = p cos phi + z sin phi - N (1 - e^2 sin^2 phi) of a point on the normal at phi, in differences."""
    return (
        o.height + dp * at.cosine + dz * at.sine - (o.normal + o.height) * at.versine_delta - at.normal_step
        + o.e2 * at.sine * (at.normal_step * at.sine + o.normal * at.sine_step)
    )


cdef inline double latitude_step(const TangentPlane* o, double dp, double dz) noexcept nogil:
    """delta = phi - phi_0 of the point at p_0 + dp, z_0 + dz, by Newton's method.

    The point is on the normal to the ellipsoid at phi:

        0 = f = p sin phi - z cos phi - e^2 N sin phi cos phi
              = (N_0 + h_0) sin delta - e^2 (N sin phi - N_0 sin phi_0) cos phi + dp sin phi - dz cos phi

    and there f' = M + h, M being the radius of curvature of the meridian. The start is exact on a sphere, so that one
    step is enough near the origin and three are anywhere; within the evolute, 43 km from the centre of the Earth, a
    point is on several normals.
    """
    cdef double e2 = o.e2
    cdef double north = dz * o.cosine - dp * o.sine
    cdef double up = dp * o.cosine + dz * o.sine
    cdef double delta = atan2(north, o.normal * (1.0 - e2) / (o.root * o.root) + o.height + up)
    cdef double f, slope, step
    cdef Parallel at
    cdef int _step
    for _step in range(8):
        parallel_at(o, delta, &at)
        f = (
            (o.normal + o.height) * at.sine_delta
            - e2 * (at.normal_step * at.sine + o.normal * at.sine_step) * at.cosine
            + dp * at.sine - dz * at.cosine
        )
        slope = at.normal * (1.0 - e2) / (at.root * at.root) + height_at(o, &at, dp, dz)
        step = f / slope
        delta -= step
        if not (fabs(step) > 1e-9):     # what is left is its square, at most
            break
    return delta


cdef inline void geodetic_from_local(const TangentPlane* o, const double* position, double* geodetic) noexcept nogil:
    """Latitude, longitude in [-pi, pi) and height of a position north, east, down of the origin."""
    cdef double up = -position[2]
    cdef double dx = up * o.cosine - position[0] * o.sine           # away from the axis, in the meridian of the origin
    cdef double dy = position[1]
    cdef double dz = up * o.sine + position[0] * o.cosine           # along the axis
    cdef double x = o.axis + dx
    cdef double p = sqrt(x * x + dy * dy)
    cdef double dp = p - o.axis                                     # across a pole, where p is small
    cdef double delta
    cdef Parallel at
    if x > 0.0:
        dp = dx + dy * (dy / (p + x))
    delta = latitude_step(o, dp, dz)
    parallel_at(o, delta, &at)
    geodetic[0] = o.latitude + delta
    geodetic[1] = wrap_angle(o.longitude + atan2(dy, x))
    geodetic[2] = height_at(o, &at, dp, dz)


cdef inline void local_from_geodetic(const TangentPlane* o, const double* geodetic, double* position) noexcept nogil:
    """Position north, east, down of the origin, of a latitude, longitude and height."""
    cdef double rise = geodetic[2] - o.height
    cdef double sine, cosine, s, c, p, dx, dz
    cdef Parallel at
    sine_cosine(geodetic[0], &sine, &cosine)
    sine_cosine(0.5 * wrap_angle(geodetic[1] - o.longitude), &s, &c)
    p = (o.a / sqrt(1.0 - o.e2 * sine * sine) + geodetic[2]) * cosine
    parallel_at(o, geodetic[0] - o.latitude, &at)
    dx = (at.normal_step + rise) * cosine + (o.normal + o.height) * at.cosine_step - 2.0 * p * s * s
    dz = (at.normal_step * (1.0 - o.e2) + rise) * sine + (o.normal * (1.0 - o.e2) + o.height) * at.sine_step
    position[0] = dz * o.cosine - dx * o.sine
    position[1] = 2.0 * p * s * c
    position[2] = -(dx * o.cosine + dz * o.sine)
