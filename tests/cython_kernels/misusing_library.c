/* A compiled library whose one kernel can do wrong in many ways: its parameter `way` says in which. Structs as in
 * cython_kernels/view.pxd; built with -DCHECKED its calls are guarded. */
#include <stddef.h>

typedef struct {
    const double **u;
    double **y;
    const double **p;
    double *w;
    const double *x;
    double *dx, *z, *g;
    const int *n;
    int *fault;
    unsigned key;
    void *context;
} View;

typedef void (*Kernel)(const View *b, double t);

typedef struct {
    const char *name;
    Kernel setup, start, outputs, derivatives, update, crossings, jumps;
    int inputs, outputs_count, parameters, sizes, checked;
} KernelEntry;

typedef struct {
    char magic[8];
    int abi, count;
    const char *name, *digest;
    const KernelEntry *entries;
} KernelLibrary;

static volatile int zero = 0;

static void setup(const View *b, double t) {
    (void)t;
    b->w[0] = 0.5;
    b->w[1] = 1.5;
}

static void outputs(const View *b, double t) {
    double *force = b->y[0], *spin = b->y[1];
    int way = (int)b->p[0][0];
    (void)t;
    if (spin != NULL || way == 8) spin[0] = b->x[0];
    if (force == NULL || way == 7) return;
    force[0] = force[1] = b->u[0][0];
    switch (way) {
    case 1: force[2] = 0.0; break;
    case 2: force[-3] = 0.0; break;
    case 3: ((double *)b->u[0])[0] += 1.0; break;
    case 4: ((double *)b->p[0])[0] += 1.0; break;
    case 5: b->w[1] = 2.0; break;
    case 6: force[1] = 2.0 * b->u[0][1]; break;
    case 9: force[1ull << 40] = 0.0; break;
    case 10: force[0] = 7 / zero; break;
    case 12: __builtin_trap();
    case 14: ((int *)b->n)[0] = 7; break;
    }
}

static void derivatives(const View *b, double t) {
    int way = (int)b->p[0][0];
    (void)t;
    b->dx[0] = b->u[0][0];
    if (way == 11) b->dx[1] = 0.0;
    if (way == 13) ((double *)b->x)[0] += 1.0;
}

#ifndef CHECKED
#define CHECKED 0
#endif

static const KernelEntry ENTRIES[] = {
    {"astray", setup, NULL, outputs, derivatives, NULL, NULL, NULL, 1, 2, 1, 1, CHECKED},
};

static const KernelLibrary LIBRARY = {
    {'K', 'E', 'E', 'L', 'L', 'I', 'B'}, ABI, 1, "misusing", "0", ENTRIES,
};

const KernelLibrary *keelblocks_library(void) { return &LIBRARY; }
