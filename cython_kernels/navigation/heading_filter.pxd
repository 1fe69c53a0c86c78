"""Kernels of the heading filter: heading, yaw rate and gyro bias from compass and gyro; gains that vary, or steady."""

from cython_kernels.mathematics.frames cimport wrap_angle
from cython_kernels.mathematics.kalman cimport kalman_correct, kalman_predict, steady_covariance
from cython_kernels.view cimport View

cdef enum:
    # inputs
    HEADING_COMPASS = 0
    HEADING_GYRO = 1
    HEADING_COMPASS_VALID = 2

    # parameters
    HEADING_COMPASS_NOISE = 0
    HEADING_GYRO_NOISE = 1
    HEADING_ACCELERATION = 2
    HEADING_BIAS_WALK = 3
    HEADING_DEVIATION = 5           # after the choice of gain: standard deviations at the start
    HEADING_PERIOD = 6
    HEADING_INITIAL = 8             # after the offset

    # discrete states
    HEADING_COVARIANCE = 3          # after the estimate

    # derived constants of the steady gain
    HEADING_W_GAIN = 0              # of the compass, then of the gyro
    HEADING_W_COVARIANCE = 6        # after the measurements


cdef inline void heading_process(const View* b, double* f, double* q) noexcept nogil:
    """psi' = r, r' = white noise, b' = white noise, over one period: transition and covariance."""
    cdef double period = b.p[HEADING_PERIOD][0]
    cdef double acceleration = b.p[HEADING_ACCELERATION][0] * b.p[HEADING_ACCELERATION][0]
    cdef double walk = b.p[HEADING_BIAS_WALK][0]
    cdef int i
    for i in range(9):
        f[i] = 1.0 if i % 4 == 0 else 0.0
        q[i] = 0.0
    f[1] = period
    q[0] = acceleration * period * period * period / 3.0
    q[1] = 0.5 * acceleration * period * period
    q[3] = q[1]
    q[4] = acceleration * period
    q[8] = walk * walk * period


cdef inline void heading_correct(
    const View* b, double* change, double* p, bint valid, double compass, double gyro
) noexcept nogil:
    """Take the measurements into account, given by their residuals."""
    cdef double h[3]
    cdef double noise = b.p[HEADING_COMPASS_NOISE][0]
    cdef double density = b.p[HEADING_GYRO_NOISE][0]
    h[0] = 1.0
    h[1] = 0.0
    h[2] = 0.0
    if valid:
        kalman_correct(3, change, p, h, compass, noise * noise)
    h[0] = 0.0
    h[1] = 1.0
    h[2] = 1.0
    kalman_correct(3, change, p, h, gyro, density * density / b.p[HEADING_PERIOD][0])


cdef inline void heading_show(const View* b, const double* change, const double* p) noexcept nogil:
    """y = heading, yaw rate, gyro bias, covariance."""
    cdef int i
    if b.y[0] != NULL:
        b.y[0][0] = wrap_angle(b.z[0] + change[0])
    if b.y[1] != NULL:
        b.y[1][0] = b.z[1] + change[1]
    if b.y[2] != NULL:
        b.y[2][0] = b.z[2] + change[2]
    if b.y[3] != NULL:
        for i in range(9):
            b.y[3][i] = p[i]


cdef inline void heading_predict(const View* b) noexcept nogil:
    """The estimate in y, one period on."""
    b.z[0] = wrap_angle(b.y[0][0] + b.p[HEADING_PERIOD][0] * b.y[1][0])
    b.z[1] = b.y[1][0]
    b.z[2] = b.y[2][0]


cdef inline void heading_residuals(const View* b, double* residuals) noexcept nogil:
    """What compass and gyro say beyond what is expected of them."""
    residuals[0] = wrap_angle(b.u[HEADING_COMPASS][0] - b.z[0])
    residuals[1] = b.u[HEADING_GYRO][0] - b.z[1] - b.z[2]


cdef inline bint heading_has_compass(const View* b) noexcept nogil:
    return b.u[HEADING_COMPASS_VALID][0] >= 0.5


cdef inline void heading_filter_start(const View* b, double t) noexcept nogil:
    cdef double sigma
    cdef int i, j
    for i in range(3):
        sigma = b.p[HEADING_DEVIATION][i]
        b.z[i] = b.p[HEADING_INITIAL][i]
        for j in range(3):
            b.z[HEADING_COVARIANCE + 3 * i + j] = sigma * sigma if i == j else 0.0


cdef inline void heading_filter_outputs(const View* b, double t) noexcept nogil:
    cdef double change[3]
    cdef double p[9]
    cdef double residuals[2]
    cdef int i
    for i in range(3):
        change[i] = 0.0
    for i in range(9):
        p[i] = b.z[HEADING_COVARIANCE + i]
    heading_residuals(b, residuals)
    heading_correct(b, change, p, heading_has_compass(b), residuals[0], residuals[1])
    heading_show(b, change, p)


cdef inline void heading_filter_update(const View* b, double t) noexcept nogil:
    cdef double f[9]
    cdef double q[9]
    heading_predict(b)
    heading_process(b, f, q)
    kalman_predict(3, f, b.y[3], q, b.z + HEADING_COVARIANCE)


cdef inline void heading_filter_steady_setup(const View* b, double t) noexcept nogil:
    """w: gain and covariance. A gain is what a residual of one changes."""
    cdef double f[9]
    cdef double information[9]
    cdef double p[9]
    cdef double compass = b.p[HEADING_COMPASS_NOISE][0]
    cdef double gyro = b.p[HEADING_GYRO_NOISE][0]
    cdef int i, k
    heading_process(b, f, p)
    for i in range(9):
        information[i] = 0.0
    information[0] = 1.0 / (compass * compass)
    information[4] = b.p[HEADING_PERIOD][0] / (gyro * gyro)
    information[5] = information[4]
    information[7] = information[4]
    information[8] = information[4]
    steady_covariance(3, f, information, p)
    for k in range(2):
        for i in range(9):
            b.w[HEADING_W_COVARIANCE + i] = p[i]
        for i in range(3):
            b.w[HEADING_W_GAIN + 3 * k + i] = 0.0
        heading_correct(b, b.w + HEADING_W_GAIN + 3 * k, b.w + HEADING_W_COVARIANCE, True, 1.0 - k, k)


cdef inline void heading_filter_steady_outputs(const View* b, double t) noexcept nogil:
    cdef double change[3]
    cdef double residuals[2]
    cdef int i
    heading_residuals(b, residuals)
    if not heading_has_compass(b):
        residuals[0] = 0.0
    for i in range(3):
        change[i] = b.w[HEADING_W_GAIN + i] * residuals[0] + b.w[HEADING_W_GAIN + 3 + i] * residuals[1]
    heading_show(b, change, b.w + HEADING_W_COVARIANCE)


cdef inline void heading_filter_steady_update(const View* b, double t) noexcept nogil:
    heading_predict(b)
