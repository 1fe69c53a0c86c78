/* Seas: their waves are worked out before the run, outputs hand them on. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "philox.h"
#include "plain.h"
#include "sea.h"

enum { MOST_WAVES = 250 };

struct sea {
    int numbers;
    double waves[ROWS * MOST_WAVES];
};

static void sea_outputs(const Block *b, double t)
{
    const struct sea *c = b->constants;
    memcpy(b->y[0], c->waves, (size_t)c->numbers * sizeof(double));
}

/* Parameters that all irregular seas have, then those of a spectrum with a peak, then those of a kind of sea. */
enum {
    FREQUENCIES, DIRECTIONS, DIRECTION, SPREADING, BANDS, PLACEMENT, SEED, DEPTH, GRAVITY,
    OF_TABLE,
    LOWER = OF_TABLE, UPPER,
    OF_KIND,
};

/* Points of the spreading, each half of them */
enum { HALF = 64 };

/* cos^2s, as far from the mean direction as it is not negligible */
static void spread(struct density *rays, double s)
{
    double reach = s > 0.0 ? fmin(PI / 2, 8.5 / sqrt(2.0 * s)) : PI / 2;
    rays->count = 2 * HALF + 1;
    for (int k = 0; k < rays->count; k++) {
        rays->x[k] = reach * (k - HALF) / HALF;
        rays->y[k] = pow(cos(rays->x[k]), 2.0 * s);
    }
    integrate(rays);
}

/* Two random numbers of bands i of frequency and j of direction; use 0: phase, and one that nobody uses; 1: places of
 * the component in both. */
static void draw_of(const double *const *p, int i, int j, int use, double random[2])
{
    draw_pair((uint64_t)i, (uint32_t)j, (uint32_t)use, (uint32_t)*p[SEED], 0, random);
}

/* Cut a spectrum over f, of any scale, into components with the energy of a significant height. */
static void compose(struct sea *c, const double *const *p, struct density *spectrum, double height)
{
    int frequencies = (int)*p[FREQUENCIES], directions = (int)*p[DIRECTIONS], n = frequencies * directions;
    int equal_step = *p[BANDS] == 1.0, drawn = *p[PLACEMENT] == 0.0;
    double energy = height * height / 16.0;
    struct density rays;
    integrate(spectrum);
    spread(&rays, *p[SPREADING]);
    c->numbers = ROWS * n;
    for (int i = 0; i < frequencies; i++) {
        struct band of_f = band_of(spectrum, i, frequencies, equal_step, spectrum->x[0],
                                   spectrum->x[spectrum->count - 1]);
        for (int j = 0; j < directions; j++) {
            struct band of_theta = {0.0, 1.0, 0.0};
            if (directions > 1)
                of_theta = band_of(&rays, j, directions, equal_step, -PI / 2, PI / 2);
            double place[2], phase[2], f = of_f.middle, theta = of_theta.middle;
            draw_of(p, i, j, 0, phase);
            draw_of(p, i, j, 1, place);
            if (drawn)
                f = drawn_from(spectrum, of_f, place[0]);
            if (drawn && directions > 1)
                theta = drawn_from(&rays, of_theta, place[1]);
            double amplitude = sqrt(2.0 * energy * (of_f.to - of_f.from) * (of_theta.to - of_theta.from));
            put_wave(c->waves, n, i * directions + j, 2.0 * PI * f, *p[DIRECTION] + theta, amplitude,
                     2.0 * PI * phase[0], *p[DEPTH], *p[GRAVITY]);
        }
    }
}

/* Frequencies of a spectrum's points: from limit to limit, each the same factor above the one before. */
static void points_between(struct density *spectrum, double lower, double upper)
{
    spectrum->count = MOST_POINTS;
    for (int k = 0; k < MOST_POINTS; k++)
        spectrum->x[k] = lower * pow(upper / lower, (double)k / (MOST_POINTS - 1));
}

/* f^-5 exp(-(5/4) (f_p/f)^4), with the higher peak of gamma above 1 */
static void compose_peaked(struct sea *c, const double *const *p, double height, double f_p, double gamma)
{
    struct density spectrum;
    points_between(&spectrum, *p[LOWER] * f_p, *p[UPPER] * f_p);
    for (int k = 0; k < spectrum.count; k++) {
        double x = spectrum.x[k] / f_p, sigma = x <= 1.0 ? 0.07 : 0.09;
        double power = exp(-(x - 1.0) * (x - 1.0) / (2.0 * sigma * sigma));
        spectrum.y[k] = pow(x, -5.0) * exp(-1.25 * pow(x, -4.0)) * pow(gamma, power);
    }
    compose(c, p, &spectrum, height);
}

/* Own parameter: wind_speed. */
static void pierson_moskowitz_prepare(const double *const *p, const int *n, void *constants)
{
    double g = *p[GRAVITY], U = *p[OF_KIND];
    double A = 8.10e-3 * g * g / pow(2.0 * PI, 4.0), B = 0.74 * pow(g / (2.0 * PI * U), 4.0);
    compose_peaked(constants, p, 4.0 * sqrt(A / (4.0 * B)), pow(0.8 * B, 0.25), 1.0);
}

