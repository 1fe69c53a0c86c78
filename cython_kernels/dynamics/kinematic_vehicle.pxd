"""Kernels of the kinematic vehicle: the velocity follows the wrench as a command.

T dnu_r/dt + nu_r = b o (tau + tau_d), o element by element, and the kinematics of six degrees of freedom. Source:
Fossen (2021), Handbook of Marine Craft Hydrodynamics and Motion Control, ch. 2.
"""

from cython_kernels.dynamics.rigid_body cimport relative_velocity
from cython_kernels.mathematics.frames cimport body_to_ned, cross_product, euler_rates, rotation_from_euler
from cython_kernels.views.dynamics.kinematic_vehicle cimport KinematicVehicleView

cdef enum:                      # faults
    KINEMATIC_PITCH_SINGULAR = 1


cdef inline void kinematic_acceleration(
    const KinematicVehicleView* b, const double* nu, const double* current_body, const double* nu_r,
    double* acceleration,
) noexcept nogil:
    """dnu/dt = (b o (tau + tau_d) - nu_r) / T + dnu_c/dt, dnu_c/dt = (-omega x v_c, 0) in body axes."""
    cdef double rate = 1.0 / b.p.response_time[0]
    cdef double turned[3]
    cdef int i
    cross_product(nu + 3, current_body, turned)
    for i in range(6):
        acceleration[i] = (b.p.mobility[i] * (b.u.force[i] + b.u.disturbance[i]) - nu_r[i]) * rate
    for i in range(3):
        acceleration[i] -= turned[i]


cdef inline void kinematic_vehicle_outputs(const KinematicVehicleView* b, double t) noexcept nogil:
    """nu_r, acceleration, damping_force; restoring_force and coriolis_force are 0; eta and nu are states."""
    cdef const double* eta = b.x.eta
    cdef const double* nu = b.x.nu
    cdef const double* mobility = b.p.mobility
    cdef double rotation[9]
    cdef double current_body[3]
    cdef double nu_r[6]
    cdef int i
    for i in range(6):
        if b.y.restoring_force != NULL:
            b.y.restoring_force[i] = 0.0
        if b.y.coriolis_force != NULL:
            b.y.coriolis_force[i] = 0.0
    if b.y.nu_r == NULL and b.y.acceleration == NULL and b.y.damping_force == NULL:
        return
    rotation_from_euler(eta + 3, rotation)
    relative_velocity(rotation, nu, b.u.current, current_body, nu_r)
    for i in range(6):
        if b.y.nu_r != NULL:
            b.y.nu_r[i] = nu_r[i]
        if b.y.damping_force != NULL:
            b.y.damping_force[i] = nu_r[i] / mobility[i] if mobility[i] > 0.0 else 0.0
    if b.y.acceleration != NULL:
        kinematic_acceleration(b, nu, current_body, nu_r, b.y.acceleration)


cdef inline void kinematic_vehicle_derivatives(const KinematicVehicleView* b, double t) noexcept nogil:
    """deta/dt = (R v, T(Theta) omega) and dnu/dt. Pitch at or beyond +-90 degrees is a fault."""
    cdef const double* eta = b.x.eta
    cdef const double* nu = b.x.nu
    cdef double rotation[9]
    cdef double current_body[3]
    cdef double nu_r[6]
    cdef double cos_theta = rotation_from_euler(eta + 3, rotation)
    relative_velocity(rotation, nu, b.u.current, current_body, nu_r)
    kinematic_acceleration(b, nu, current_body, nu_r, b.dx.nu)
    if cos_theta <= 1e-6:
        b.fault[0] = KINEMATIC_PITCH_SINGULAR
        return
    body_to_ned(rotation, nu, b.dx.eta)
    euler_rates(rotation, cos_theta, nu + 3, b.dx.eta + 3)
