"""Kernels of the heading filter: heading, yaw rate and gyro bias from compass and gyro; gains that vary, or steady."""

from cython_kernels.mathematics.frames cimport wrap_angle
from cython_kernels.mathematics.kalman cimport kalman_correct, kalman_predict, steady_covariance
from cython_kernels.views.navigation.heading_filter cimport HeadingFilterView


cdef inline void heading_process(const HeadingFilterView* b, double* f, double* q) noexcept nogil:
    """psi' = r, r' = white noise, b' = white noise, over one period: transition and covariance."""
    cdef double period = b.p.period[0]
    cdef double acceleration = b.p.yaw_acceleration_density[0] * b.p.yaw_acceleration_density[0]
    cdef double walk = b.p.gyro_bias_walk[0]
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
    const HeadingFilterView* b, double* change, double* p, bint valid, double compass, double gyro
) noexcept nogil:
    """Take the measurements into account, given by their residuals."""
    cdef double h[3]
    cdef double noise = b.p.compass_noise[0]
    cdef double density = b.p.gyro_noise_density[0]
    h[0] = 1.0
    h[1] = 0.0
    h[2] = 0.0
    if valid:
        kalman_correct(3, change, p, h, compass, noise * noise)
    h[0] = 0.0
    h[1] = 1.0
    h[2] = 1.0
    kalman_correct(3, change, p, h, gyro, density * density / b.p.period[0])


cdef inline void heading_show(const HeadingFilterView* b, const double* change, const double* p) noexcept nogil:
    """y: the estimate with a change to it, and a covariance."""
    cdef int i
    if b.y.heading != NULL:
        b.y.heading[0] = wrap_angle(b.z.estimate[0] + change[0])
    if b.y.yaw_rate != NULL:
        b.y.yaw_rate[0] = b.z.estimate[1] + change[1]
    if b.y.gyro_bias != NULL:
        b.y.gyro_bias[0] = b.z.estimate[2] + change[2]
    if b.y.covariance != NULL:
        for i in range(9):
            b.y.covariance[i] = p[i]


cdef inline void heading_predict(const HeadingFilterView* b) noexcept nogil:
    """The estimate in y, one period on."""
    b.z.estimate[0] = wrap_angle(b.y.heading[0] + b.p.period[0] * b.y.yaw_rate[0])
    b.z.estimate[1] = b.y.yaw_rate[0]
    b.z.estimate[2] = b.y.gyro_bias[0]


cdef inline void heading_residuals(const HeadingFilterView* b, double* residuals) noexcept nogil:
    """What compass and gyro say beyond what is expected of them."""
    residuals[0] = wrap_angle(b.u.compass[0] - b.z.estimate[0])
    residuals[1] = b.u.gyro[0] - b.z.estimate[1] - b.z.estimate[2]


cdef inline bint heading_has_compass(const HeadingFilterView* b) noexcept nogil:
    return b.u.compass_valid[0] >= 0.5


cdef inline void heading_filter_start(const HeadingFilterView* b, double t) noexcept nogil:
    cdef double sigma
    cdef int i, j
    for i in range(3):
        sigma = b.p.initial_standard_deviation[i]
        b.z.estimate[i] = b.p.initial_estimate[i]
        for j in range(3):
            b.z.spread[3 * i + j] = sigma * sigma if i == j else 0.0


cdef inline void heading_filter_outputs(const HeadingFilterView* b, double t) noexcept nogil:
    cdef double change[3]
    cdef double p[9]
    cdef double residuals[2]
    cdef int i
    for i in range(3):
        change[i] = 0.0
    for i in range(9):
        p[i] = b.z.spread[i]
    heading_residuals(b, residuals)
    heading_correct(b, change, p, heading_has_compass(b), residuals[0], residuals[1])
    heading_show(b, change, p)


cdef inline void heading_filter_update(const HeadingFilterView* b, double t) noexcept nogil:
    cdef double f[9]
    cdef double q[9]
    heading_predict(b)
    heading_process(b, f, q)
    kalman_predict(3, f, b.y.covariance, q, b.z.spread)


cdef inline void heading_filter_steady_setup(const HeadingFilterView* b, double t) noexcept nogil:
    """w: gain and covariance. A gain is what a residual of one changes."""
    cdef double f[9]
    cdef double information[9]
    cdef double p[9]
    cdef double compass = b.p.compass_noise[0]
    cdef double gyro = b.p.gyro_noise_density[0]
    cdef int i
    heading_process(b, f, p)
    for i in range(9):
        information[i] = 0.0
    information[0] = 1.0 / (compass * compass)
    information[4] = b.p.period[0] / (gyro * gyro)
    information[5] = information[4]
    information[7] = information[4]
    information[8] = information[4]
    steady_covariance(3, f, information, p)
    for i in range(9):
        b.w.steady_spread[i] = p[i]
    for i in range(3):
        b.w.compass_gain[i] = 0.0
        b.w.gyro_gain[i] = 0.0
    heading_correct(b, b.w.compass_gain, p, True, 1.0, 0.0)
    heading_correct(b, b.w.gyro_gain, b.w.steady_spread, True, 0.0, 1.0)


cdef inline void heading_filter_steady_outputs(const HeadingFilterView* b, double t) noexcept nogil:
    cdef double change[3]
    cdef double residuals[2]
    cdef int i
    heading_residuals(b, residuals)
    if not heading_has_compass(b):
        residuals[0] = 0.0
    for i in range(3):
        change[i] = b.w.compass_gain[i] * residuals[0] + b.w.gyro_gain[i] * residuals[1]
    heading_show(b, change, b.w.steady_spread)


cdef inline void heading_filter_steady_update(const HeadingFilterView* b, double t) noexcept nogil:
    heading_predict(b)
