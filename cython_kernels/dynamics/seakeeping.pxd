"""Kernels of the vessel whose water remembers: those of the 6-DOF vessel, with oscillators for the waves it made."""

from cython_kernels.dynamics.rigid_body cimport add_momentum_turned, relative_velocity
from cython_kernels.dynamics.vessel_6dof cimport (
    vessel_coriolis, vessel_damping, vessel_needs_rotation, vessel_quaternion_start, vessel_restoring,
)
from cython_kernels.dynamics.vessel_6dof_setup cimport VESSEL_PITCH_SINGULAR, vessel_prepare
from cython_kernels.mathematics.frames cimport (
    body_to_ned, cross_product, euler_from_rotation, euler_rates, quaternion_rates, rotation_from_euler,
    rotation_from_quaternion,
)
from cython_kernels.mathematics.matrix cimport columns6_times, columns_of
from cython_kernels.views.dynamics.seakeeping cimport (
    SEAKEEPING_VESSEL_INITIAL_MEMORY_STEADY, SeakeepingVesselView, seakeeping_vessel_as_rigid_body_6dof,
)
from cython_kernels.views.dynamics.vessel_6dof cimport RigidBody6DOFView


cdef inline bint parts_waves(const SeakeepingVesselView* b) noexcept nogil:
    """True if motions in waves are known apart, and are left out of products of motions."""
    return b.n.waves_apart and b.p.slow_motion_time[0] > 0.0


cdef inline void seakeeping_coriolis(
    const SeakeepingVesselView* b, const double* x, const double* nu_r, const double* current_body, double* force
) noexcept nogil:
    """f_c, less what turning and moving with the waves' part d of nu_r makes of M d; `x` is (nu, y, dy/dt, d, s)."""
    cdef RigidBody6DOFView body = seakeeping_vessel_as_rigid_body_6dof(b)
    cdef const double* d = x + 6 + 2 * b.n.n
    cdef double momentum[6]
    cdef int i, j
    vessel_coriolis(&body, x, nu_r, current_body, force)
    if parts_waves(b) and b.w.with_coriolis[0] != 0.0:
        for i in range(6):
            momentum[i] = 0.0
            for j in range(6):
                momentum[i] -= b.w.mass_matrix[6 * i + j] * d[j]
        add_momentum_turned(momentum, d, force)


cdef inline void memory_force(
    const SeakeepingVesselView* b, const double* memory, const double* nu_r, double* force
) noexcept nogil:
    """f_m: mu = B' dy/dt, and what turning and moving axes make of the momentum B' y.

    `memory` is (y, dy/dt), and behind it (d, s) where waves are known apart: what d makes of M_ii s_i is left out then.
    """
    cdef const double* coupling = b.p.memory_coupling
    cdef const double* velocity = memory + b.n.n
    cdef double momentum[6]
    cdef int i, k
    for i in range(6):
        force[i] = 0.0
        momentum[i] = 0.0
    for k in range(b.n.n):
        for i in range(6):
            momentum[i] += coupling[6 * k + i] * memory[k]
            force[i] += coupling[6 * k + i] * velocity[k]
    if b.w.with_coriolis[0] != 0.0:
        add_momentum_turned(momentum, nu_r, force)
        if parts_waves(b):
            velocity += b.n.n
            for i in range(6):
                momentum[i] = -b.w.mass_matrix[7 * i] * velocity[6 + i]
            add_momentum_turned(momentum, velocity, force)


cdef inline void memory_moves(const SeakeepingVesselView* b, const double* memory, double* rates) noexcept nogil:
    """The rates of `memory` that it has alone: that of y, and of waves known apart ds/dt = (B' dy/dt)_i/M_ii - s/T."""
    cdef const double* coupling = b.p.memory_coupling
    cdef const double* velocity = memory + b.n.n
    cdef const double* s = velocity + b.n.n + 6
    cdef double* change = rates + 2 * b.n.n + 6
    cdef double rate
    cdef int i, k
    for k in range(b.n.n):
        rates[k] = velocity[k]
    if not b.n.waves_apart:
        return
    for i in range(6):
        rate = 0.0
        if parts_waves(b):
            for k in range(b.n.n):
                rate += coupling[6 * k + i] * velocity[k]
            rate = rate / b.w.mass_matrix[7 * i] - s[i] / b.p.slow_motion_time[0]
        change[i] = rate


