"""Kernel of the inertial measurement unit: specific force and angular rate in body axes."""

from libc.math cimport sqrt

from cython_kernels.mathematics.frames cimport cross_product, ned_to_body, rotation_from_euler
from cython_kernels.sensors.instrument cimport (
    drift_setup, drift_start, drift_step, instrument_noise, instrument_start, ring_row, velocity_at,
)
from cython_kernels.views.sensors.imu cimport ImuView, imu_as_instrument
from cython_kernels.views.sensors.instrument cimport InstrumentView


cdef inline void specific_force(const ImuView* b, double* force) noexcept nogil:
    """f = dv/dt + dω/dt x r + ω x (v + ω x r) - R' g, of the point r."""
    cdef const double* eta = b.u.eta
    cdef const double* nu = b.u.nu
    cdef const double* rate = b.u.acceleration
    cdef const double* arm = b.p.lever_arm
    cdef double r[9]
    cdef double down[3]
    cdef double velocity[3]
    cdef double turning[3]
    cdef int i
    rotation_from_euler(eta + 3, r)
    down[0] = 0.0
    down[1] = 0.0
    down[2] = b.p.gravity[0]
    ned_to_body(r, down, force)
    velocity_at(nu, arm, velocity)
    cross_product(nu + 3, velocity, turning)
    for i in range(3):
        force[i] = rate[i] + turning[i] - force[i]
    cross_product(rate + 3, arm, turning)
    for i in range(3):
        force[i] += turning[i]


cdef inline void three_axes(
    const InstrumentView* b, const double* truth, const double* matrix, const double* bias, const double* drift,
    double sigma, int channel, double* shown,
) noexcept nogil:
    """The errors of three accelerometers or gyros; `channel`: of the random numbers of the first."""
    cdef int i
    for i in range(3):
        shown[i] = (
            matrix[3 * i] * truth[0] + matrix[3 * i + 1] * truth[1] + matrix[3 * i + 2] * truth[2]
            + bias[i] + drift[i] + instrument_noise(b, sigma, channel + i)
        )


cdef inline void show_force(const ImuView* b, double* shown) noexcept nogil:
    cdef InstrumentView instrument = imu_as_instrument(b)
    cdef double truth[3]
    specific_force(b, truth)
    three_axes(
        &instrument, truth, b.p.accelerometer_matrix, b.p.accelerometer_bias, b.z.drift, b.w.accelerometer_sigma[0], 0,
        shown,
    )


cdef inline void show_rate(const ImuView* b, double* shown) noexcept nogil:
    cdef InstrumentView instrument = imu_as_instrument(b)
    three_axes(
        &instrument, b.u.nu + 3, b.p.gyro_matrix, b.p.gyro_bias, b.z.drift + 3, b.w.gyro_sigma[0], 3, shown
    )


cdef inline void imu_setup(const ImuView* b, double t) noexcept nogil:
    """w: white noise of a sample, and drift from one sample to the next."""
    cdef double period = b.p.period[0]
    b.w.accelerometer_sigma[0] = b.p.accelerometer_noise_density[0] / sqrt(period)
    b.w.gyro_sigma[0] = b.p.gyro_noise_density[0] / sqrt(period)
    drift_setup(b.w.accelerometer_step, b.p.accelerometer_drift[0], period / b.p.accelerometer_drift_time[0])
    drift_setup(b.w.gyro_step, b.p.gyro_drift[0], period / b.p.gyro_drift_time[0])


cdef inline void imu_start(const ImuView* b, double t) noexcept nogil:
    cdef InstrumentView instrument = imu_as_instrument(b)
    instrument_start(&instrument, t, b.p.period[0], b.z.ring, b.p.initial, 6)
    drift_start(b.key, b.z.sample[0], b.z.drift, 3, b.p.accelerometer_drift[0], b.p.seed[0], 0)
    drift_start(b.key, b.z.sample[0], b.z.drift + 3, 3, b.p.gyro_drift[0], b.p.seed[0], 3)


cdef inline void imu_outputs(const ImuView* b, double t) noexcept nogil:
    cdef InstrumentView instrument = imu_as_instrument(b)
    cdef const double* row
    cdef int i
    if b.n.delay == 0:
        if b.y.specific_force != NULL:
            show_force(b, b.y.specific_force)
        if b.y.angular_rate != NULL:
            show_rate(b, b.y.angular_rate)
        return
    row = ring_row(&instrument, b.z.ring, 6)
    for i in range(3):
        if b.y.specific_force != NULL:
            b.y.specific_force[i] = row[i]
        if b.y.angular_rate != NULL:
            b.y.angular_rate[i] = row[3 + i]


cdef inline void imu_update(const ImuView* b, double t) noexcept nogil:
    cdef InstrumentView instrument = imu_as_instrument(b)
    cdef double* row
    if b.n.delay:
        row = ring_row(&instrument, b.z.ring, 6)
        show_force(b, row)
        show_rate(b, row + 3)
    drift_step(b.key, b.z.sample[0], b.z.drift, 3, b.w.accelerometer_step, b.p.seed[0], 0)
    drift_step(b.key, b.z.sample[0], b.z.drift + 3, 3, b.w.gyro_step, b.p.seed[0], 3)
    b.z.sample[0] += 1.0
