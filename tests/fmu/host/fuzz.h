/* What the fuzzing hosts share: the variables of the model, odd values, damaged bytes, and a watch for hangs. */

#include <signal.h>
#include <unistd.h>

enum { HANG_SECONDS = 5 };

/* --- variables ----------------------------------------------------------------------------------------------------- */

/* The file that the test writes: the numbers of continuous states and of event indicators; then a line each: type (R, I, B), value reference, width, role (i input, t tunable parameter,
   f fixed parameter, o anything else). */
typedef struct Variable {
    char type, role;
    unsigned reference, width;
} Variable;

typedef struct Table {
    Variable* rows;
    unsigned n;
    unsigned beyond;                    /* no variable has this reference or a greater one */
    size_t states, indicators;
} Table;

static inline Table table_read(const char* path) {
    FILE* file = fopen(path, "r");
    Table t = {NULL, 0, 0, 0, 0};
    Variable v;
    if (file == NULL || fscanf(file, "%zu %zu", &t.states, &t.indicators) != 2) fail(path, "cannot be read");
    while (fscanf(file, " %c %u %u %c", &v.type, &v.reference, &v.width, &v.role) == 4) {
        t.rows = realloc(t.rows, (t.n + 1) * sizeof v);
        if (t.rows == NULL) fail("realloc", "no memory");
        t.rows[t.n++] = v;
        if (v.reference >= t.beyond) t.beyond = v.reference + 1;
    }
    fclose(file);
    if (t.n == 0) fail(path, "has no variables");
    return t;
}

/* --- values -------------------------------------------------------------------------------------------------------- */

static inline double odd_number(Random* r) {
    static const double numbers[] = {
        0.0, -0.0, 1.0, -1.0, 0.5, 3.0, 1e-3, 1e3, -1e6, 1e-300, 4.9e-324, 1e300, -1.7e308, 2147483648.0,
        NAN, INFINITY, -INFINITY
    };
    return numbers[random_below(r, sizeof numbers / sizeof *numbers)];
}

/* Mostly a number that models can live with. */
static inline double some_number(Random* r) {
    if (random_chance(r, 8)) return odd_number(r);
    return (double)(random_bits(r) >> 11) * 0x1p-53 * 4.0 - 1.0;
}

static inline int some_integer(Random* r) {
    if (random_chance(r, 8)) return random_chance(r, 2) ? INT32_MAX : INT32_MIN;
    return (int)random_below(r, 8) - 2;
}

/* --- damaged bytes ------------------------------------------------------------------------------------------------- */

static inline uint64_t fnv1a_more(uint64_t hash, const unsigned char* data, size_t size) {
    size_t i;
    for (i = 0; i < size; i++) hash = (hash ^ data[i]) * 0x100000001b3u;
    return hash;
}

#define FNV1A_BASIS 0xcbf29ce484222325u

/* A checksum of `bytes[from … to)` that stands at `place`. */
typedef struct Checksum {
    size_t place, from, to;
} Checksum;

/* Find checksums: a word that is the FNV-1a of what follows it, up to some place. How many there are, at most `most`. */
static inline int checksums_find(const void* memory, size_t size, Checksum* found, int most) {
    const unsigned char* bytes = memory;
    size_t place, end;
    int n = 0;
    for (place = 8; place + 16 <= size && place <= 8192 && n < most; place += 8) {
        uint64_t stored, hash = FNV1A_BASIS;
        memcpy(&stored, bytes + place, 8);
        if (stored == 0) continue;
        for (end = place + 8; end <= size; end++) {
            if (hash == stored && end > place + 8) break;
            if (end < size) hash = fnv1a_more(hash, bytes + end, 1);
        }
        if (end > size) continue;
        found[n].place = place;
        found[n].from = place + 8;
        found[n++].to = end;
        place = end - 8;                /* what it covers has no further one: it would cover itself */
    }
    return n;
}

static inline void checksums_mend(void* memory, const Checksum* all, int n) {
    unsigned char* bytes = memory;
    while (n-- > 0) {
        const uint64_t hash = fnv1a_more(FNV1A_BASIS, bytes + all[n].from, all[n].to - all[n].from);
        memcpy(bytes + all[n].place, &hash, 8);
    }
}

/* Change some bytes for certain: bits, bytes, and whole numbers that mean something. */
static inline void damage(Random* r, void* memory, size_t size) {
    static const int numbers[] = {0, -1, 1, 2, INT32_MAX, INT32_MIN, 255, 65536};
    int changes = 1 + (int)random_below(r, 4);
    unsigned char* bytes = memory;
    unsigned char* before = tool_memory(size, 1);
    memcpy(before, bytes, size);
    while (changes-- > 0 || memcmp(before, bytes, size) == 0) {
        const size_t place = random_bits(r) % size;
        const double real = odd_number(r);
        switch (random_below(r, 4)) {
            case 0: bytes[place] ^= (unsigned char)(1u << random_below(r, 8)); break;
            case 1: bytes[place] = (unsigned char)random_bits(r); break;
            case 2:
                if (place / 4 * 4 + 4 <= size) memcpy(bytes + place / 4 * 4, &numbers[random_below(r, 8)], 4);
                break;
            default:
                if (place / 8 * 8 + 8 <= size) memcpy(bytes + place / 8 * 8, &real, 8);
        }
    }
    free(before);
}

/* --- watch --------------------------------------------------------------------------------------------------------- */

static const char* watched_call = "nothing";
static unsigned long watched_round;
static char watched_message[8192];      /* the last one that the FMU sent */
static int watched_forged;              /* the instance was set to a saved state that was damaged and mended */

static inline void report_hang(int signal_number) {
    (void)signal_number;
    fprintf(stderr, "round %lu%s: %s has not returned for %d s\n",
        watched_round, watched_forged ? " (forged state)" : "", watched_call, HANG_SECONDS);
    abort();
}

static inline void watch(unsigned long round) {
    watched_round = round;
    signal(SIGALRM, report_hang);
    alarm(HANG_SECONDS);
}

/* The FMU broke a rule that a tool relies on. */
static inline void broken(const char* call, const char* rule, int status) {
    fprintf(stderr, "round %lu%s: %s %s (status %d)\nlast message: %s\n",
        watched_round, watched_forged ? " (forged state)" : "", call, rule, status, watched_message);
    abort();
}
