"""Setup of the 6-DOF vessel: its parameters, and the derived constants that its motion is computed from."""

from cython_kernels.mathematics.matrix cimport columns_of, invert_matrix
from cython_kernels.view cimport View

cdef enum:                      # parameters of the 6-DOF vessel
    VESSEL_RIGID_BODY_INERTIA = 0
    VESSEL_ADDED_MASS = 1
    VESSEL_LINEAR_DAMPING = 2
    VESSEL_QUADRATIC_DAMPING = 3
    VESSEL_WEIGHT = 4
    VESSEL_BUOYANCY = 5
    VESSEL_CENTRE_OF_GRAVITY = 6
    VESSEL_CENTRE_OF_BUOYANCY = 7
    VESSEL_CORIOLIS = 8
    VESSEL_ATTITUDE = 9
    VESSEL_STIFFNESS = 10
    VESSEL_EQUILIBRIUM = 11
    VESSEL_INTEGRATE_POSE = 12
    VESSEL_INITIAL_ETA = 13
    VESSEL_INITIAL_NU = 14

cdef enum:                      # derived constants; matrices column by column
    VESSEL_W_INVERSE = 0
    VESSEL_W_RIGID_BODY = 36
    VESSEL_W_ADDED = 72
    VESSEL_W_LINEAR = 108
    VESSEL_W_QUADRATIC = 144
    VESSEL_W_NET_WEIGHT = 180   # W - B
    VESSEL_W_ARM = 181          # W r_g - B r_b
    VESSEL_W_MASS = 184         # M, row by row, for those who ask for it
    VESSEL_W_CORIOLIS = 220     # 1: with Coriolis forces, 0: without
    VESSEL_W_STIFF = 221        # 1: with a stiffness, 0: without
    VESSEL_W_STIFFNESS = 222
    VESSEL_W_EQUILIBRIUM = 258
    VESSEL_W_CROSSED = 264      # 1: with six damping matrices, 0: without
    VESSEL_W_SIZE = 265
    VESSEL_W_MATRICES = 265     # the six matrices, only if there are any
    VESSEL_W_COMPLEX_SIZE = 481

cdef enum:                      # its faults
    VESSEL_SINGULAR_INERTIA = 1
    VESSEL_PITCH_SINGULAR = 2


cdef inline bint vessel_invert_mass(const View* b) noexcept nogil:
    """The inverse of M, which stands among the derived constants already. False, and a fault: M is singular."""
    cdef double inverted[36]
    if not invert_matrix(b.w + VESSEL_W_MASS, 6, inverted):
        b.fault[0] = VESSEL_SINGULAR_INERTIA
        return False
    columns_of(inverted, 6, 6, b.w + VESSEL_W_INVERSE)
    return True


cdef inline void vessel_6dof_setup(const View* b, double t) noexcept nogil:
    """M = M_RB + M_A and its inverse, and the matrices laid out for the loop."""
    cdef double weight = b.p[VESSEL_WEIGHT][0]
    cdef double buoyancy = b.p[VESSEL_BUOYANCY][0]
    cdef int i
    for i in range(36):
        b.w[VESSEL_W_MASS + i] = b.p[VESSEL_RIGID_BODY_INERTIA][i] + b.p[VESSEL_ADDED_MASS][i]
    if not vessel_invert_mass(b):
        return
    columns_of(b.p[VESSEL_RIGID_BODY_INERTIA], 6, 6, b.w + VESSEL_W_RIGID_BODY)
    columns_of(b.p[VESSEL_ADDED_MASS], 6, 6, b.w + VESSEL_W_ADDED)
    columns_of(b.p[VESSEL_LINEAR_DAMPING], 6, 6, b.w + VESSEL_W_LINEAR)
    columns_of(b.p[VESSEL_QUADRATIC_DAMPING], 6, 6, b.w + VESSEL_W_QUADRATIC)
    columns_of(b.p[VESSEL_STIFFNESS], 6, 6, b.w + VESSEL_W_STIFFNESS)
    b.w[VESSEL_W_NET_WEIGHT] = weight - buoyancy
    for i in range(3):
        b.w[VESSEL_W_ARM + i] = (
            weight * b.p[VESSEL_CENTRE_OF_GRAVITY][i] - buoyancy * b.p[VESSEL_CENTRE_OF_BUOYANCY][i]
        )
    for i in range(6):
        b.w[VESSEL_W_EQUILIBRIUM + i] = b.p[VESSEL_EQUILIBRIUM][i]
    b.w[VESSEL_W_CORIOLIS] = b.p[VESSEL_CORIOLIS][0]
    b.w[VESSEL_W_STIFF] = b.n[0]
    b.w[VESSEL_W_CROSSED] = 0.0
