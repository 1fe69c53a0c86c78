"""The arithmetic that the engine counts on: rounding to nearest, numbers below the normal ones kept, no traps.

A library that was loaded, or a foreign FMU, may have told the processor otherwise, and may want that kept: what runs
kernels sets the arithmetic of IEEE 754 ahead of them and puts back afterwards what was there. Processors other than
x86 with SSE and arm64 are left as they are; WebAssembly has no other arithmetic.
"""

cdef extern from *:
    """
    #if defined(__SSE2__) || defined(_M_X64)
    #define KB_ARITHMETIC_OF_IEEE 0x1f80u   /* MXCSR without its flags: all exceptions masked, nothing flushed */
    #define KB_ARITHMETIC_FLAGS 0x3fu
    #ifdef __GNUC__
    static inline unsigned long long kb_arithmetic(void) {
        unsigned int word;
        __asm__ volatile("stmxcsr %0" : "=m"(word) : : "memory");
        return word;
    }
    static inline void kb_set_arithmetic(unsigned long long wanted) {
        unsigned int word = (unsigned int)wanted;
        __asm__ volatile("ldmxcsr %0" : : "m"(word) : "memory");
    }
    #else
    #include <xmmintrin.h>
    static inline unsigned long long kb_arithmetic(void) { return _mm_getcsr(); }
    static inline void kb_set_arithmetic(unsigned long long wanted) { _mm_setcsr((unsigned int)wanted); }
    #endif
    #elif defined(__aarch64__) && defined(__GNUC__)
    #define KB_ARITHMETIC_OF_IEEE 0u        /* FPCR; its flags stand in another register */
    #define KB_ARITHMETIC_FLAGS 0u
    static inline unsigned long long kb_arithmetic(void) {
        unsigned long long word;
        __asm__ volatile("mrs %0, fpcr" : "=r"(word) : : "memory");
        return word;
    }
    static inline void kb_set_arithmetic(unsigned long long wanted) {
        __asm__ volatile("msr fpcr, %0" : : "r"(wanted) : "memory");
    }
    #else
    #define KB_ARITHMETIC_OF_IEEE 0u
    #define KB_ARITHMETIC_FLAGS 0u
    static inline unsigned long long kb_arithmetic(void) { return 0; }
    static inline void kb_set_arithmetic(unsigned long long wanted) { (void)wanted; }
    #endif
    static inline unsigned long long kb_take_ieee_arithmetic(void) {
        const unsigned long long found = kb_arithmetic();
        if ((found & ~(unsigned long long)KB_ARITHMETIC_FLAGS) != KB_ARITHMETIC_OF_IEEE)
            kb_set_arithmetic(KB_ARITHMETIC_OF_IEEE);
        return found;
    }
    static inline void kb_put_arithmetic_back(unsigned long long found) {
        if ((found & ~(unsigned long long)KB_ARITHMETIC_FLAGS) != KB_ARITHMETIC_OF_IEEE)
            kb_set_arithmetic(found);
    }
    """
    unsigned long long arithmetic "kb_arithmetic"() noexcept nogil
    void set_arithmetic "kb_set_arithmetic"(unsigned long long wanted) noexcept nogil
    unsigned long long take_ieee_arithmetic "kb_take_ieee_arithmetic"() noexcept nogil      # what was there
    void put_arithmetic_back "kb_put_arithmetic_back"(unsigned long long found) noexcept nogil
