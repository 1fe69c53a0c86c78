"""Tables over directions seen from the bow: half a turn of a hull whose sides are alike, or a turn that closes."""

from libc.math cimport fabs

from cython_kernels.mathematics.frames cimport KB_PI


cdef inline bint half_turn(const double* headings, int count) noexcept nogil:
    """Whether headings go from 0 to pi, so that port and starboard are alike."""
    return fabs(headings[0]) < 1e-6 and fabs(headings[count - 1] - KB_PI) < 1e-6


cdef inline int whole_turn(const double* headings, int width, double* turns) noexcept nogil:
    """Headings from the first one on, and where the turn ends; gives the number of intervals."""
    cdef double end = 2.0 * KB_PI
    cdef int j
    for j in range(width):
        turns[j] = headings[j] - headings[0]
    turns[width] = end
    if half_turn(headings, width) or end - turns[width - 1] < 1e-6:     # the last heading closes the table itself
        return width - 1
    return width
