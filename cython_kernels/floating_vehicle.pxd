"""Setup of a floating vehicle from its main dimensions; it then moves as the 6-DOF vessel with Euler angles.

The hull under water is taken for an upright elliptical cylinder of length L, breadth B and draught T. Source: DNVGL
(2017), RP-N103 Modelling and analysis of marine operations, tables A-1 and B-1.
"""

from cython_kernels.frames cimport KB_PI
from cython_kernels.matrix cimport columns_of
from cython_kernels.vessel_6dof_setup cimport (
    VESSEL_W_ADDED, VESSEL_W_CORIOLIS, VESSEL_W_CROSSED, VESSEL_W_LINEAR, VESSEL_W_MASS, VESSEL_W_QUADRATIC,
    VESSEL_W_RIGID_BODY, VESSEL_W_STIFF, VESSEL_W_STIFFNESS, VESSEL_WATER_PLANE, vessel_invert_mass,
)
from cython_kernels.view cimport View

cdef extern from *:
    """
    #define KB_FLAT_PLATE_DRAG 1.9   /* a plate across the flow */
    """
    const double KB_FLAT_PLATE_DRAG

cdef enum:                      # its parameters
    FLOATING_LENGTH = 0
    FLOATING_BREADTH = 1
    FLOATING_DRAUGHT = 2
    FLOATING_DISPLACEMENT = 3
    FLOATING_CENTRE_OF_GRAVITY = 4
    FLOATING_RADII_OF_GYRATION = 5
    FLOATING_ROTATIONAL_DRAG = 6
    FLOATING_LINEAR_DAMPING = 7
    FLOATING_HYDROSTATICS = 8   # 0: water plane only, 1: with the moment of weight and buoyancy
    FLOATING_CORIOLIS = 9
    FLOATING_WATER_DENSITY = 10
    FLOATING_GRAVITY = 11


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


cdef inline void floating_stiffness(const View* b, double* g) noexcept nogil:
    """G about the centre of gravity, from the water plane: an ellipse whose centre is (x_f, y_f) from there."""
    cdef double half_length = 0.5 * b.p[FLOATING_LENGTH][0]
    cdef double half_breadth = 0.5 * b.p[FLOATING_BREADTH][0]
    cdef const double* centre = b.p[FLOATING_CENTRE_OF_GRAVITY]
    cdef double specific_weight = b.p[FLOATING_WATER_DENSITY][0] * b.p[FLOATING_GRAVITY][0]
    cdef double heave = specific_weight * KB_PI * half_length * half_breadth
    cdef double x_f = half_length - centre[0]
    cdef double y_f = -centre[1]
    cdef double moment = 0.0
    if b.p[FLOATING_HYDROSTATICS][0] != 0.0:    # W (z_g - z_b), the centre of buoyancy at half the draught
        moment = (
            specific_weight * b.p[FLOATING_DISPLACEMENT][0] * (centre[2] - 0.5 * b.p[FLOATING_DRAUGHT][0])
        )
    g[14] = heave
    g[15] = g[20] = heave * y_f
    g[16] = g[26] = -heave * x_f
    g[21] = heave * (0.25 * half_breadth * half_breadth + y_f * y_f) + moment
    g[28] = heave * (0.25 * half_length * half_length + x_f * x_f) + moment
    g[22] = g[27] = -heave * x_f * y_f


cdef inline void floating_vehicle_setup(const View* b, double t) noexcept nogil:
    """All matrices, about the centre of gravity; those that this makes are symmetric, so rows and columns are alike."""
    cdef double length = b.p[FLOATING_LENGTH][0]
    cdef double breadth = b.p[FLOATING_BREADTH][0]
    cdef double draught = b.p[FLOATING_DRAUGHT][0]
    cdef const double* radii = b.p[FLOATING_RADII_OF_GYRATION]
    cdef double density = b.p[FLOATING_WATER_DENSITY][0]
    cdef double mass = density * b.p[FLOATING_DISPLACEMENT][0]
    cdef double quarter = 0.25 * KB_PI * density * draught
    cdef double half = 0.5 * density
    cdef double* rigid = b.w + VESSEL_W_RIGID_BODY
    cdef double* added = b.w + VESSEL_W_ADDED
    cdef double* drag = b.w + VESSEL_W_QUADRATIC
    cdef double* stiffness = b.w + VESSEL_W_STIFFNESS
    cdef int i
    for i in range(36):
        rigid[i] = 0.0
        added[i] = 0.0
        drag[i] = 0.0
        stiffness[i] = 0.0
    for i in range(3):
        rigid[7 * i] = mass
        rigid[7 * (3 + i)] = mass * radii[i] * radii[i]
        drag[7 * (3 + i)] = b.p[FLOATING_ROTATIONAL_DRAG][i]
    added[0] = quarter * breadth * breadth
    added[7] = quarter * length * length
    added[14] = quarter * length * breadth
    drag[0] = half * ellipse_drag_coefficient(length, breadth) * breadth * draught
    drag[7] = half * ellipse_drag_coefficient(breadth, length) * length * draught
    drag[14] = half * KB_FLAT_PLATE_DRAG * 0.25 * KB_PI * length * breadth
    floating_stiffness(b, stiffness)
    columns_of(b.p[FLOATING_LINEAR_DAMPING], 6, 6, b.w + VESSEL_W_LINEAR)
    for i in range(36):
        b.w[VESSEL_W_MASS + i] = rigid[i] + added[i]
    b.w[VESSEL_W_CORIOLIS] = b.p[FLOATING_CORIOLIS][0]
    b.w[VESSEL_W_STIFF] = VESSEL_WATER_PLANE
    b.w[VESSEL_W_CROSSED] = 0.0
    vessel_invert_mass(b)
