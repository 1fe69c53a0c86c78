"""Loops over lanes, and which instructions they take: AVX-512, AVX2, or what every processor of the kind has.

`each_lane` calls a function for each lane, to be inlined, and tells the compiler that the lanes are independent, so
that it makes vectors of them (OpenMP's `simd`, without OpenMP). A function that is declared KB_WIDE is compiled once
per path (`wide_paths.h`); `widest` calls it by the path that was chosen as the engine was imported. All paths do the
same operations in the same order, and none is contracted, so that results are equal to the last bit.

Where KEELBLOCKS_WIDE is not defined, such as in the sources that FMUs carry, these are plain loops and functions.
"""

cdef extern from *:
    """
    #ifdef KEELBLOCKS_WIDE
    #include <wide_paths.h>
    #endif
    #ifndef KB_INDEPENDENT
    #define KB_INDEPENDENT
    #endif
    #ifndef KB_WIDE
    #define KB_WIDE
    #define KB_VERSIONS(name)
    #define KB_WIDEST(name, waves, n, at, sums) name(waves, n, at, sums)
    #define kb_choose_path(limit) (0 * (limit))
    #define kb_has_sse42() 0
    #endif
    #define KB_OF_A_LANE const double *wave, size_t stride, const void *at, double *sums, int j
    #define KB_OF_SUMS const double *waves, int n, const void *at, double *sums
    #define KB_EACH_LANE(count, name, wave, stride, at, sums) \\
        do { \\
            int kb_lane; \\
            KB_INDEPENDENT \\
            for (kb_lane = 0; kb_lane < count; kb_lane++) name(wave, stride, at, sums, kb_lane); \\
        } while (0)
    """
    ctypedef void (*Lane)(const double*, size_t, const void*, double*, int) noexcept nogil
    ctypedef void (*Sums)(const double*, int, const void*, double*) noexcept nogil
    void each_lane "KB_EACH_LANE"(
        int count, Lane name, const double* wave, size_t stride, const void* at, double* sums
    ) noexcept nogil
    void widest "KB_WIDEST"(Sums name, const double* waves, int n, const void* at, double* sums) noexcept nogil
    int choose_path "kb_choose_path"(int limit) noexcept nogil
    bint has_sse42 "kb_has_sse42"() noexcept nogil
