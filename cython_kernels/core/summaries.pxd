"""What is kept of a run instead of all of it: count, mean, sum of squared deviations, least and greatest value.

Mean and deviations are updated by the method of Welford (1962), Note on a method for calculating corrected sums of
squares and products, Technometrics 4, which does not lose digits where the mean is large.
"""

cdef enum:
    SUMMARY_MEAN = 0
    SUMMARY_DEVIATION = 1   # sum of squared deviations from the mean
    SUMMARY_LEAST = 2
    SUMMARY_GREATEST = 3
    SUMMARY_FIELDS = 4


ctypedef struct Summary:
    const int* places       # which values
    int channels
    long long count         # how often they were taken
    double* fields          # channels × SUMMARY_FIELDS


cdef inline void summarise(Summary* s, const double* values) noexcept nogil:
    """Take the values as they are now into account."""
    cdef int i
    cdef double value, apart
    cdef double* field = s.fields
    s.count += 1
    for i in range(s.channels):
        value = values[s.places[i]]
        apart = value - field[SUMMARY_MEAN]
        field[SUMMARY_MEAN] += apart / <double>s.count
        field[SUMMARY_DEVIATION] += apart * (value - field[SUMMARY_MEAN])
        if s.count == 1 or value < field[SUMMARY_LEAST]:
            field[SUMMARY_LEAST] = value
        if s.count == 1 or value > field[SUMMARY_GREATEST]:
            field[SUMMARY_GREATEST] = value
        field += SUMMARY_FIELDS
