"""Kernel of the inertial measurement unit: specific force and angular rate in body axes."""

from libc.math cimport sqrt

from cython_kernels.mathematics.frames cimport cross_product, ned_to_body, rotation_from_euler
from cython_kernels.sensors.instrument cimport (
    drift_setup, drift_start, drift_step, instrument_noise, instrument_start, ring_row, velocity_at,
)
from cython_kernels.view cimport View

cdef enum:
    # parameters
    IMU_SEED = 0                    # then the delay, n[0]
    IMU_ARM = 2
    IMU_GRAVITY = 3
    IMU_NOISE = 4                   # density; from here on of the accelerometers, then of the gyros
    IMU_BIAS = 6
    IMU_DRIFT = 8
    IMU_DRIFT_TIME = 10
    IMU_MATRIX = 12
    IMU_INITIAL = 14
    IMU_PERIOD = 15

    # discrete states, after the number of the sample
    IMU_DRIFTING = 1
    IMU_RING = 7

    # derived constants
    IMU_W_SIGMA = 0                 # of a sample
    IMU_W_DRIFT = 2                 # two numbers each


cdef inline void specific_force(const View* b, double* force) noexcept nogil:
    """f = dv/dt + dω/dt x r + ω x (v + ω x r) - R' g, of the point r."""
    cdef const double* eta = b.u[0]
    cdef const double* nu = b.u[1]
    cdef const double* rate = b.u[2]
    cdef const double* arm = b.p[IMU_ARM]
    cdef double r[9]
    cdef double down[3]
    cdef double velocity[3]
    cdef double turning[3]
    cdef int i
    rotation_from_euler(eta + 3, r)
    down[0] = 0.0
    down[1] = 0.0
    down[2] = b.p[IMU_GRAVITY][0]
    ned_to_body(r, down, force)
    velocity_at(nu, arm, velocity)
    cross_product(nu + 3, velocity, turning)
    for i in range(3):
        force[i] = rate[i] + turning[i] - force[i]
    cross_product(rate + 3, arm, turning)
    for i in range(3):
        force[i] += turning[i]


cdef inline void imu_triad(const View* b, int which, const double* truth, double* shown) noexcept nogil:
    """The errors of three accelerometers (which = 0) or gyros (1)."""
    cdef const double* matrix = b.p[IMU_MATRIX + which]
    cdef const double* drift = b.z + IMU_DRIFTING + 3 * which
    cdef int i
    for i in range(3):
        shown[i] = (
            matrix[3 * i] * truth[0] + matrix[3 * i + 1] * truth[1] + matrix[3 * i + 2] * truth[2]
            + b.p[IMU_BIAS + which][i] + drift[i]
            + instrument_noise(b, b.w[IMU_W_SIGMA + which], b.p[IMU_SEED][0], 3 * which + i)
        )


cdef inline void imu_force(const View* b, double* shown) noexcept nogil:
    cdef double truth[3]
    specific_force(b, truth)
    imu_triad(b, 0, truth, shown)


cdef inline void imu_setup(const View* b, double t) noexcept nogil:
    """w: white noise of a sample, and drift from one sample to the next."""
    cdef double period = b.p[IMU_PERIOD][0]
    cdef int k
    for k in range(2):
        b.w[IMU_W_SIGMA + k] = b.p[IMU_NOISE + k][0] / sqrt(period)
        drift_setup(b.w + IMU_W_DRIFT + 2 * k, b.p[IMU_DRIFT + k][0], period / b.p[IMU_DRIFT_TIME + k][0])


cdef inline void imu_start(const View* b, double t) noexcept nogil:
    cdef int k
    instrument_start(b, t, b.p[IMU_PERIOD][0], b.z + IMU_RING, b.p[IMU_INITIAL], 6)
    for k in range(2):
        drift_start(b.key, b.z[0], b.z + IMU_DRIFTING + 3 * k, 3, b.p[IMU_DRIFT + k][0], b.p[IMU_SEED][0], 3 * k)


cdef inline void imu_outputs(const View* b, double t) noexcept nogil:
    """y = specific force, angular rate; u = eta, nu, acceleration."""
    cdef const double* row
    cdef int i
    if b.n[0] == 0:
        if b.y[0] != NULL:
            imu_force(b, b.y[0])
        if b.y[1] != NULL:
            imu_triad(b, 1, b.u[1] + 3, b.y[1])
        return
    row = ring_row(b, b.z + IMU_RING, 6)
    for i in range(3):
        if b.y[0] != NULL:
            b.y[0][i] = row[i]
        if b.y[1] != NULL:
            b.y[1][i] = row[3 + i]


cdef inline void imu_update(const View* b, double t) noexcept nogil:
    cdef double* row
    cdef int k
    if b.n[0]:
        row = ring_row(b, b.z + IMU_RING, 6)
        imu_force(b, row)
        imu_triad(b, 1, b.u[1] + 3, row + 3)
    for k in range(2):
        drift_step(b.key, b.z[0], b.z + IMU_DRIFTING + 3 * k, 3, b.w + IMU_W_DRIFT + 2 * k, b.p[IMU_SEED][0], 3 * k)
    b.z[0] += 1.0
