"""Kernel of the navigation filter: position, heading, gyro bias and current, an extended Kalman filter."""

from cython_kernels.mathematics.frames cimport wrap_angle
from cython_kernels.mathematics.kalman cimport kalman_correct, kalman_predict
from cython_kernels.mathematics.trigonometry cimport sine_cosine
from cython_kernels.view cimport View

cdef enum:
    # inputs
    NAV_POSITION = 0
    NAV_VALID = 1
    NAV_FIX = 2
    NAV_COMPASS = 3
    NAV_COMPASS_VALID = 4
    NAV_GYRO = 5
    NAV_VELOCITY = 6            # through the water, in body axes
    NAV_DEPTH = 7

    # parameters
    NAV_GNSS_NOISE = 0
    NAV_ARM = 1
    NAV_COMPASS_NOISE = 2
    NAV_GYRO_NOISE = 3
    NAV_BIAS_WALK = 4
    NAV_LOG_NOISE = 5
    NAV_CURRENT_WALK = 6
    NAV_DEVIATION = 7           # standard deviations at the start
    NAV_PERIOD = 8
    NAV_INITIAL = 10            # after the offset

    # states that are estimated, the first of the discrete states
    NAV_NORTH = 0
    NAV_EAST = 1
    NAV_HEADING = 2
    NAV_GYRO_BIAS = 3
    NAV_CURRENT_NORTH = 4
    NAV_CURRENT_EAST = 5
    NAV_N = 6

    # further discrete states
    NAV_COVARIANCE = 6
    NAV_LAST_FIX = 42
    NAV_LAST_GYRO = 43
    NAV_BEGUN = 44              # 1 once there is a last reading of the gyro


cdef inline void navigation_filter_start(const View* b, double t) noexcept nogil:
    cdef double sigma
    cdef int i, j
    for i in range(NAV_N):
        sigma = b.p[NAV_DEVIATION][i]
        b.z[i] = b.p[NAV_INITIAL][i]
        for j in range(NAV_N):
            b.z[NAV_COVARIANCE + NAV_N * i + j] = sigma * sigma if i == j else 0.0
    b.z[NAV_LAST_FIX] = b.z[NAV_LAST_GYRO] = b.z[NAV_BEGUN] = 0.0


cdef inline bint has_new_fix(const View* b) noexcept nogil:
    """Fixes that have no number are new each time; 0 is the number of a receiver that has had none yet."""
    cdef double fix = b.u[NAV_FIX][0]
    return b.u[NAV_VALID][0] >= 0.5 and (fix < 0.0 or fix > b.z[NAV_LAST_FIX])


cdef inline double predicted_heading(const View* b) noexcept nogil:
    """The yaw rate of the last period is the mean of its ends: the prediction only knew the first."""
    cdef double change = b.u[NAV_GYRO][0] - b.z[NAV_LAST_GYRO]
    return b.z[NAV_HEADING] + (0.5 * b.p[NAV_PERIOD][0] * change if b.z[NAV_BEGUN] != 0.0 else 0.0)


cdef inline void navigation_correct(const View* b, double heading, double* change, double* p) noexcept nogil:
    """Take the heading into account, then the position, linearised about what the heading then is.

    `heading` is the predicted one.
    """
    cdef const double* arm = b.p[NAV_ARM]
    cdef const double* position = b.u[NAV_POSITION]
    cdef double h[NAV_N]
    cdef double noise = b.p[NAV_COMPASS_NOISE][0]
    cdef double s, c, turned
    cdef int i
    for i in range(NAV_N):
        h[i] = 0.0
    if b.u[NAV_COMPASS_VALID][0] >= 0.5:
        h[NAV_HEADING] = 1.0
        kalman_correct(
            NAV_N, change, p, h, wrap_angle(b.u[NAV_COMPASS][0] - heading), noise * noise
        )
    if has_new_fix(b):
        noise = b.p[NAV_GNSS_NOISE][0]
        turned = change[NAV_HEADING]
        sine_cosine(heading + turned, &s, &c)
        h[NAV_NORTH] = 1.0
        h[NAV_HEADING] = -s * arm[0] - c * arm[1]
        kalman_correct(
            NAV_N, change, p, h,
            position[0] - b.z[NAV_NORTH] - c * arm[0] + s * arm[1] + h[NAV_HEADING] * turned, noise * noise,
        )
        h[NAV_NORTH] = 0.0
        h[NAV_EAST] = 1.0
        h[NAV_HEADING] = c * arm[0] - s * arm[1]
        kalman_correct(
            NAV_N, change, p, h,
            position[1] - b.z[NAV_EAST] - s * arm[0] - c * arm[1] + h[NAV_HEADING] * turned, noise * noise,
        )


