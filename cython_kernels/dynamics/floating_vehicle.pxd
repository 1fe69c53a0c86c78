"""Kernels of a floating vehicle from its main dimensions, with Euler angles.

It is a 6-DOF vessel whose inertia and quadratic damping are diagonal. Its matrices are there in full, for those who ask
for them; the loop takes the elements that are not 0. The hull under water is taken for an upright elliptical cylinder
of length L, breadth B and draught T. Source: DNVGL (2017), RP-N103 Modelling and analysis of marine operations, tables
A-1 and B-1.
"""

from libc.math cimport fabs

from cython_kernels.dynamics.rigid_body cimport add_momentum_turned, invert_mass, relative_velocity
from cython_kernels.dynamics.vessel_6dof_setup cimport VESSEL_PITCH_SINGULAR, VESSEL_SINGULAR_INERTIA
from cython_kernels.mathematics.frames cimport KB_PI, body_to_ned, cross_product, euler_rates, rotation_from_euler
from cython_kernels.mathematics.matrix cimport columns6_times, columns_of
from cython_kernels.views.dynamics.floating_vehicle cimport (
    FLOATING_VEHICLE_HYDROSTATICS_METACENTRIC, FloatingVehicleView,
)

cdef extern from *:
    """
    #define KB_FLAT_PLATE_DRAG 1.9   /* a plate across the flow */
    """
    const double KB_FLAT_PLATE_DRAG


cdef inline double ellipse_drag_coefficient(double along, double across) noexcept nogil:
    """C_D of an elliptical cylinder with these axes along and across the flow, linear between the tabulated ratios."""
    cdef double ratio = across / along
    if ratio <= 0.125:
        return 0.22
    if ratio <= 0.25:
        return 0.22 + (0.3 - 0.22) / 0.125 * (ratio - 0.125)
    if ratio <= 0.5:
        return 0.3 + (0.6 - 0.3) / 0.25 * (ratio - 0.25)
    if ratio <= 1.0:
        return 0.6 + (1.0 - 0.6) / 0.5 * (ratio - 0.5)
    if ratio <= 2.0:
        return 1.0 + (1.6 - 1.0) * (ratio - 1.0)
    return 1.6


cdef inline void floating_stiffness(const FloatingVehicleView* b, double* g) noexcept nogil:
    """G about the centre of gravity, from the water plane: an ellipse whose centre is (x_f, y_f) from there."""
    cdef double half_length = 0.5 * b.p.length[0]
    cdef double half_breadth = 0.5 * b.p.breadth[0]
    cdef const double* centre = b.p.centre_of_gravity
    cdef double specific_weight = b.p.water_density[0] * b.p.gravity[0]
    cdef double heave = specific_weight * KB_PI * half_length * half_breadth
    cdef double x_f = half_length - centre[0]
    cdef double y_f = -centre[1]
    cdef double moment = 0.0
    if b.p.hydrostatics[0] == FLOATING_VEHICLE_HYDROSTATICS_METACENTRIC:
        # W (z_g - z_b), the centre of buoyancy at half the draught
        moment = specific_weight * b.p.displacement[0] * (centre[2] - 0.5 * b.p.draught[0])
    g[14] = heave
    g[15] = g[20] = heave * y_f
    g[16] = g[26] = -heave * x_f
    g[21] = heave * (0.25 * half_breadth * half_breadth + y_f * y_f) + moment
    g[28] = heave * (0.25 * half_length * half_length + x_f * x_f) + moment
    g[22] = g[27] = -heave * x_f * y_f


cdef inline void floating_vehicle_setup(const FloatingVehicleView* b, double t) noexcept nogil:
    """All matrices, about the centre of gravity; those that this makes are symmetric, so rows and columns are alike."""
    cdef double length = b.p.length[0]
    cdef double breadth = b.p.breadth[0]
    cdef double draught = b.p.draught[0]
    cdef const double* radii = b.p.radii_of_gyration
    cdef double density = b.p.water_density[0]
    cdef double mass = density * b.p.displacement[0]
    cdef double quarter = 0.25 * KB_PI * density * draught
    cdef double half = 0.5 * density
    cdef double* rigid = b.w.rigid_body_inertia
    cdef double* added = b.w.added_mass
    cdef double* drag = b.w.quadratic_damping
    cdef int i
    for i in range(36):
        rigid[i] = 0.0
        added[i] = 0.0
        drag[i] = 0.0
        b.w.stiffness[i] = 0.0
    for i in range(3):
        rigid[7 * i] = mass
        rigid[7 * (3 + i)] = mass * radii[i] * radii[i]
        drag[7 * (3 + i)] = b.p.rotational_drag[i]
    added[0] = quarter * breadth * breadth
    added[7] = quarter * length * length
    added[14] = quarter * length * breadth
    drag[0] = half * ellipse_drag_coefficient(length, breadth) * breadth * draught
    drag[7] = half * ellipse_drag_coefficient(breadth, length) * length * draught
    drag[14] = half * KB_FLAT_PLATE_DRAG * 0.25 * KB_PI * length * breadth
    floating_stiffness(b, b.w.stiffness)
    columns_of(b.p.linear_damping, 6, 6, b.w.linear_columns)
    for i in range(36):
        b.w.mass_matrix[i] = rigid[i] + added[i]
    if not invert_mass(b.w.mass_matrix, b.w.inverse_mass):
        b.fault[0] = VESSEL_SINGULAR_INERTIA