/* Own parameters: significant_height, period, period_kind. Mean and zero-crossing period follow from the moments of
 * A f^-5 exp(-B f^-4): m_n = A/4 B^(n/4 - 1) Gamma(1 - n/4), with B = 5/4 f_p^4. */
static void bretschneider_prepare(const double *const *p, const int *n, void *constants)
{
    double height = *p[OF_KIND], period = *p[OF_KIND + 1], of_peak = 1.0;
    if (*p[OF_KIND + 2] == 1.0)
        of_peak = pow(1.25, -0.25) / tgamma(0.75);
    else if (*p[OF_KIND + 2] == 2.0)
        of_peak = pow(1.25, -0.25) / sqrt(tgamma(0.5));
    compose_peaked(constants, p, height, of_peak / period, 1.0);
}

/* Own parameters: significant_height, peak_period, peakedness. */
static void jonswap_prepare(const double *const *p, const int *n, void *constants)
{
    compose_peaked(constants, p, *p[OF_KIND], 1.0 / *p[OF_KIND + 1], *p[OF_KIND + 2]);
}

static double torsethaugen_shape(double x)
{
    return pow(x, -4.0) * exp(-pow(x, -4.0));
}

/* Own parameters: significant_height, peak_period. */
static void torsethaugen_prepare(const double *const *p, const int *n, void *constants)
{
    double g = *p[GRAVITY], height = *p[OF_KIND], T = *p[OF_KIND + 1];
    double T_f = 6.6 * cbrt(height), H[2], second, gamma;
    if (T <= T_f) {
        double e = fmin((T_f - T) / (T_f - 2.0 * sqrt(height)), 1.0), r = 0.7 + 0.3 * exp(-4.0 * e * e);
        H[0] = r * height;
        H[1] = sqrt(1.0 - r * r) * height;
        second = T_f + 2.0;
        gamma = 35.0 * pow(2.0 * PI * H[0] / (g * T * T), 0.857);
    } else {
        double e = fmin((T - T_f) / (25.0 - T_f), 1.0), r = 0.6 + 0.4 * exp(-e * e / (0.3 * 0.3));
        H[0] = r * height;
        H[1] = sqrt(1.0 - r * r) * height;
        second = 6.6 * cbrt(H[1]);
        gamma = 35.0 * pow(2.0 * PI * height / (g * T_f * T_f), 0.857) * (1.0 + 6.0 * e);
    }
    gamma = fmax(gamma, 1.0);
    double factor = (1.0 + 1.1 * pow(log(gamma), 1.19)) / gamma;
    int has_second = H[1] * H[1] > 0.001 * height * height;
    double low = has_second ? fmin(1.0 / T, 1.0 / second) : 1.0 / T;
    double high = has_second ? fmax(1.0 / T, 1.0 / second) : 1.0 / T;
    struct density spectrum;
    points_between(&spectrum, *p[LOWER] * low, *p[UPPER] * high);
    for (int k = 0; k < spectrum.count; k++) {
        double x = spectrum.x[k] * T, sigma = x <= 1.0 ? 0.07 : 0.09;
        double power = exp(-(x - 1.0) * (x - 1.0) / (2.0 * sigma * sigma));
        spectrum.y[k] = H[0] * H[0] * T * factor * torsethaugen_shape(x) * pow(gamma, power);
        if (second > 0.0)
            spectrum.y[k] += H[1] * H[1] * second * torsethaugen_shape(spectrum.x[k] * second);
    }
    compose(constants, p, &spectrum, height);
}

/* Own parameters: table_frequencies, densities; sizes: components, points of the table. */
static void tabulated_prepare(const double *const *p, const int *n, void *constants)
{
    struct density spectrum = {.count = n[1]};
    memcpy(spectrum.x, p[OF_TABLE], (size_t)n[1] * sizeof(double));
    memcpy(spectrum.y, p[OF_TABLE + 1], (size_t)n[1] * sizeof(double));
    integrate(&spectrum);
    compose(constants, p, &spectrum, 4.0 * sqrt(whole_of(&spectrum)));
}

/* Parameters: amplitude, period, direction, phase, depth, gravity. */
static void regular_prepare(const double *const *p, const int *n, void *constants)
{
    struct sea *c = constants;
    c->numbers = ROWS;
    put_wave(c->waves, 1, 0, 2.0 * PI / *p[1], *p[2], *p[0], *p[3], *p[4], *p[5]);
}

const Plain plain_pierson_moskowitz_sea = {sizeof(struct sea), pierson_moskowitz_prepare, sea_outputs, 0, 0, 0};
const Plain plain_bretschneider_sea = {sizeof(struct sea), bretschneider_prepare, sea_outputs, 0, 0, 0};
const Plain plain_jonswap_sea = {sizeof(struct sea), jonswap_prepare, sea_outputs, 0, 0, 0};
const Plain plain_torsethaugen_sea = {sizeof(struct sea), torsethaugen_prepare, sea_outputs, 0, 0, 0};
const Plain plain_tabulated_sea = {sizeof(struct sea), tabulated_prepare, sea_outputs, 0, 0, 0};
const Plain plain_regular_wave = {sizeof(struct sea), regular_prepare, sea_outputs, 0, 0, 0};
