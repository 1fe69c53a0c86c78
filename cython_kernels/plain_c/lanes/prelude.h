/* Lanes: W members side by side, a number of each in a vector. Written by plain_c/lanes for gcc and clang.
 *
 * Nothing here rounds otherwise than what it stands for, so that each member has the numbers of a run alone.
 */

#include <stdint.h>
#include <stdlib.h>

#ifndef KL_WIDTH
#define KL_WIDTH 4
#endif
#define W KL_WIDTH
#define KL static inline __attribute__((always_inline, unused))

typedef double VD __attribute__((vector_size(8 * W), may_alias));
typedef long long VI __attribute__((vector_size(8 * W), may_alias));
typedef unsigned long long VU __attribute__((vector_size(8 * W), may_alias));
typedef int VS __attribute__((vector_size(4 * W), may_alias));
typedef float VF __attribute__((vector_size(4 * W), may_alias));

#if W == 2
#define KL_EACH(x) {x, x}
#elif W == 4
#define KL_EACH(x) {x, x, x, x}
#else
#define KL_EACH(x) {x, x, x, x, x, x, x, x}
#endif
#define KL_ALL ((VI)KL_EACH(-1LL))
#define KL_NONE ((VI)KL_EACH(0LL))

KL VD kl_d(double x) { return (VD)KL_EACH(x); }
KL VI kl_i(long long x) { return (VI)KL_EACH(x); }
KL VI kl_p(const void *p) { return kl_i((long long)p); }
KL VI kl_truth(int x) { return kl_i(-(long long)(x != 0)); }

