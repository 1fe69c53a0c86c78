/* Opens damaged plans whose checksum fits, each in memory of exactly its size, for sanitizers to watch:
 *
 *     loader_host PLAN ROUNDS   prints how many were opened and how many were refused
 */
#include "engine.c"

#include <stdio.h>
#include <stdlib.h>

enum { HEADER_CHECKSUM = 16 };

static unsigned long long random_state = 88172645463325252ULL;

static unsigned int random_below(unsigned int limit) {          /* Marsaglia's xorshift */
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (unsigned int)(random_state >> 32) % limit;
}

/* Change a few numbers or bytes, most often to values that programs stumble over. */
static void damage(unsigned char *data, size_t size) {
    static const int awkward[] = {0, 1, -1, 2, 255, 65536, 2147483647, -2147483647 - 1, 1073741824, -1000};
    unsigned int changes = 1 + random_below(3);
    while (changes--) {
        size_t place = random_below((unsigned int)(size / 4)) * 4;
        int number;
        memcpy(&number, data + place, sizeof number);
        switch (random_below(4)) {
            case 0: number = awkward[random_below(10)]; break;
            case 1: number = (int)((unsigned int)number + random_below(9) - 4U); break;
            case 2: number ^= 1 << random_below(31); break;
            default: memcpy(&number, data + random_below((unsigned int)(size / 4)) * 4, sizeof number); break;
        }
        memcpy(data + place, &number, sizeof number);
    }
}

int main(int argc, char **argv) {
    static unsigned char stored[1000000];
    FILE *file = argc == 3 ? fopen(argv[1], "rb") : NULL;
    size_t size = file ? fread(stored, 1, sizeof stored, file) : 0;
    int rounds = argc == 3 ? atoi(argv[2]) : 0;
    int opened = 0, refused = 0;
    if (file) fclose(file);
    while (rounds--) {
        unsigned char *data = malloc(size);
        unsigned long long checksum;
        void *memory = NULL;
        Plan *plan;
        size_t needed;
        int status;
        memcpy(data, stored, size);
        damage(data, size);
        checksum = fnv1a(data + CHECKED_FROM, size - CHECKED_FROM);
        memcpy(data + HEADER_CHECKSUM, &checksum, sizeof checksum);
        needed = plan_memory(data, size, &status);
        if (status == STATUS_END) {
            if (needed > 100000000) return 3;
            memory = malloc(needed);
            status = plan_open(memory, data, size, NULL, &plan);
        }
        if (status == STATUS_END) opened++;
        else if (status < 0) refused++;
        else return 4;
        free(memory);
        free(data);
    }
    printf("%d %d\n", opened, refused);
    return 0;
}
