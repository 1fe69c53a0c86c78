"""Kernel of the navigation filter: position, heading, gyro bias and current, an extended Kalman filter."""

from cython_kernels.mathematics.frames cimport wrap_angle
from cython_kernels.mathematics.kalman cimport kalman_correct, kalman_predict
from cython_kernels.mathematics.trigonometry cimport sine_cosine
from cython_kernels.views.navigation.navigation_filter cimport NavigationFilterView

cdef enum:                      # what is estimated
    NAV_NORTH = 0
    NAV_EAST = 1
    NAV_HEADING = 2
    NAV_GYRO_BIAS = 3
    NAV_CURRENT_NORTH = 4
    NAV_CURRENT_EAST = 5
    NAV_N = 6


cdef inline void navigation_filter_start(const NavigationFilterView* b, double t) noexcept nogil:
    cdef double sigma
    cdef int i, j
    for i in range(NAV_N):
        sigma = b.p.initial_standard_deviation[i]
        b.z.estimate[i] = b.p.initial_estimate[i]
        for j in range(NAV_N):
            b.z.spread[NAV_N * i + j] = sigma * sigma if i == j else 0.0
    b.z.last_fix[0] = b.z.last_gyro[0] = b.z.begun[0] = 0.0


cdef inline bint has_new_fix(const NavigationFilterView* b) noexcept nogil:
    """Fixes that have no number are new each time; 0 is the number of a receiver that has had none yet."""
    cdef double fix = b.u.gnss_fix[0]
    return b.u.gnss_valid[0] >= 0.5 and (fix < 0.0 or fix > b.z.last_fix[0])


cdef inline double predicted_heading(const NavigationFilterView* b) noexcept nogil:
    """The yaw rate of the last period is the mean of its ends: the prediction only knew the first."""
    cdef double change = b.u.gyro[0] - b.z.last_gyro[0]
    return b.z.estimate[NAV_HEADING] + (0.5 * b.p.period[0] * change if b.z.begun[0] != 0.0 else 0.0)


cdef inline void navigation_correct(
    const NavigationFilterView* b, double heading, double* change, double* p
) noexcept nogil:
    """Take the heading into account, then the position, linearised about what the heading then is.

    `heading` is the predicted one.
    """
    cdef const double* arm = b.p.lever_arm
    cdef const double* position = b.u.position
    cdef double h[NAV_N]
    cdef double noise = b.p.compass_noise[0]
    cdef double s, c, turned
    cdef int i
    for i in range(NAV_N):
        h[i] = 0.0
    if b.u.compass_valid[0] >= 0.5:
        h[NAV_HEADING] = 1.0
        kalman_correct(
            NAV_N, change, p, h, wrap_angle(b.u.compass[0] - heading), noise * noise
        )
    if has_new_fix(b):
        noise = b.p.gnss_noise[0]
        turned = change[NAV_HEADING]
        sine_cosine(heading + turned, &s, &c)
        h[NAV_NORTH] = 1.0
        h[NAV_HEADING] = -s * arm[0] - c * arm[1]
        kalman_correct(
            NAV_N, change, p, h,
            position[0] - b.z.estimate[NAV_NORTH] - c * arm[0] + s * arm[1] + h[NAV_HEADING] * turned, noise * noise,
        )
        h[NAV_NORTH] = 0.0
        h[NAV_EAST] = 1.0
        h[NAV_HEADING] = c * arm[0] - s * arm[1]
        kalman_correct(
            NAV_N, change, p, h,
            position[1] - b.z.estimate[NAV_EAST] - s * arm[0] - c * arm[1] + h[NAV_HEADING] * turned, noise * noise,
        )