#if defined(__AVX512F__) && W == 8
#include <immintrin.h>
KL int kl_any(VI m) { return _mm512_movepi64_mask((__m512i)m) != 0; }
KL VI kl_sel(VI m, VI a, VI b) { return (VI)_mm512_mask_blend_epi64(_mm512_movepi64_mask((__m512i)m), (__m512i)b, (__m512i)a); }
KL VD kl_seld(VI m, VD a, VD b) { return (VD)_mm512_mask_blend_pd(_mm512_movepi64_mask((__m512i)m), (__m512d)b, (__m512d)a); }
KL VD kl_sqrt(VD x) { return (VD)_mm512_sqrt_pd((__m512d)x); }
KL VD kl_floor(VD x) { return (VD)_mm512_roundscale_pd((__m512d)x, 9); }
KL VD kl_ceil(VD x) { return (VD)_mm512_roundscale_pd((__m512d)x, 10); }
KL VD kl_trunc(VD x) { return (VD)_mm512_roundscale_pd((__m512d)x, 11); }
KL void kl_transpose(VD *rows)
{
    __m512d pairs[8], fours[8];
    for (int i = 0; i < 8; i += 2) { /* pairs: of numbers that stand below each other; the even ones, then the odd ones */
        pairs[i / 2] = _mm512_unpacklo_pd((__m512d)rows[i], (__m512d)rows[i + 1]);
        pairs[4 + i / 2] = _mm512_unpackhi_pd((__m512d)rows[i], (__m512d)rows[i + 1]);
    }
    for (int i = 0; i < 8; i += 2) {
        fours[i] = _mm512_shuffle_f64x2(pairs[i], pairs[i + 1], 0x88);
        fours[i + 1] = _mm512_shuffle_f64x2(pairs[i], pairs[i + 1], 0xdd);
    }
    for (int odd = 0; odd < 2; odd++)
        for (int i = 0; i < 2; i++) {
            rows[2 * i + odd] = (VD)_mm512_shuffle_f64x2(fours[4 * odd + i], fours[4 * odd + i + 2], 0x88);
            rows[2 * i + odd + 4] = (VD)_mm512_shuffle_f64x2(fours[4 * odd + i], fours[4 * odd + i + 2], 0xdd);
        }
}
#elif defined(__AVX2__) && W == 4
#include <immintrin.h>
KL int kl_any(VI m) { return _mm256_movemask_pd((__m256d)m) != 0; }
KL VI kl_sel(VI m, VI a, VI b) { return (VI)_mm256_blendv_pd((__m256d)b, (__m256d)a, (__m256d)m); }
KL VD kl_seld(VI m, VD a, VD b) { return (VD)_mm256_blendv_pd((__m256d)b, (__m256d)a, (__m256d)m); }
KL VD kl_sqrt(VD x) { return (VD)_mm256_sqrt_pd((__m256d)x); }
KL VD kl_floor(VD x) { return (VD)_mm256_floor_pd((__m256d)x); }
KL VD kl_ceil(VD x) { return (VD)_mm256_ceil_pd((__m256d)x); }
KL VD kl_trunc(VD x) { return (VD)_mm256_round_pd((__m256d)x, 11); }
KL void kl_transpose(VD *rows)
{
    __m256d a = _mm256_unpacklo_pd((__m256d)rows[0], (__m256d)rows[1]);
    __m256d b = _mm256_unpackhi_pd((__m256d)rows[0], (__m256d)rows[1]);
    __m256d c = _mm256_unpacklo_pd((__m256d)rows[2], (__m256d)rows[3]);
    __m256d d = _mm256_unpackhi_pd((__m256d)rows[2], (__m256d)rows[3]);
    rows[0] = (VD)_mm256_permute2f128_pd(a, c, 0x20);
    rows[1] = (VD)_mm256_permute2f128_pd(b, d, 0x20);
    rows[2] = (VD)_mm256_permute2f128_pd(a, c, 0x31);
    rows[3] = (VD)_mm256_permute2f128_pd(b, d, 0x31);
}
#else
KL int kl_any(VI m)
{
    long long found = 0;
    for (int l = 0; l < W; l++)
        found |= m[l];
    return found != 0;
}
KL VI kl_sel(VI m, VI a, VI b) { return (m & a) | (~m & b); }
KL VD kl_seld(VI m, VD a, VD b) { return (VD)((m & (VI)a) | (~m & (VI)b)); }
#define KL_BY_ONE(name, of)                                                                                            \
    KL VD name(VD x)                                                                                                   \
    {                                                                                                                  \
        VD found;                                                                                                      \
        for (int l = 0; l < W; l++)                                                                                    \
            found[l] = of(x[l]);                                                                                       \
        return found;                                                                                                  \
    }
KL_BY_ONE(kl_sqrt, sqrt)
KL_BY_ONE(kl_floor, floor)
KL_BY_ONE(kl_ceil, ceil)
KL_BY_ONE(kl_trunc, trunc)
KL void kl_transpose(VD *rows)
{
    for (int i = 0; i < W; i++)
        for (int l = 0; l < i; l++) {
            double kept = rows[i][l];
            rows[i][l] = rows[l][i];
            rows[l][i] = kept;
        }
}
#endif

KL VD kl_fabs(VD x) { return (VD)((VI)x & 0x7fffffffffffffffLL); }
KL VD kl_copysign(VD x, VD y)
{
    return (VD)(((VI)x & 0x7fffffffffffffffLL) | ((VI)y & (long long)0x8000000000000000ULL));
}
KL VD kl_round(VD x)
{
    VD whole = kl_trunc(x);
    VI far = (VI)(kl_fabs(x - whole) >= kl_d(0.5));
    return kl_seld((VI)(kl_fabs(x) < kl_d(4503599627370496.0)),
                   kl_copysign(kl_fabs(whole) + kl_seld(far, kl_d(1.0), kl_d(0.0)), x), x);
}
KL VI kl_isfinite(VD x) { return (VI)(kl_fabs(x) < kl_d(INFINITY)); }
KL VI kl_isnan(VD x) { return (VI)(x != x); }
KL VD kl_float(VD x) { return __builtin_convertvector(__builtin_convertvector(x, VF), VD); }

