"""Random numbers without a state: a pure function of seed, block, sample and element.

Philox-4x32-10, a counter-based generator. Source: Salmon, Moraes, Dror and Shaw (2011), Parallel random numbers: as
easy as 1, 2, 3, Proc. SC11, sec. 4.3. The normal distribution is by Box and Muller (1958), Ann. Math. Stat. 29.
"""

from libc.math cimport sqrt

from cython_kernels.mathematics.elementary.logarithmic cimport log
from cython_kernels.mathematics.elementary.trigonometric cimport cos
from cython_kernels.mathematics.frames cimport KB_PI


cdef inline void philox4x32(unsigned int* c, unsigned int key0, unsigned int key1) noexcept nogil:
    """Turn the counter c[4] into four random words in place: ten rounds."""
    cdef unsigned long long first, second
    cdef int _k
    for _k in range(10):
        first = 0xD2511F53ULL * c[0]
        second = 0xCD9E8D57ULL * c[2]
        c[0] = <unsigned int>(second >> 32) ^ c[1] ^ key0
        c[1] = <unsigned int>(second & 0xFFFFFFFFULL)
        c[2] = <unsigned int>(first >> 32) ^ c[3] ^ key1
        c[3] = <unsigned int>(first & 0xFFFFFFFFULL)
        key0 += 0x9E3779B9U
        key1 += 0xBB67AE85U


cdef inline double open_unit(unsigned int high, unsigned int low) noexcept nogil:
    """The middle of one of 2^52 equal parts of the unit interval: 0 and 1 themselves never come."""
    return ((high >> 6) * 67108864.0 + (low >> 6) + 0.5) / 4503599627370496.0


cdef inline void random_pair(
    double seed, unsigned int key, double sample, unsigned int element, unsigned int stream, double* pair
) noexcept nogil:
    """Two independent numbers, uniform on (0, 1). Whatever argument differs, they are independent of the others.

    `seed` and `sample` are whole numbers of at most 2^32 - 1 and 2^53; `key` is the block's own (`View.key`); `stream`
    tells different uses within one block apart.
    """
    cdef unsigned long long number = <unsigned long long>sample
    cdef unsigned int c[4]
    c[0] = <unsigned int>(number & 0xFFFFFFFFULL)
    c[1] = <unsigned int>(number >> 32)
    c[2] = element
    c[3] = stream
    philox4x32(c, <unsigned int>seed, key)
    pair[0] = open_unit(c[0], c[1])
    pair[1] = open_unit(c[2], c[3])


cdef inline double random_uniform(
    double seed, unsigned int key, double sample, unsigned int element, unsigned int stream
) noexcept nogil:
    """Uniform on (0, 1)."""
    cdef double pair[2]
    random_pair(seed, key, sample, element, stream, pair)
    return pair[0]


cdef inline double random_normal(
    double seed, unsigned int key, double sample, unsigned int element, unsigned int stream
) noexcept nogil:
    """Standard normal."""
    cdef double pair[2]
    random_pair(seed, key, sample, element, stream, pair)
    return sqrt(-2.0 * log(pair[0])) * cos(2.0 * KB_PI * pair[1])
