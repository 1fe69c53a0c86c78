"""The elastic catenary between two ends, free or with a part that lies on a level floor.

A line of length L, axial stiffness EA and weight per length w, whose upper end is X away and Z above the lower one.

Free: let lambda = w X' / (2 H), X' and Z' the chord that is left if the stretch by the mean tension is taken off,
X' = X - H L / EA, Z' = Z - L Vm / EA. Of an inextensible catenary Vm = (w / 2) Z' coth(lambda) and
L^2 = Z'^2 + ((2 H / w) sinh(lambda))^2. With e = w L / (2 EA), x = X / L and z = Z / L that leaves one equation,

    ln[(lambda + e) sqrt(1 - zeta^2) / (x sinh(lambda))] = 0,  zeta = z tanh(lambda) / (tanh(lambda) + e),

falling in lambda, and H = w X / (2 (lambda + e)), Vm = w Z / (2 (tanh(lambda) + e)).

On the floor: a branch that rises by Z from it has T - H = 2 EA w Z / (sqrt((EA + H)^2 + 2 EA w Z) + EA + H), so that
X is a rising function of H alone.

Both are solved by Newton's method within a bracket that closes, in at most CATENARY_ROUNDS.
"""

from libc.math cimport fabs, sqrt

from cython_kernels.mathematics.elementary.exponential cimport exp, expm1
from cython_kernels.mathematics.elementary.logarithmic cimport log
from cython_kernels.mathematics.elementary.power cimport cbrt
from cython_kernels.mathematics.limits cimport is_given

cdef extern from *:
    """
    #define CATENARY_ROUNDS 60
    #define CATENARY_CLOSE 1e-9        /* of a step over the number: the next one, squared, is below the last digit */
    #define CATENARY_LEAST 1e-12       /* of X over L: nearer is as good as below */
    #define CATENARY_MOST 60.0         /* of lambda: H is nothing there */
    """
    const int CATENARY_ROUNDS
    const double CATENARY_CLOSE
    const double CATENARY_LEAST
    const double CATENARY_MOST


ctypedef struct Catenary:
    double horizontal           # H at the upper end, N
    double vertical             # V, how far the line pulls the upper end down, N
    double low_horizontal       # the same at the lower end, N; V there is negative where the line rises from it
    double low_vertical
    double lying                # unstretched length on the floor, m


cdef inline double log_of_one_and(double y) noexcept nogil:
    """ln(1 + y) with all digits of a small y >= 0."""
    cdef double u = 1.0 + y
    return y if u == 1.0 else log(u) * y / (u - 1.0)


cdef inline double first_slack(double e, double x, double z) noexcept nogil:
    """A lambda to begin with: of the inextensible catenary, or near the taut line of lambda^3/6 + d lambda = e'."""
    cdef double rest = 1.0 - z * z
    cdef double d, found, stretched
    if rest <= 0.0:
        d = sqrt(x * x + z * z) - 1.0
        return e / d if d > 0.0 else 1.0
    d = x / sqrt(rest)
    if d < 0.4:
        d = log(2.0 / d)
        return d + log(d)
    d = log(d)
    stretched = e / rest
    found = cbrt(6.0 * stretched) + (sqrt(-6.0 * d) if d < 0.0 else 0.0)
    if d > 0.0 and stretched < d * found:
        found = stretched / d
    return found


cdef inline double free_slack(double e, double x, double z) noexcept nogil:
    """lambda of a line that hangs free; 0 < x, 0 <= z."""
    cdef double low = 0.0
    cdef double high = CATENARY_MOST
    cdef double found = first_slack(e, x, z)
    cdef double q, tangent, zeta, rest, error, slope, step, following
    cdef int _round
    if z > 1.0 + e:             # even upright it is taut: beyond this lambda sqrt(1 - zeta^2) is none
        zeta = e / (z - 1.0)
        high = 0.5 * log((1.0 + zeta) / (1.0 - zeta))
        if high > CATENARY_MOST:
            high = CATENARY_MOST
    if not found < high:
        found = 0.9 * high
    for _round in range(CATENARY_ROUNDS):
        q = expm1(2.0 * found)
        tangent = q / (q + 2.0)
        zeta = z * tangent / (tangent + e)
        rest = 1.0 - zeta * zeta
        if not rest > 0.0:
            high = found
            following = 0.5 * (low + high)
        else:
            error = log(2.0 * (found + e) * sqrt(rest * (1.0 + q)) / (q * x))
            slope = (
                1.0 / (found + e) - 1.0 / tangent
                - zeta * z * e * (1.0 - tangent * tangent) / ((tangent + e) * (tangent + e) * rest)
            )
            if error > 0.0:
                low = found
            else:
                high = found
            step = -error / (slope * found)
            if -0.5 < step < 0.5:
                following = found * (1.0 + step * (1.0 + 0.5 * step))
            else:
                following = found * exp(step) if -3.0 < step < 3.0 else -1.0
            if not low <= following <= high and fabs(following - found) > CATENARY_CLOSE * found:
                following = sqrt(low * high) if low > 0.0 else 0.25 * high
            if error == 0.0:
                following = found
        step = fabs(following - found)
        found = following
        if step <= CATENARY_CLOSE * found:
            break
    return found