/* Whole numbers of 64 bits as doubles, by the bits of their halves behind 2^52 and 2^84: the last sum rounds once. */
KL VD kl_of_halves(VI x, long long upper, double both)
{
    VI low = (x & 0xffffffffLL) | 0x4330000000000000LL, high = (VI)((VU)x >> 32) ^ upper;
    return ((VD)high - kl_d(both)) + (VD)low;
}
KL VD kl_of_long(VI x) { return kl_of_halves(x, 0x4530000080000000LL, 19342822341709703277445120.0); }
KL VD kl_of_ulong(VI x) { return kl_of_halves(x, 0x4530000000000000LL, 19342813118337666422669312.0); }
/* Those below 2^51: a sum with 3 * 2^51 has them in its bits. */
#define KL_FAR_BEHIND 6755399441055744.0
KL VD kl_of_int(VI x) { return (VD)(x + (VI)kl_d(KL_FAR_BEHIND)) - kl_d(KL_FAR_BEHIND); }
KL VI kl_of_whole(VD x) { return (VI)(x + kl_d(KL_FAR_BEHIND)) - (VI)kl_d(KL_FAR_BEHIND); }
KL VI kl_long(VD x) { return __builtin_convertvector(x, VI); }
KL VI kl_ulong(VD x) { return (VI)__builtin_convertvector(x, VU); }
#if defined(__AVX2__) && W == 4
KL VI kl_int(VD x) { return (VI)_mm256_cvtepi32_epi64(_mm256_cvttpd_epi32((__m256d)x)); }
#else
KL VI kl_int(VD x) { return __builtin_convertvector(__builtin_convertvector(x, VS), VI); }
#endif
KL VI kl_as_int(VI x) { return (VI)((VU)x << (VU)KL_EACH(32ULL)) >> kl_i(32); }
KL VI kl_as_uint(VI x) { return x & kl_i(0xffffffffLL); }

/* Comparisons of whole numbers. Without instructions for them gcc 12 fails at what it makes of `<` and `==` of vectors. */
#if defined(__SSE2__) && !defined(__SSE4_2__)
#define KL_COMPARE(name, V, op)                                                                                        \
    KL VI name(VI a, VI b)                                                                                             \
    {                                                                                                                  \
        VI found;                                                                                                      \
        for (int l = 0; l < W; l++)                                                                                    \
            found[l] = -(long long)(((V)a)[l] op((V)b)[l]);                                                            \
        return found;                                                                                                  \
    }
#else
#define KL_COMPARE(name, V, op) KL VI name(VI a, VI b) { return (VI)((V)a op (V)b); }
#endif
KL_COMPARE(kl_eq, VI, ==)
KL_COMPARE(kl_ne, VI, !=)
KL_COMPARE(kl_lt, VI, <)
KL_COMPARE(kl_gt, VI, >)
KL_COMPARE(kl_le, VI, <=)
KL_COMPARE(kl_ge, VI, >=)
KL_COMPARE(kl_ult, VU, <)
KL_COMPARE(kl_ugt, VU, >)
KL_COMPARE(kl_ule, VU, <=)
KL_COMPARE(kl_uge, VU, >=)

/* Of 32 bits, with or without a sign, a quotient of doubles is nearer to the true one than any other whole number. */
KL VI kl_short_div(VI a, VI b) { return kl_of_whole(kl_trunc(kl_of_int(a) / kl_of_int(b))); }
KL VI kl_short_rem(VI a, VI b)
{
    VD of = kl_of_int(a), by = kl_of_int(b);
    return kl_of_whole(of - kl_trunc(of / by) * by);
}
/* Of lanes that are not meant a division by zero must not be seen. */
#define KL_DIVISION(name, type, op)                                                                                    \
    KL VI name(VI m, VI a, VI b)                                                                                       \
    {                                                                                                                  \
        VI found = KL_NONE;                                                                                            \
        for (int l = 0; l < W; l++)                                                                                    \
            if (m[l])                                                                                                  \
                found[l] = (long long)((type)a[l] op (type)b[l]);                                                      \
        return found;                                                                                                  \
    }