cdef inline void floating_damping(const FloatingVehicleView* b, const double* nu_r, double* force) noexcept nogil:
    """f_d = D_l nu_r + D_q (|nu_r| o nu_r)."""
    cdef const double* drag = b.w.quadratic_damping
    cdef int i
    columns6_times(b.w.linear_columns, nu_r, force)
    for i in range(6):
        force[i] += drag[7 * i] * (fabs(nu_r[i]) * nu_r[i])


cdef inline void add_diagonal_coriolis(const double* mass, const double* nu, double* force) noexcept nogil:
    """As `add_coriolis` of rigid_body.pxd for a diagonal 6x6 matrix."""
    cdef double momentum[6]
    cdef int i
    for i in range(6):
        momentum[i] = mass[7 * i] * nu[i]
    add_momentum_turned(momentum, nu, force)


cdef inline void floating_coriolis(
    const FloatingVehicleView* b, const double* nu, const double* nu_r, const double* current_body, double* force
) noexcept nogil:
    """f_c = C_RB(nu) nu + C_A(nu_r) nu_r - M_A dnu_c/dt, see `vessel_coriolis` in vessel_6dof.pxd."""
    cdef const double* added = b.w.added_mass
    cdef double turned[3]
    cdef int i
    for i in range(6):
        force[i] = 0.0
    if b.p.coriolis[0] == 0.0:
        return
    cross_product(nu + 3, current_body, turned)
    for i in range(3):
        force[i] = added[7 * i] * turned[i]
    add_diagonal_coriolis(b.w.rigid_body_inertia, nu, force)
    add_diagonal_coriolis(added, nu_r, force)


cdef inline void floating_restoring(const FloatingVehicleView* b, double* force) noexcept nogil:
    """f_h = G (0, 0, z, phi, theta, 0): the water plane, with weight and buoyancy in it."""
    cdef const double* lifted = b.x.eta + 2
    cdef const double* stiffness = b.w.stiffness
    cdef int i
    force[0] = force[1] = force[5] = 0.0
    for i in range(2, 5):
        force[i] = stiffness[12 + i] * lifted[0] + stiffness[18 + i] * lifted[1] + stiffness[24 + i] * lifted[2]


cdef inline void floating_motion(
    const FloatingVehicleView* b, const double* rotation,
    double* nu_r, double* f_c, double* f_d, double* f_h, double* acceleration,
) noexcept nogil:
    """Relative velocity, forces, and dnu/dt = (M_RB + M_A)^-1 (tau + tau_d - f_c - f_d - f_h)."""
    cdef const double* nu = b.x.nu
    cdef double current_body[3]
    cdef int i
    relative_velocity(rotation, nu, b.u.current, current_body, nu_r)
    floating_coriolis(b, nu, nu_r, current_body, f_c)
    floating_damping(b, nu_r, f_d)
    floating_restoring(b, f_h)
    if acceleration != NULL:    # only then does force have to be there already
        for i in range(6):
            acceleration[i] = b.w.inverse_mass[7 * i] * (
                b.u.force[i] + b.u.disturbance[i] - f_c[i] - f_d[i] - f_h[i]
            )


cdef inline void floating_vehicle_outputs(const FloatingVehicleView* b, double t) noexcept nogil:
    """nu_r, acceleration, restoring_force, damping_force, coriolis_force; eta and nu are states."""
    cdef double rotation[9]
    cdef double own[24]         # for what is not wanted
    if b.y.nu_r == NULL and b.y.acceleration == NULL and b.y.damping_force == NULL and b.y.coriolis_force == NULL:
        if b.y.restoring_force != NULL:
            floating_restoring(b, b.y.restoring_force)
        return
    rotation_from_euler(b.x.eta + 3, rotation)
    floating_motion(
        b, rotation,
        b.y.nu_r if b.y.nu_r != NULL else own,
        b.y.coriolis_force if b.y.coriolis_force != NULL else own + 6,
        b.y.damping_force if b.y.damping_force != NULL else own + 12,
        b.y.restoring_force if b.y.restoring_force != NULL else own + 18,
        b.y.acceleration,
    )


cdef inline void floating_vehicle_derivatives(const FloatingVehicleView* b, double t) noexcept nogil:
    """deta/dt = (R v, T(Theta) omega) and dnu/dt. Pitch at or beyond +-90 degrees is a fault."""
    cdef const double* nu = b.x.nu
    cdef double rotation[9]
    cdef double own[24]
    cdef double cos_theta = rotation_from_euler(b.x.eta + 3, rotation)
    if cos_theta <= 1e-6:
        b.fault[0] = VESSEL_PITCH_SINGULAR
        return
    body_to_ned(rotation, nu, b.dx.eta)
    euler_rates(rotation, cos_theta, nu + 3, b.dx.eta + 3)
    floating_motion(b, rotation, own, own + 6, own + 12, own + 18, b.dx.nu)