cdef inline void free_line(
    double x, double z, double length, double stiffness, double weight, Catenary* out
) noexcept nogil:
    """A line of positive weight that touches nothing."""
    cdef double e = 0.5 * weight * length / stiffness
    cdef double near = x if x > CATENARY_LEAST * length else CATENARY_LEAST * length
    cdef double slack = free_slack(e, near / length, fabs(z) / length)
    cdef double q = expm1(2.0 * slack)
    cdef double middle = 0.5 * weight * z / (q / (q + 2.0) + e)
    out.horizontal = out.low_horizontal = 0.5 * weight * x / (slack + e)
    out.vertical = middle + 0.5 * weight * length
    out.low_vertical = middle - 0.5 * weight * length
    out.lying = 0.0


ctypedef struct Branch:         # a part of the line that rises from the floor
    double tension              # T at its upper end
    double vertical             # V there
    double span                 # X of it, without its stretch by H, m
    double slope                # d(span - V / w) / dH
    double lift                 # dV / dH


cdef inline void rise(double h, double height, double stiffness, double weight, Branch* out) noexcept nogil:
    """The branch of this height under the horizontal tension h >= 0."""
    cdef double both = stiffness + h
    cdef double twice = 2.0 * stiffness * weight * height
    cdef double more = twice / (sqrt(both * both + twice) + both)    # T - H
    cdef double angle
    out.tension = h + more
    out.vertical = sqrt(more * (out.tension + h))
    out.span = out.slope = out.lift = 0.0
    if height > 0.0 and h > 0.0:
        angle = log_of_one_and((out.vertical + more) / h)           # asinh(V / H)
        out.lift = (out.tension * both / (stiffness + out.tension) - h) / out.vertical
        out.span = h * angle / weight
        out.slope = (angle + (out.lift * h - out.vertical) / out.tension - out.lift) / weight


cdef inline double on_floor(
    double h, double low, double high, double length, double stiffness, double weight, double friction,
    Branch* first, Branch* second, double* slope
) noexcept nogil:
    """X of a line that lies between a branch of height `low` at one end and one of `high` at the other, and dX/dH."""
    cdef double lying, drag, held, lift
    rise(h, low, stiffness, weight, first)
    rise(h, high, stiffness, weight, second)
    lift = first.lift + second.lift
    lying = length - (first.vertical + second.vertical) / weight
    drag = friction * weight
    held = h - drag * lying                                 # what is left of H at the anchor
    if held >= 0.0:
        slope[0] = first.slope + second.slope + (length + drag * lying * lift / weight) / stiffness
        return lying + first.span + second.span + (h * length - 0.5 * drag * lying * lying) / stiffness
    slope[0] = first.slope + second.slope + (length - lying + h / drag - h * lift / weight) / stiffness
    return lying + first.span + second.span + (h * (length - lying) + 0.5 * h * h / drag) / stiffness


cdef inline void lying_line(
    double x, double low, double high, double length, double stiffness, double weight, double friction, Catenary* out
) noexcept nogil:
    """A line with a part on the floor, between ends of these heights."""
    cdef double most = stiffness * x / length + friction * weight * length     # H is less
    cdef double least = 0.0
    cdef double taut = stiffness * (x / length - 1.0) if x > length else 0.0
    cdef double h = 0.0
    cdef double total = low + high
    cdef double slack, error, slope, step, following
    cdef Branch first
    cdef Branch second
    cdef int _round
    rise(0.0, low, stiffness, weight, &first)
    rise(0.0, high, stiffness, weight, &second)
    if x > length - (first.vertical + second.vertical) / weight:
        if total > 0.0:         # (L - X) / Z falls about like this with H / (w Z)
            slack = (length * (1.0 + taut / stiffness) - x) / total
            slack = 1e-3 if slack < 1e-3 else slack
            h = weight * total * (2.0 / 9.0) * (1.0 / (slack * slack) - 1.0)
        h = taut if h < taut else h
        h = 0.9 * most if not h < most else h
        h = 1e-6 * most if not h > 0.0 else h
        for _round in range(CATENARY_ROUNDS):
            error = on_floor(
                h, low, high, length, stiffness, weight, friction, &first, &second, &slope
            ) - x
            if error > 0.0:
                most = h
            else:
                least = h
            following = h - error / slope
            if not least <= following <= most and fabs(following - h) > CATENARY_CLOSE * h:
                following = sqrt((least if least > 1e-3 * most else 1e-3 * most) * most)
            if fabs(error) <= 2e-16 * length:
                following = h
            step = fabs(following - h)
            h = following
            if step <= CATENARY_CLOSE * h:
                break
        rise(h, low, stiffness, weight, &first)
        rise(h, high, stiffness, weight, &second)
    out.horizontal = h
    out.vertical = second.vertical
    out.low_vertical = -first.vertical
    out.lying = length - (first.vertical + second.vertical) / weight
    out.low_horizontal = h - friction * weight * out.lying
    if out.low_horizontal < 0.0:
        out.low_horizontal = 0.0