cdef inline void navigation_filter_outputs(const NavigationFilterView* b, double t) noexcept nogil:
    """The prediction, corrected by what is measured."""
    cdef double x[NAV_N]
    cdef double p[NAV_N * NAV_N]
    cdef const double* velocity = b.u.velocity
    cdef double heading = predicted_heading(b)
    cdef double s, c
    cdef int i
    for i in range(NAV_N):
        x[i] = 0.0
    for i in range(NAV_N * NAV_N):
        p[i] = b.z.spread[i]
    navigation_correct(b, heading, x, p)
    for i in range(NAV_N):
        x[i] += heading if i == NAV_HEADING else b.z.estimate[i]
    if b.y.eta != NULL:
        b.y.eta[0] = x[NAV_NORTH]
        b.y.eta[1] = x[NAV_EAST]
        b.y.eta[2] = b.u.depth[0]
        b.y.eta[3] = 0.0
        b.y.eta[4] = 0.0
        b.y.eta[5] = wrap_angle(x[NAV_HEADING])
    if b.y.nu != NULL:
        sine_cosine(x[NAV_HEADING], &s, &c)
        b.y.nu[0] = velocity[0] + c * x[NAV_CURRENT_NORTH] + s * x[NAV_CURRENT_EAST]
        b.y.nu[1] = velocity[1] - s * x[NAV_CURRENT_NORTH] + c * x[NAV_CURRENT_EAST]
        b.y.nu[2] = velocity[2]
        b.y.nu[3] = 0.0
        b.y.nu[4] = 0.0
        b.y.nu[5] = b.u.gyro[0] - x[NAV_GYRO_BIAS]
    if b.y.current != NULL:
        b.y.current[0] = x[NAV_CURRENT_NORTH]
        b.y.current[1] = x[NAV_CURRENT_EAST]
        b.y.current[2] = 0.0
    if b.y.gyro_bias != NULL:
        b.y.gyro_bias[0] = x[NAV_GYRO_BIAS]
    if b.y.covariance != NULL:
        for i in range(NAV_N * NAV_N):
            b.y.covariance[i] = p[i]


cdef inline void navigation_filter_update(const NavigationFilterView* b, double t) noexcept nogil:
    """The estimate in y, one period on. Displacements are along the heading in the middle of the period."""
    cdef const double* velocity = b.u.velocity
    cdef double period = b.p.period[0]
    cdef double turned = period * b.y.nu[5]
    cdef double f[NAV_N * NAV_N]
    cdef double q[NAV_N * NAV_N]
    cdef double s, c, north, east, noise
    cdef int i, j
    sine_cosine(b.y.eta[5] + 0.5 * turned, &s, &c)
    north = period * (c * velocity[0] - s * velocity[1])
    east = period * (s * velocity[0] + c * velocity[1])
    b.z.estimate[NAV_NORTH] = b.y.eta[0] + north + period * b.y.current[0]
    b.z.estimate[NAV_EAST] = b.y.eta[1] + east + period * b.y.current[1]
    b.z.estimate[NAV_HEADING] = wrap_angle(b.y.eta[5] + turned)
    b.z.estimate[NAV_GYRO_BIAS] = b.y.gyro_bias[0]
    b.z.estimate[NAV_CURRENT_NORTH] = b.y.current[0]
    b.z.estimate[NAV_CURRENT_EAST] = b.y.current[1]
    if b.u.gnss_fix[0] > b.z.last_fix[0]:
        b.z.last_fix[0] = b.u.gnss_fix[0]
    b.z.last_gyro[0] = b.u.gyro[0]
    b.z.begun[0] = 1.0

    for i in range(NAV_N * NAV_N):
        f[i] = 0.0
        q[i] = 0.0
    for i in range(NAV_N):
        f[7 * i] = 1.0
    f[NAV_NORTH * NAV_N + NAV_HEADING] = -east
    f[NAV_NORTH * NAV_N + NAV_GYRO_BIAS] = 0.5 * period * east
    f[NAV_NORTH * NAV_N + NAV_CURRENT_NORTH] = period
    f[NAV_EAST * NAV_N + NAV_HEADING] = north
    f[NAV_EAST * NAV_N + NAV_GYRO_BIAS] = -0.5 * period * north
    f[NAV_EAST * NAV_N + NAV_CURRENT_EAST] = period
    f[NAV_HEADING * NAV_N + NAV_GYRO_BIAS] = -period
    noise = period * b.p.log_noise[0]
    q[7 * NAV_NORTH] = noise * noise
    q[7 * NAV_EAST] = q[7 * NAV_NORTH]
    noise = b.p.gyro_noise_density[0] * b.p.gyro_noise_density[0] / period
    for i in range(3):                  # what the gyro says wrong does what its bias does
        for j in range(3):
            q[NAV_N * i + j] += noise * f[NAV_N * i + NAV_GYRO_BIAS] * f[NAV_N * j + NAV_GYRO_BIAS]
    noise = b.p.gyro_bias_walk[0]
    q[7 * NAV_GYRO_BIAS] = noise * noise * period
    noise = b.p.current_walk[0]
    q[7 * NAV_CURRENT_NORTH] = noise * noise * period
    q[7 * NAV_CURRENT_EAST] = q[7 * NAV_CURRENT_NORTH]
    kalman_predict(NAV_N, f, b.y.covariance, q, b.z.spread)
