"""Forces and moments as polynomials: sums of coefficients times products of velocities and angles.

A row of a table is four factors and a coefficient for each of X, Y, K and N. Factors are places in a list of `FACTORS`:
1; u, v, p, r, phi, beta, delta, n; their magnitudes in the same order; c^2. What is not there is 1. The words that the
rows are made of are those of `blocks/dynamics/derivatives.py`.

Systems: prime I, forces by rho/2 L^2 U^2, moments by rho/2 L^3 U^2, velocities by U, rates by U/L; prime II with L T in
place of L^2 (SNAME 1950, Nomenclature for treating the motion of a submerged body through a fluid, T&R Bulletin 1-5);
bis, forces by m g, velocities by sqrt(g L), rates by sqrt(g/L) (Norrbin 1970, Theory and observations on the use of a
mathematical model for ship manoeuvring in deep and confined waters, 8th ONR Symposium).
"""

from libc.math cimport fabs, sqrt

from cython_kernels.mathematics.limits cimport at_least, is_given

cdef enum:
    FACTORS = 18
    FACTOR_SURGE = 1
    FACTOR_SWAY = 2
    FACTOR_ROLL_RATE = 3
    FACTOR_YAW_RATE = 4
    FACTOR_ROLL = 5
    FACTOR_DRIFT = 6
    FACTOR_RUDDER = 7
    FACTOR_REVOLUTIONS = 8
    FACTOR_MAGNITUDES = 8       # from a factor to its magnitude
    FACTOR_FLOW = 17
    TERM_COLUMNS = 14           # as given: factors, power of zeta, what is taken from it, coefficients, their numbers
    TERM = 8                    # of a row as it is used: factors, coefficients in N and N m

cdef enum:                      # the systems, in the order of blocks/dynamics/derivatives.py
    SYSTEM_SI = 0
    SYSTEM_PRIME_I = 1
    SYSTEM_PRIME_II = 2
    SYSTEM_BIS = 3

cdef extern from *:
    """
    #define KB_GRAVITY 9.81
    """
    const double KB_GRAVITY     # m/s^2

ctypedef struct Scales:
    double force                # N, of 1 in the system; N s^2/m^2 in the prime systems, where U^2 comes in later
    double length               # m; 1 in SI
    double velocity             # 1/sqrt(g L), or 1 where it is not that
    double least                # U is not less, m/s; below 0: velocities are not divided by U


cdef inline void scales_of(
    int system, double density, double length, double draught, double mass, double least, Scales* scales
) noexcept nogil:
    """What derivatives and velocities are divided by."""
    scales.force = scales.length = scales.velocity = 1.0
    scales.least = -1.0
    if system == SYSTEM_PRIME_I or system == SYSTEM_PRIME_II:
        scales.force = 0.5 * density * length * (length if system == SYSTEM_PRIME_I else draught)
        scales.length = length
        scales.least = least
    elif system == SYSTEM_BIS:
        scales.force = mass * KB_GRAVITY
        scales.length = length
        scales.velocity = 1.0 / sqrt(KB_GRAVITY * length)


cdef inline bint depth_ratio(double depth, double draught, double* ratio) noexcept nogil:
    """zeta = T/(h - T), 0 where water is deep. Whether there is water below the keel."""
    ratio[0] = 0.0
    if is_given(depth):
        if not depth > draught:
            return False
        ratio[0] = draught / (depth - draught)
    return True


cdef inline double depth_factor(const double* row, double ratio) noexcept nogil:
    """(zeta - offset)^power of a row, 0 below the offset."""
    cdef double above = at_least(ratio - row[5], 0.0)
    cdef double factor = 1.0
    cdef int _k
    for _k in range(<int>row[4]):
        factor *= above
    return factor


cdef inline double corrected(const double* row, int axis, const double* correction) noexcept nogil:
    """A coefficient with its correction."""
    return row[6 + axis] * correction[<int>row[10 + axis]]


cdef inline void prepare_terms(
    const double* table, int rows, const double* correction, const Scales* scales, double ratio, double* terms
) noexcept nogil:
    """Rows as they are used from rows as they are given, at the depth that makes zeta = T/(h - T) `ratio`."""
    cdef const double* row
    cdef double* term
    cdef double force
    cdef int i, j
    for i in range(rows):
        row = table + TERM_COLUMNS * i
        term = terms + TERM * i
        force = scales.force * depth_factor(row, ratio)
        for j in range(4):
            term[j] = row[j]
        for j in range(4):
            term[4 + j] = force * corrected(row, j, correction) * (scales.length if j > 1 else 1.0)


cdef inline double scaled_velocities(
    const double* scales, double reference, double u, double v, double p, double r, double* factors, double* rate
) noexcept nogil:
    """Factors u - u_0, v, p and r in the system, and `rate`, what velocities are multiplied by for that.

    Returns what the forces are multiplied by. scales: length, velocity and least U as in `Scales`.
    """
    cdef double square = 1.0
    cdef double turning, speed
    rate[0] = scales[1]
    if scales[2] >= 0.0:
        speed = at_least(sqrt(u * u + v * v), scales[2])
        rate[0] = 1.0 / speed
        square = speed * speed
    turning = rate[0] * scales[0]
    factors[0] = 1.0
    factors[FACTOR_SURGE] = (u - reference) * rate[0]
    factors[FACTOR_SWAY] = v * rate[0]
    factors[FACTOR_ROLL_RATE] = p * turning
    factors[FACTOR_YAW_RATE] = r * turning
    return square


cdef inline void with_magnitudes(double* factors) noexcept nogil:
    """The magnitudes of the factors before them."""
    cdef int i
    for i in range(1, 1 + FACTOR_MAGNITUDES):
        factors[FACTOR_MAGNITUDES + i] = fabs(factors[i])


cdef inline void sum_terms(
    const double* terms, int rows, const double* factors, double scale, double* force
) noexcept nogil:
    """force = scale * sum of the rows: X, Y, K, N."""
    cdef double x = 0.0, y = 0.0, k = 0.0, n = 0.0
    cdef const double* term
    cdef double product
    cdef int i
    for i in range(rows):
        term = terms + TERM * i
        product = (
            factors[<int>term[0]] * factors[<int>term[1]] * (factors[<int>term[2]] * factors[<int>term[3]])
        )
        x += term[4] * product
        y += term[5] * product
        k += term[6] * product
        n += term[7] * product
    force[0] = scale * x
    force[1] = scale * y
    force[2] = scale * k
    force[3] = scale * n
