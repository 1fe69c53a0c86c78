/* Random numbers as a function of four words and two keys: Philox-4x32-10 (Salmon, Moraes, Dror and Shaw 2011). */
#ifndef PHILOX_H
#define PHILOX_H

#include <stdint.h>

static inline void philox(uint32_t x[4], uint32_t key0, uint32_t key1)
{
    for (int round = 0; round < 10; round++) {
        uint64_t a = (uint64_t)0xD2511F53 * x[0], b = (uint64_t)0xCD9E8D57 * x[2];
        uint32_t y[4] = {(uint32_t)(b >> 32) ^ x[1] ^ key0, (uint32_t)b, (uint32_t)(a >> 32) ^ x[3] ^ key1,
                         (uint32_t)a};
        for (int i = 0; i < 4; i++)
            x[i] = y[i];
        key0 += 0x9E3779B9;
        key1 += 0xBB67AE85;
    }
}

/* Between 0 and 1, in the middle of 2^52 equal parts */
static inline double unit(uint32_t high, uint32_t low)
{
    uint64_t part = ((uint64_t)(high >> 6) << 26) + (low >> 6);
    return ((double)part + 0.5) / 4503599627370496.0;
}

/* Two numbers between 0 and 1 */
static inline void draw_pair(uint64_t sample, uint32_t element, uint32_t stream, uint32_t seed, uint32_t key,
                             double pair[2])
{
    uint32_t x[4] = {(uint32_t)sample, (uint32_t)(sample >> 32), element, stream};
    philox(x, seed, key);
    pair[0] = unit(x[0], x[1]);
    pair[1] = unit(x[2], x[3]);
}

#endif
