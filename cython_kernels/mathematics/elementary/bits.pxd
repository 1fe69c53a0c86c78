"""The bits of numbers, choices without a branch, and sums and products with what rounding takes from them.

Sums: Knuth (1969), The Art of Computer Programming, vol. 2, 4.2.2; products and the shorter sum: Dekker (1971), A
floating-point technique for extending the available precision, Numerische Mathematik 18.
"""

cdef extern from *:
    """
    #include <string.h>
    #ifdef __GNUC__
    #define KB_ALWAYS_INLINE __attribute__((always_inline))
    #else
    #define KB_ALWAYS_INLINE
    #endif
    #ifndef KB_ONCE
    #define KB_ONCE     /* for what all kernels share: of the binary of an FMU a section of its own */
    #endif
    #if defined(__clang__)     /* whose cold functions would leave their section in an FMU */
    #define KB_FAR __attribute__((noinline))
    #elif defined(__GNUC__)
    #define KB_FAR __attribute__((cold))
    #else
    #define KB_FAR      /* for arguments that are rare: out of the way */
    #endif
    #define KB_SIGN 0x8000000000000000ULL
    static inline double kb_choice(int condition, double first, double second) KB_ALWAYS_INLINE;
    static inline double kb_sum(double a, double b, double *rest) KB_ALWAYS_INLINE;
    static inline double kb_ordered_sum(double a, double b, double *rest) KB_ALWAYS_INLINE;
    static inline double kb_product(double a, double b, double *rest) KB_ALWAYS_INLINE;
    static inline double kb_leading(double x) KB_ALWAYS_INLINE;

    static inline unsigned long long kb_bits_of(double x) {
        unsigned long long bits;
        memcpy(&bits, &x, sizeof bits);
        return bits;
    }

    static inline double kb_from_bits(unsigned long long bits) {
        double x;
        memcpy(&x, &bits, sizeof x);
        return x;
    }
    """
    const unsigned long long KB_SIGN
    unsigned long long bits_of "kb_bits_of"(double x) noexcept nogil
    double from_bits "kb_from_bits"(unsigned long long bits) noexcept nogil


cdef inline double choice "kb_choice"(bint condition, double first, double second) noexcept nogil:
    """`first` if the condition holds, else `second`: by a mask, where compilers would make two paths of an `if`."""
    cdef unsigned long long mask = 0 - <unsigned long long>condition
    return from_bits((bits_of(first) & mask) | (bits_of(second) & ~mask))


cdef inline double exact_sum "kb_sum"(double a, double b, double* rest) noexcept nogil:
    """a + b, rounded; `rest` is what the rounding took."""
    cdef double total = a + b
    cdef double of_b = total - a
    rest[0] = (a - (total - of_b)) + (b - of_b)
    return total


cdef inline double ordered_sum "kb_ordered_sum"(double a, double b, double* rest) noexcept nogil:
    """a + b, rounded, for |a| >= |b|; `rest` is what the rounding took."""
    cdef double total = a + b
    rest[0] = b - (total - a)
    return total


cdef inline double exact_product "kb_product"(double a, double b, double* rest) noexcept nogil:
    """a b, rounded; `rest` is what the rounding took. For |a| and |b| below 2^996."""
    cdef double scaled_a = 134217729.0 * a      # 2^27 + 1
    cdef double scaled_b = 134217729.0 * b
    cdef double high_a = scaled_a - (scaled_a - a)
    cdef double high_b = scaled_b - (scaled_b - b)
    cdef double low_a = a - high_a
    cdef double low_b = b - high_b
    cdef double product = a * b
    rest[0] = ((high_a * high_b - product) + high_a * low_b + low_a * high_b) + low_a * low_b
    return product


cdef inline double leading "kb_leading"(double x) noexcept nogil:
    """The first 26 binary digits of x: the product of two such numbers is exact."""
    return from_bits(bits_of(x) & 0xfffffffff8000000ULL)