cdef inline void memory_is_driven(
    const SeakeepingVesselView* b, const double* memory, const double* nu_r, double* rates
) noexcept nogil:
    """The second half, B nu_r - D dy/dt - Omega^2 y."""
    cdef const double* coupling = b.p.memory_coupling
    cdef const double* damping = b.w.memory_damping_columns
    cdef const double* frequency = b.p.memory_frequencies
    cdef const double* velocity = memory + b.n.n
    cdef double* accelerations = rates + b.n.n
    cdef int n = b.n.n
    cdef int j, k
    for k in range(n):
        accelerations[k] = (
            coupling[6 * k] * nu_r[0] + coupling[6 * k + 1] * nu_r[1] + coupling[6 * k + 2] * nu_r[2]
            + coupling[6 * k + 3] * nu_r[3] + coupling[6 * k + 4] * nu_r[4] + coupling[6 * k + 5] * nu_r[5]
            - frequency[k] * frequency[k] * memory[k]
        )
    for j in range(n):
        for k in range(n):
            accelerations[k] -= damping[n * j + k] * velocity[j]


cdef inline void waves_are_parted(
    const SeakeepingVesselView* b, const double* d, const double* nu, const double* current_body,
    const double* acceleration, double* rates,
) noexcept nogil:
    """dd/dt = dnu_r/dt - d/T: d is nu_r less its average over the time T.

    In the axes of the body a steady current turns with -omega.
    """
    cdef double turned[3]
    cdef int i
    if not parts_waves(b):      # the time was set to 0 in a run
        for i in range(6):
            rates[i] = 0.0
        return
    cross_product(nu + 3, current_body, turned)
    for i in range(6):
        rates[i] = acceleration[i] - d[i] / b.p.slow_motion_time[0]
    for i in range(3):
        rates[i] += turned[i]


cdef inline void seakeeping_solve(
    const RigidBody6DOFView* b, const double* f_c, const double* f_d, const double* f_h, const double* f_m,
    double* acceleration,
) noexcept nogil:
    """dnu/dt = (M_RB + A_inf)^-1 (tau + tau_d - f_c - f_d - f_h - f_m)."""
    cdef double total[6]
    cdef int i
    for i in range(6):
        total[i] = b.u.force[i] + b.u.disturbance[i] - f_c[i] - f_d[i] - f_h[i] - f_m[i]
    columns6_times(b.w.inverse_mass, total, acceleration)


cdef inline void seakeeping_motion(
    const SeakeepingVesselView* b, const double* rotation, const double* position, const double* angles,
    const double* x, double* dx,
) noexcept nogil:
    """dnu/dt, d2y/dt2 and dd/dt; `x` is (nu, y, dy/dt), and (d, s) where waves are known apart."""
    cdef RigidBody6DOFView body = seakeeping_vessel_as_rigid_body_6dof(b)
    cdef double current_body[3]
    cdef double nu_r[6]
    cdef double f_c[6]
    cdef double f_d[6]
    cdef double f_h[6]
    cdef double f_m[6]
    relative_velocity(rotation, x, body.u.current, current_body, nu_r)
    seakeeping_coriolis(b, x, nu_r, current_body, f_c)
    vessel_damping(&body, NULL, nu_r, f_d)
    vessel_restoring(&body, rotation, position, angles, f_h)
    memory_force(b, x + 6, nu_r, f_m)
    seakeeping_solve(&body, f_c, f_d, f_h, f_m, dx)
    memory_is_driven(b, x + 6, nu_r, dx + 6)
    if b.n.waves_apart:
        waves_are_parted(b, x + 6 + 2 * b.n.n, x, current_body, dx, dx + 6 + 2 * b.n.n)