cdef inline bint lies(
    double x, double z, double length, double stiffness, double weight
) noexcept nogil:
    """Whether a line from an anchor on the floor lies with a part of it: it rises straight from the anchor at an H*."""
    cdef double whole = weight * length
    cdef double rest = weight * z - 0.5 * whole * whole / stiffness      # T - H if all of it is lifted
    cdef double h
    if rest <= 0.0:
        return True
    if rest >= whole:
        return False
    h = 0.5 * (whole - rest) * (whole + rest) / rest
    return x < h * (log_of_one_and((whole + rest) / h) / weight + length / stiffness)


cdef inline void line_of_any_kind(
    double x, double lower, double upper, double depth, double length, double stiffness, double weight, double friction,
    Catenary* out
) noexcept nogil:
    """The line between two ends that are `lower` and `upper` below the datum and x apart, over a floor at `depth`.

    There is none if that is not given. Friction counts if the lower end is on the floor. Numbers only: see
    `line_at_rest`.
    """
    cdef double least = 1e-13 * stiffness / length          # a line without weight is as good as this
    cdef double low = depth - lower
    cdef double high = depth - upper
    cdef double sag
    cdef bint grounded
    if weight < 0.0:
        free_line(x, upper - lower, length, stiffness, -weight if weight < -least else least, out)
        out.vertical = -out.vertical
        out.low_vertical = -out.low_vertical
        return
    weight = weight if weight > least else least
    if not is_given(depth):
        free_line(x, lower - upper, length, stiffness, weight, out)
        return
    low = low if low > 0.0 else 0.0
    high = high if high > 0.0 else 0.0
    grounded = low <= 1e-9 * length
    if grounded and lies(x, high, length, stiffness, weight):
        lying_line(x, 0.0, high, length, stiffness, weight, friction, out)
        return
    free_line(x, high - low, length, stiffness, weight, out)
    if not grounded and out.low_vertical < 0.0 < out.vertical:
        sag = (
            sqrt(out.horizontal * out.horizontal + out.low_vertical * out.low_vertical) - out.horizontal
            + 0.5 * out.low_vertical * out.low_vertical / stiffness
        ) / weight
        if sag > low:
            lying_line(x, low, high, length, stiffness, weight, 0.0, out)


cdef inline void line_at_rest(
    double x, double lower, double upper, double depth, double length, double stiffness, double weight, double friction,
    Catenary* out
) noexcept nogil:
    """As `line_of_any_kind`; what is no number stays none."""
    cdef double nothing = 0.0 * (x + lower + upper)
    line_of_any_kind(x, lower, upper, depth, length, stiffness, weight, friction, out)
    out.horizontal += nothing
    out.vertical += nothing
    out.low_horizontal += nothing
    out.low_vertical += nothing
    out.lying += nothing


cdef inline double signed_asinh(double v, double h) noexcept nogil:
    """asinh(v / h), h > 0."""
    cdef double size = fabs(v)
    cdef double found = log_of_one_and((size + size * size / (sqrt(h * h + v * v) + h)) / h)
    return -found if v < 0.0 else found


cdef inline void point_of(
    const Catenary* line, double s, double length, double stiffness, double weight, double* x, double* z
) noexcept nogil:
    """Where the point at the unstretched length s from the lower end is: how far from there, and how high."""
    cdef double least = 1e-13 * stiffness / length
    cdef double w = least if -least < weight < least else weight
    cdef double little = 1e-9 * fabs(w) * length
    cdef double h = line.horizontal if line.horizontal > little else little
    cdef double v = line.low_vertical
    cdef double down = -v / w               # length of the branch at the lower end, if it goes down to the floor
    cdef double on_ground = 0.0
    if line.lying > 0.0 and s > down:
        on_ground = s - down if s < down + line.lying else line.lying
        v = w * (s - down - on_ground)
    else:
        v += w * s
    x[0] = h / w * (signed_asinh(v, h) - signed_asinh(line.low_vertical, h)) + on_ground + h * s / stiffness
    z[0] = (
        (v * v - line.low_vertical * line.low_vertical) / w
        * (0.5 / stiffness + 1.0 / (
            sqrt(h * h + v * v) + sqrt(h * h + line.low_vertical * line.low_vertical)
        ))
    )
