/* What the C hosts share: ending with a message, functions of a library, random numbers. */

#include <dlfcn.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline void fail(const char* what, const char* detail) {
    fprintf(stderr, "%s: %s\n", what, detail);
    exit(1);
}

static inline void* tool_memory(size_t count, size_t size) {
    void* memory = calloc(count ? count : 1, size);
    if (memory == NULL) fail("calloc", "no memory");
    return memory;
}

static inline void* tool_open(const char* path) {
    void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) fail("dlopen", dlerror());
    return library;
}

/* A function of the library. POSIX allows the conversion of pointers that C does not. */
static inline void tool_find(void* library, const char* name, void* function) {
    void* address = dlsym(library, name);
    if (address == NULL) fail(name, dlerror());
    memcpy(function, &address, sizeof address);
}

/* splitmix64 (Steele, Lea & Flood 2014): the same numbers everywhere for one seed. */
typedef struct Random {
    uint64_t state;
} Random;

static inline uint64_t random_bits(Random* r) {
    uint64_t z = r->state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* A number from 0 to n - 1. */
static inline unsigned random_below(Random* r, unsigned n) {
    return (unsigned)(random_bits(r) % n);
}

static inline int random_chance(Random* r, unsigned one_in) {
    return random_below(r, one_in) == 0;
}
