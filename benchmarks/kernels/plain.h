/* What a block written by hand in C sees while it runs, and what its file offers: one `Plain` per kernel, named
 * plain_ and the kernel's name. The harness calls a kernel and its plain counterpart in the same way. */
#ifndef PLAIN_H
#define PLAIN_H

#include <stddef.h>

typedef struct {
    const void *constants;    /* the block's own struct, filled by `prepare` */
    const double *const *u;   /* u[i]: values on input i */
    double *const *y;         /* y[i]: where output i goes, to be read by derivatives too; nothing for a state, see x */
    const double *x;          /* continuous states, one after the other */
    double *dx;               /* their derivatives */
    double *z;                /* discrete states, one after the other; written by update only */
    double *g;                /* zero-crossing functions */
    unsigned int key;         /* FNV-1a of the block's name: tells random streams apart */
} Block;

typedef void (*Function)(const Block *b, double t);

typedef struct {
    size_t size;              /* of the block's own struct */
    void (*prepare)(const double *const *p, const int *n, void *constants);   /* before the run, not timed */
    Function outputs;
    Function derivatives;
    Function update;
    Function crossings;
} Plain;

#endif