cdef inline void navigation_filter_outputs(const View* b, double t) noexcept nogil:
    """y = eta, nu, current, gyro bias, covariance."""
    cdef double x[NAV_N]
    cdef double p[NAV_N * NAV_N]
    cdef const double* velocity = b.u[NAV_VELOCITY]
    cdef double heading = predicted_heading(b)
    cdef double s, c
    cdef int i
    for i in range(NAV_N):
        x[i] = 0.0
    for i in range(NAV_N * NAV_N):
        p[i] = b.z[NAV_COVARIANCE + i]
    navigation_correct(b, heading, x, p)
    for i in range(NAV_N):
        x[i] += heading if i == NAV_HEADING else b.z[i]
    if b.y[0] != NULL:
        b.y[0][0] = x[NAV_NORTH]
        b.y[0][1] = x[NAV_EAST]
        b.y[0][2] = b.u[NAV_DEPTH][0]
        b.y[0][3] = 0.0
        b.y[0][4] = 0.0
        b.y[0][5] = wrap_angle(x[NAV_HEADING])
    if b.y[1] != NULL:
        sine_cosine(x[NAV_HEADING], &s, &c)
        b.y[1][0] = velocity[0] + c * x[NAV_CURRENT_NORTH] + s * x[NAV_CURRENT_EAST]
        b.y[1][1] = velocity[1] - s * x[NAV_CURRENT_NORTH] + c * x[NAV_CURRENT_EAST]
        b.y[1][2] = velocity[2]
        b.y[1][3] = 0.0
        b.y[1][4] = 0.0
        b.y[1][5] = b.u[NAV_GYRO][0] - x[NAV_GYRO_BIAS]
    if b.y[2] != NULL:
        b.y[2][0] = x[NAV_CURRENT_NORTH]
        b.y[2][1] = x[NAV_CURRENT_EAST]
        b.y[2][2] = 0.0
    if b.y[3] != NULL:
        b.y[3][0] = x[NAV_GYRO_BIAS]
    if b.y[4] != NULL:
        for i in range(NAV_N * NAV_N):
            b.y[4][i] = p[i]


cdef inline void navigation_filter_update(const View* b, double t) noexcept nogil:
    """The estimate in y, one period on. Displacements are along the heading in the middle of the period."""
    cdef const double* velocity = b.u[NAV_VELOCITY]
    cdef double period = b.p[NAV_PERIOD][0]
    cdef double turned = period * b.y[1][5]
    cdef double f[NAV_N * NAV_N]
    cdef double q[NAV_N * NAV_N]
    cdef double s, c, north, east, noise
    cdef int i, j
    sine_cosine(b.y[0][5] + 0.5 * turned, &s, &c)
    north = period * (c * velocity[0] - s * velocity[1])
    east = period * (s * velocity[0] + c * velocity[1])
    b.z[NAV_NORTH] = b.y[0][0] + north + period * b.y[2][0]
    b.z[NAV_EAST] = b.y[0][1] + east + period * b.y[2][1]
    b.z[NAV_HEADING] = wrap_angle(b.y[0][5] + turned)
    b.z[NAV_GYRO_BIAS] = b.y[3][0]
    b.z[NAV_CURRENT_NORTH] = b.y[2][0]
    b.z[NAV_CURRENT_EAST] = b.y[2][1]
    if b.u[NAV_FIX][0] > b.z[NAV_LAST_FIX]:
        b.z[NAV_LAST_FIX] = b.u[NAV_FIX][0]
    b.z[NAV_LAST_GYRO] = b.u[NAV_GYRO][0]
    b.z[NAV_BEGUN] = 1.0

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
    noise = period * b.p[NAV_LOG_NOISE][0]
    q[7 * NAV_NORTH] = noise * noise
    q[7 * NAV_EAST] = q[7 * NAV_NORTH]
    noise = b.p[NAV_GYRO_NOISE][0] * b.p[NAV_GYRO_NOISE][0] / period
    for i in range(3):                  # what the gyro says wrong does what its bias does
        for j in range(3):
            q[NAV_N * i + j] += noise * f[NAV_N * i + NAV_GYRO_BIAS] * f[NAV_N * j + NAV_GYRO_BIAS]
    noise = b.p[NAV_BIAS_WALK][0]
    q[7 * NAV_GYRO_BIAS] = noise * noise * period
    noise = b.p[NAV_CURRENT_WALK][0]
    q[7 * NAV_CURRENT_NORTH] = noise * noise * period
    q[7 * NAV_CURRENT_EAST] = q[7 * NAV_CURRENT_NORTH]
    kalman_predict(NAV_N, f, b.y[4], q, b.z + NAV_COVARIANCE)
