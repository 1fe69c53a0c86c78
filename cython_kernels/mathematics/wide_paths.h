/* Loops over lanes as vector instructions, for gcc and clang: see wide_paths.pxd, which includes this.
 *
 * Compilers could choose between versions of a function by themselves (target_clones), but what they link for that, zig
 * has not, and not every C library can load it. So the processor is asked here.
 */

#ifdef __GNUC__

#define KB_INDEPENDENT _Pragma("omp simd")

#if defined(__x86_64__) && (defined(__clang__) || !defined(_WIN32)) /* gcc does not align the stack there */

#include <cpuid.h>

#define KB_VERSION(name, path)                                                                                         \
    static void name##path(KB_OF_SUMS) { name(waves, n, at, sums); }

#define KB_WIDE KB_ALWAYS_INLINE
#define KB_VERSIONS(name)                                                                                              \
    KB_VERSION(name, _baseline)                                                                                        \
    __attribute__((target("avx2"))) KB_VERSION(name, _avx2)                                                            \
    __attribute__((target("avx512f,avx512dq,avx512vl"))) KB_VERSION(name, _avx512)

#define KB_WIDEST(name, waves, n, at, sums)                                                                            \
    (kb_path == 2 ? name##_avx512 : kb_path == 1 ? name##_avx2 : name##_baseline)(waves, n, at, sums)

#ifndef KB_PATH
#define KB_PATH static int
#endif
KB_PATH kb_path; /* 0: what every x86-64 has; 1: AVX2; 2: AVX-512 */

/* The widest path for which the processor has the instructions, and of which the system keeps the registers. */
static inline int kb_widest_path(void)
{
    unsigned a, b, c, d, kept, high;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_OSXSAVE))
        return 0;
    __asm__ volatile("xgetbv" : "=a"(kept), "=d"(high) : "c"(0));
    if ((kept & 0x06) != 0x06 || !__get_cpuid_count(7, 0, &a, &b, &c, &d) || !(b & bit_AVX2))
        return 0;
    if ((kept & 0xe0) != 0xe0 || !(b & bit_AVX512F) || !(b & bit_AVX512DQ) || !(b & bit_AVX512VL))
        return 1;
    return 2;
}

static inline int kb_has_sse42(void)
{
    unsigned a, b, c, d;
    return __get_cpuid(1, &a, &b, &c, &d) && (c & bit_SSE4_2);
}

static inline int kb_choose_path(int limit)
{
    int widest = kb_widest_path();
    return kb_path = limit < widest ? limit : widest;
}

#endif
#endif
