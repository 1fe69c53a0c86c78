/* Gains, sums, products, functions, comparisons: element by element. */
#include <math.h>

#include "plain.h"

static const double pi = 3.14159265358979323846;

struct elements {
    int n, inputs, choice;
    const double *values;   /* gains, signs or exponents */
};

/* n elements; parameters: the choice */
static void choice_prepare(const double *const *p, const int *n, void *constants)
{
    struct elements *c = constants;
    c->n = n[0];
    c->choice = (int)*p[0];
}

static void width_prepare(const double *const *p, const int *n, void *constants)
{
    struct elements *c = constants;
    c->n = n[0];
}

/* Those whose output is the discrete state of the same width. */
static void state_outputs(const Block *b, double t)
{
    const struct elements *c = b->constants;
    for (int i = 0; i < c->n; i++)
        b->y[0][i] = b->z[i];
}

/* gain: parameters: gain */

static void gain_prepare(const double *const *p, const int *n, void *constants)
{
    struct elements *c = constants;
    c->n = n[0];
    c->values = p[0];
}

static void gain_outputs(const Block *b, double t)
{
    const struct elements *c = b->constants;
    for (int i = 0; i < c->n; i++)
        b->y[0][i] = c->values[i] * b->u[0][i];
}

const Plain plain_gain = {sizeof(struct elements), gain_prepare, gain_outputs, 0, 0, 0};

/* matrix_gain: parameters: matrix; sizes: rows, columns */

static void matrix_prepare(const double *const *p, const int *n, void *constants)
{
    struct elements *c = constants;
    c->n = n[0];
    c->inputs = n[1];
    c->values = p[0];
}

static void matrix_outputs(const Block *b, double t)
{
    const struct elements *c = b->constants;
    for (int i = 0; i < c->n; i++) {
        const double *row = c->values + i * c->inputs;
        double sum = 0.0;
        for (int j = 0; j < c->inputs; j++)
            sum += row[j] * b->u[0][j];
        b->y[0][i] = sum;
    }
}

const Plain plain_matrix_gain = {sizeof(struct elements), matrix_prepare, matrix_outputs, 0, 0, 0};

/* sum and product: parameters: signs or exponents; sizes: n, inputs, as above */

static void sum_outputs(const Block *b, double t)
{
    const struct elements *c = b->constants;
    for (int i = 0; i < c->n; i++) {
        double sum = 0.0;
        for (int j = 0; j < c->inputs; j++)
            sum += c->values[j] * b->u[j][i];
        b->y[0][i] = sum;
    }
}

static void product_outputs(const Block *b, double t)
{
    const struct elements *c = b->constants;
    for (int i = 0; i < c->n; i++) {
        double product = 1.0;
        for (int j = 0; j < c->inputs; j++)
            product = c->values[j] > 0.0 ? product * b->u[j][i] : product / b->u[j][i];
        b->y[0][i] = product;
    }
}

const Plain plain_sum = {sizeof(struct elements), matrix_prepare, sum_outputs, 0, 0, 0};
const Plain plain_product = {sizeof(struct elements), matrix_prepare, product_outputs, 0, 0, 0};

/* min_max: parameters: function, count; sizes: n, count */

static void min_max_prepare(const double *const *p, const int *n, void *constants)
{
    struct elements *c = constants;
    c->n = n[0];
    c->inputs = n[1];
    c->choice = (int)*p[0];
}

static void min_max_outputs(const Block *b, double t)
{
    const struct elements *c = b->constants;
    for (int i = 0; i < c->n; i++) {
        double found = b->u[0][i];
        for (int j = 1; j < c->inputs; j++) {
            double u = b->u[j][i];
            if (c->choice == 0 ? u < found : u > found)
                found = u;
        }
        b->y[0][i] = found;
    }
}

const Plain plain_min_max = {sizeof(struct elements), min_max_prepare, min_max_outputs, 0, 0, 0};

/* function: parameters: function */

static void function_outputs(const Block *b, double t)
{
    const struct elements *c = b->constants;
    for (int i = 0; i < c->n; i++) {
        double u = b->u[0][i], *y = &b->y[0][i];
        switch (c->choice) {
        case 0: *y = fabs(u); break;
        case 1: *y = sqrt(u); break;
        case 2: *y = u * u; break;
        case 3: *y = 1.0 / u; break;
        case 4: *y = exp(u); break;
        case 5: *y = log(u); break;
        case 6: *y = log10(u); break;
        case 7: *y = sin(u); break;
        case 8: *y = cos(u); break;
        case 9: *y = tan(u); break;
        case 10: *y = asin(u); break;
        case 11: *y = acos(u); break;
        case 12: *y = atan(u); break;
        case 13: *y = sinh(u); break;
        case 14: *y = cosh(u); break;
        default: *y = tanh(u);
        }
    }
}

const Plain plain_function = {sizeof(struct elements), choice_prepare, function_outputs, 0, 0, 0};

static void atan2_outputs(const Block *b, double t)
{
    const struct elements *c = b->constants;
    for (int i = 0; i < c->n; i++)
        b->y[0][i] = atan2(b->u[0][i], b->u[1][i]);
}

const Plain plain_atan2 = {sizeof(struct elements), width_prepare, atan2_outputs, 0, 0, 0};

/* wrap_angle: parameters: range, whether it begins at 0 and not at -pi */

static void wrap_outputs(const Block *b, double t)
{
    const struct elements *c = b->constants;
    double least = c->choice == 0 ? -pi : 0.0;
    for (int i = 0; i < c->n; i++) {
        double u = b->u[0][i];
        b->y[0][i] = u - 2.0 * pi * floor((u - least) / (2.0 * pi));
    }
}

const Plain plain_wrap_angle = {sizeof(struct elements), choice_prepare, wrap_outputs, 0, 0, 0};

/* sign, rounding, compare: what the output shows is decided in update */

static void sign_update(const Block *b, double t)
{
    const struct elements *c = b->constants;
    for (int i = 0; i < c->n; i++) {
        double u = b->u[0][i];
        b->z[i] = u > 0.0 ? 1.0 : u < 0.0 ? -1.0 : 0.0;
    }
}

static void rounding_update(const Block *b, double t)
{
    const struct elements *c = b->constants;
    for (int i = 0; i < c->n; i++) {
        double u = b->u[0][i];
        switch (c->choice) {
        case 0: b->z[i] = round(u); break;
        case 1: b->z[i] = floor(u); break;
        case 2: b->z[i] = ceil(u); break;
        default: b->z[i] = trunc(u);
        }
    }
}

static void compare_update(const Block *b, double t)
{
    const struct elements *c = b->constants;
    for (int i = 0; i < c->n; i++) {
        double u1 = b->u[0][i], u2 = b->u[1][i];
        switch (c->choice) {
        case 0: b->z[i] = u1 < u2; break;
        case 1: b->z[i] = u1 <= u2; break;
        case 2: b->z[i] = u1 == u2; break;
        case 3: b->z[i] = u1 != u2; break;
        case 4: b->z[i] = u1 >= u2; break;
        default: b->z[i] = u1 > u2;
        }
    }
}

const Plain plain_sign = {sizeof(struct elements), width_prepare, state_outputs, 0, sign_update, 0};
const Plain plain_rounding = {sizeof(struct elements), choice_prepare, state_outputs, 0, rounding_update, 0};
const Plain plain_compare = {sizeof(struct elements), choice_prepare, state_outputs, 0, compare_update, 0};