cdef inline void seakeeping_force_outputs(
    const SeakeepingVesselView* b, const double* rotation, const double* position, const double* angles,
    const double* x,
) noexcept nogil:
    """nu_r, acceleration and the forces, those of them that are wanted; `x` as for the motion."""
    cdef RigidBody6DOFView body = seakeeping_vessel_as_rigid_body_6dof(b)
    cdef double current_body[3]
    cdef double own[30]         # for what is needed, but not wanted
    cdef double* nu_r = b.y.nu_r if b.y.nu_r != NULL else own
    cdef double* f_h = b.y.restoring_force if b.y.restoring_force != NULL else own + 6
    cdef double* f_d = b.y.damping_force if b.y.damping_force != NULL else own + 12
    cdef double* f_c = b.y.coriolis_force if b.y.coriolis_force != NULL else own + 18
    cdef double* f_m = b.y.memory_force if b.y.memory_force != NULL else own + 24
    cdef bint accelerates = b.y.acceleration != NULL      # only then does force have to be there already
    if accelerates or b.y.restoring_force != NULL:
        vessel_restoring(&body, rotation, position, angles, f_h)
    if not (
        accelerates or b.y.nu_r != NULL or b.y.damping_force != NULL or b.y.coriolis_force != NULL
        or b.y.memory_force != NULL
    ):
        return
    relative_velocity(rotation, x, body.u.current, current_body, nu_r)
    if accelerates or b.y.damping_force != NULL:
        vessel_damping(&body, NULL, nu_r, f_d)
    if accelerates or b.y.coriolis_force != NULL:
        seakeeping_coriolis(b, x, nu_r, current_body, f_c)
    if accelerates or b.y.memory_force != NULL:
        memory_force(b, x + 6, nu_r, f_m)
    if accelerates:
        seakeeping_solve(&body, f_c, f_d, f_h, f_m, b.y.acceleration)


cdef inline bint seakeeping_needs_rotation(const SeakeepingVesselView* b) noexcept nogil:
    """True if one of them is wanted in this call."""
    cdef RigidBody6DOFView body = seakeeping_vessel_as_rigid_body_6dof(b)
    return b.y.memory_force != NULL or vessel_needs_rotation(&body)


cdef inline void seakeeping_prepare(const SeakeepingVesselView* b) noexcept nogil:
    """What the 6-DOF vessel has, and A(0) = A_inf + B' Omega^-2 B."""
    cdef RigidBody6DOFView body = seakeeping_vessel_as_rigid_body_6dof(b)
    cdef const double* coupling = b.p.memory_coupling
    cdef double share
    cdef int i, j, k
    vessel_prepare(&body, False)
    columns_of(b.p.memory_damping, b.n.n, b.n.n, b.w.memory_damping_columns)
    for i in range(36):
        b.w.zero_frequency_added_mass[i] = b.p.added_mass[i]
    for k in range(b.n.n):
        for i in range(6):
            share = coupling[6 * k + i] / (b.p.memory_frequencies[k] * b.p.memory_frequencies[k])
            for j in range(6):
                b.w.zero_frequency_added_mass[6 * i + j] += share * coupling[6 * k + j]


cdef inline void memory_begins(const SeakeepingVesselView* b, double* memory) noexcept nogil:
    """y = Omega^-2 B (u, v, 0, 0, 0, r) of the initial velocity, or 0; dy/dt = 0; no waves yet."""
    cdef const double* coupling = b.p.memory_coupling
    cdef const double* nu = b.p.initial_nu
    cdef bint steady = b.p.initial_memory[0] == SEAKEEPING_VESSEL_INITIAL_MEMORY_STEADY
    cdef double driven
    cdef int k
    for k in range(b.n.n):
        driven = coupling[6 * k] * nu[0] + coupling[6 * k + 1] * nu[1] + coupling[6 * k + 5] * nu[5]
        memory[k] = driven / (b.p.memory_frequencies[k] * b.p.memory_frequencies[k]) if steady else 0.0
        memory[b.n.n + k] = 0.0
    if b.n.waves_apart:
        for k in range(12):
            memory[2 * b.n.n + k] = 0.0


# Attitude as Euler angles: x = eta, nu, y, dy/dt, and d, s where waves are known apart

cdef inline void seakeeping_vessel_euler_setup(const SeakeepingVesselView* b, double t) noexcept nogil:
    """Attitude as Euler angles."""
    seakeeping_prepare(b)


cdef inline void seakeeping_vessel_euler_start(const SeakeepingVesselView* b, double t) noexcept nogil:
    """eta, nu and the water."""
    cdef double* x = <double*>b.x
    cdef int i
    for i in range(6):
        x[i] = b.p.initial_eta[i]
        x[6 + i] = b.p.initial_nu[i]
    memory_begins(b, x + 12)


cdef inline void seakeeping_vessel_euler_outputs(const SeakeepingVesselView* b, double t) noexcept nogil:
    """nu_r, acceleration and the forces; eta and nu are states."""
    cdef double rotation[9]
    if seakeeping_needs_rotation(b):
        rotation_from_euler(b.x + 3, rotation)
        seakeeping_force_outputs(b, rotation, b.x, b.x + 3, b.x + 6)