KL_DIVISION(kl_div, long long, /)
KL_DIVISION(kl_rem, long long, %)
KL_DIVISION(kl_udiv, unsigned long long, /)
KL_DIVISION(kl_urem, unsigned long long, %)

/* Numbers at an address per lane; lanes that are not meant read a 0 of ours, which takes no branch. */
#define KL_LOAD(name, V, type, apart)                                                                                  \
    KL V name(VI m, VI at)                                                                                             \
    {                                                                                                                  \
        static const long long none = 0;                                                                               \
        V found;                                                                                                       \
        for (int l = 0; l < W; l++)                                                                                    \
            at[l] += (apart) * l;                                                                                      \
        at = kl_sel(m, at, kl_p(&none));                                                                               \
        for (int l = 0; l < W; l++)                                                                                    \
            found[l] = *(const type *)at[l];                                                                           \
        return found;                                                                                                  \
    }
typedef double kl_a_double __attribute__((may_alias));
typedef long long kl_a_long __attribute__((may_alias));
KL_LOAD(kl_load_d, VD, kl_a_double, 8)
KL_LOAD(kl_load_i, VI, kl_a_long, 8)
KL_LOAD(kl_load_one_d, VD, kl_a_double, 0)
KL_LOAD(kl_load_one_int, VI, int, 0)
KL_LOAD(kl_load_one_uint, VI, unsigned int, 0)
KL_LOAD(kl_load_one_long, VI, kl_a_long, 0)
KL_LOAD(kl_load_p, VI, kl_a_long, 0)
KL void kl_put_d(VI m, VI at, VD x)
{
    for (int l = 0; l < W; l++)
        if (m[l])
            *(kl_a_double *)(at[l] + 8 * l) = x[l];
}
KL void kl_put_i(VI m, VI at, VI x)
{
    for (int l = 0; l < W; l++)
        if (m[l])
            *(kl_a_long *)(at[l] + 8 * l) = x[l];
}

/* As kb_keep of the engine: 0 for the first ones, then 1. */
KL VD *kl_keep(int skip)
{
#define KL_EIGHT(x) KL_EACH(x), KL_EACH(x), KL_EACH(x), KL_EACH(x), KL_EACH(x), KL_EACH(x), KL_EACH(x), KL_EACH(x)
    static const VD keep[16] = {KL_EIGHT(0.0), KL_EIGHT(1.0)};
    return (VD *)keep + 8 - skip;
}
KL VI kl_digits_of_two_over_pi(VI first)
{
    VI found = KL_NONE;
    for (int l = 0; l < W; l++)
        if (first[l] >= 0 && first[l] < 1248)
            found[l] = (long long)kb_digits_of_two_over_pi((int)first[l]);
    return found;
}

/* As memcpy and memset to 0 of whole vectors, for the lanes that are meant. */
KL void kl_copy(VI m, void *to, const void *from, size_t bytes)
{
    for (size_t i = 0; i < bytes / sizeof(VI); i++)
        ((VI *)to)[i] = kl_sel(m, ((const VI *)from)[i], ((VI *)to)[i]);
}
/* Doubles that all have in common, to each lane that is meant. */
KL void kl_spread(VI m, VD *to, const void *from, size_t bytes)
{
    double x;
    for (size_t i = 0; i < bytes / sizeof(VD); i++) {
        memcpy(&x, (const char *)from + i * sizeof(x), sizeof(x));
        to[i] = kl_seld(m, kl_d(x), to[i]);
    }
}
KL void kl_clear(VI m, void *to, size_t bytes)
{
    for (size_t i = 0; i < bytes / sizeof(VI); i++)
        ((VI *)to)[i] &= ~m;
}
