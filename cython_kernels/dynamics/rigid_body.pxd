"""Forces on a moving body, as they stand on the left of M dnu/dt + f_c + f_d + f_h = tau.

nu = (u, v, w, p, q, r) in body axes about the body origin, v = (u, v, w), omega = (p, q, r). 6x6 matrices are stored
column by column. Source: Fossen (2021), Handbook of Marine Craft Hydrodynamics and Motion Control, ch. 3, 4, 6 and 8.
"""

from libc.math cimport fabs, sqrt

from cython_kernels.mathematics.elementary.exponential cimport exp
from cython_kernels.mathematics.frames cimport cross_product, ned_to_body
from cython_kernels.mathematics.matrix cimport columns6_times, columns_of, invert_matrix


cdef inline bint invert_mass(const double* mass, double* inverse) noexcept nogil:
    """M^-1, column by column, of a 6x6 mass matrix, row by row. False: M is singular."""
    cdef double rows[36]
    if not invert_matrix(mass, 6, rows):
        return False
    columns_of(rows, 6, 6, inverse)
    return True


cdef inline void add_momentum_turned(const double* momentum, const double* nu, double* force) noexcept nogil:
    """force += (omega x a, v x a + omega x b): linear and angular momentum (a, b) seen from axes that turn and move."""
    cdef double turned[3]
    cdef int i
    cross_product(nu + 3, momentum, turned)
    for i in range(3):
        force[i] += turned[i]
    cross_product(nu, momentum, turned)
    for i in range(3):
        force[3 + i] += turned[i]
    cross_product(nu + 3, momentum + 3, turned)
    for i in range(3):
        force[3 + i] += turned[i]


cdef inline void add_coriolis(const double* mass, const double* nu, double* force) noexcept nogil:
    """force += C(nu) nu with C from any 6x6 mass matrix (Theorem 3.2), nu' C(nu) nu = 0.

    C = [0, -S(a); -S(a), -S(b)] with the momentum (a, b) = M nu.
    """
    cdef double momentum[6]
    columns6_times(mass, nu, momentum)
    add_momentum_turned(momentum, nu, force)


cdef inline void damping_force(
    const double* linear, const double* quadratic, const double* nu_r, double* force
) noexcept nogil:
    """force = D_l nu_r + D_q (|nu_r| o nu_r), o element by element."""
    cdef double squared[6]
    cdef double second[6]
    cdef int i
    for i in range(6):
        squared[i] = fabs(nu_r[i]) * nu_r[i]
    columns6_times(linear, nu_r, force)
    columns6_times(quadratic, squared, second)
    for i in range(6):
        force[i] += second[i]


cdef inline void crossed_damping_force(
    const double* linear, const double* columns, int terms, const double* nu_r, double* force
) noexcept nogil:
    """force = (D_l E + sum over i of |nu_r_i| D_i) nu_r - sum over i <= j of h_ij nu_r_i nu_r_j.

    `columns` has the six D_i one after the other, -h_ij by 21 products, and the six kappa of E; `terms` has 2 in it
    where there are h, and 4 where kappa are not 0.
    """
    cdef double part[6]
    cdef double product
    cdef int i, j, k
    if terms & 4:
        product = sqrt(nu_r[0] * nu_r[0] + nu_r[1] * nu_r[1] + nu_r[2] * nu_r[2])
        for i in range(6):
            part[i] = nu_r[i] * exp(-columns[342 + i] * product)
        columns6_times(linear, part, force)
    else:
        columns6_times(linear, nu_r, force)
    for i in range(6):
        product = fabs(nu_r[i])
        columns6_times(columns + 36 * i, nu_r, part)
        for j in range(6):
            force[j] += product * part[j]
    if terms & 2:
        columns += 216
        for i in range(6):
            for j in range(i, 6):
                product = nu_r[i] * nu_r[j]
                for k in range(6):
                    force[k] += columns[k] * product
                columns += 6


cdef inline void restoring_force(
    const double* rotation, double net_weight, const double* moment_arm, double* force
) noexcept nogil:
    """force = -((W - B) k, (W r_g - B r_b) x k), k = R' (0, 0, 1) the direction of gravity in body axes (eq. 4.6).

    `net_weight` is W - B, `moment_arm` is W r_g - B r_b.
    """
    cdef double turned[3]
    cdef int i
    cross_product(moment_arm, rotation + 6, turned)
    for i in range(3):
        force[i] = -net_weight * rotation[6 + i]
        force[3 + i] = -turned[i]


cdef inline void relative_velocity(
    const double* rotation, const double* nu, const double* current, double* current_body, double* nu_r
) noexcept nogil:
    """nu_r = nu - (R' v_c, 0) for an irrotational current v_c in NED; R' v_c goes to `current_body`."""
    cdef int i
    ned_to_body(rotation, current, current_body)
    for i in range(3):
        nu_r[i] = nu[i] - current_body[i]
        nu_r[3 + i] = nu[3 + i]