cdef inline void seakeeping_vessel_euler_derivatives(const SeakeepingVesselView* b, double t) noexcept nogil:
    """deta/dt = (R v, T(Theta) omega), dnu/dt and the memory. Pitch at or beyond +-90 degrees is a fault."""
    cdef double rotation[9]
    cdef double cos_theta = rotation_from_euler(b.x + 3, rotation)
    memory_moves(b, b.x + 12, b.dx + 12)
    if cos_theta <= 1e-6:
        b.fault[0] = VESSEL_PITCH_SINGULAR
        return
    body_to_ned(rotation, b.x + 6, b.dx)
    euler_rates(rotation, cos_theta, b.x + 9, b.dx + 3)
    seakeeping_motion(b, rotation, b.x, b.x + 3, b.x + 6, b.dx + 6)


# Attitude as a quaternion: x = position, quaternion, nu, y, dy/dt, d, s

cdef inline void seakeeping_vessel_quaternion_setup(const SeakeepingVesselView* b, double t) noexcept nogil:
    """Attitude as a quaternion."""
    seakeeping_prepare(b)


cdef inline void seakeeping_vessel_quaternion_start(const SeakeepingVesselView* b, double t) noexcept nogil:
    """Position, quaternion, velocity and the water."""
    cdef double* x = <double*>b.x
    vessel_quaternion_start(x, b.p.initial_eta, b.p.initial_nu)
    memory_begins(b, x + 13)


cdef inline void seakeeping_vessel_quaternion_outputs(const SeakeepingVesselView* b, double t) noexcept nogil:
    """eta with the Euler angles of the quaternion, then as for Euler angles."""
    cdef double rotation[9]
    cdef int i
    if b.y.eta == NULL and not seakeeping_needs_rotation(b):
        return
    rotation_from_quaternion(b.x + 3, rotation)
    if b.y.eta != NULL:
        for i in range(3):
            b.y.eta[i] = b.x[i]
        euler_from_rotation(rotation, b.y.eta + 3)
    seakeeping_force_outputs(b, rotation, b.x, NULL, b.x + 7)


cdef inline void seakeeping_vessel_quaternion_derivatives(const SeakeepingVesselView* b, double t) noexcept nogil:
    """dp/dt = R v, dq/dt = T(q) omega, dnu/dt and the memory."""
    cdef double rotation[9]
    rotation_from_quaternion(b.x + 3, rotation)
    body_to_ned(rotation, b.x + 7, b.dx)
    quaternion_rates(b.x + 3, b.x + 10, b.dx + 3)
    memory_moves(b, b.x + 13, b.dx + 13)
    seakeeping_motion(b, rotation, b.x, NULL, b.x + 7, b.dx + 7)


# Pose as an input: x = nu, y, dy/dt, d, s

cdef inline void seakeeping_vessel_velocity_setup(const SeakeepingVesselView* b, double t) noexcept nogil:
    """Pose as an input."""
    seakeeping_prepare(b)


cdef inline void seakeeping_vessel_velocity_start(const SeakeepingVesselView* b, double t) noexcept nogil:
    """nu and the water."""
    cdef double* x = <double*>b.x
    cdef int i
    for i in range(6):
        x[i] = b.p.initial_nu[i]
    memory_begins(b, x + 6)


cdef inline void seakeeping_vessel_velocity_outputs(const SeakeepingVesselView* b, double t) noexcept nogil:
    """eta as it comes in, then as for Euler angles."""
    cdef const double* pose = b.u.pose
    cdef double rotation[9]
    cdef int i
    if b.y.eta != NULL:
        for i in range(6):
            b.y.eta[i] = pose[i]
    if seakeeping_needs_rotation(b):
        rotation_from_euler(pose + 3, rotation)
        seakeeping_force_outputs(b, rotation, pose, pose + 3, b.x)


cdef inline void seakeeping_vessel_velocity_derivatives(const SeakeepingVesselView* b, double t) noexcept nogil:
    """dnu/dt and the memory."""
    cdef const double* pose = b.u.pose
    cdef double rotation[9]
    rotation_from_euler(pose + 3, rotation)
    memory_moves(b, b.x + 6, b.dx + 6)
    seakeeping_motion(b, rotation, pose, pose + 3, b.x, b.dx)
