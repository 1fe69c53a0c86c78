/* Functions of one member and of several, run on the same numbers: what differs is printed, a line each.
 *
 * Before it stand the functions, `FUNCTIONS`, how many there are, and lists of them, `alone` and `together`.
 */

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static int current;
static unsigned long long noise;

static void fallen(int sign)
{
    char line[64];
    int n = snprintf(line, sizeof(line), "%d %s\n", current, sign == SIGALRM ? "does not end" : "falls");
    if (write(1, line, (size_t)n) > 0)
        _exit(3);
}

static unsigned long long drawn(void)
{
    noise ^= noise << 13;
    noise ^= noise >> 7;
    noise ^= noise << 17;
    return noise;
}

static double number(void)
{
    static const double strange[] = {0.0,  -0.0,  1.0,   -1.0,   INFINITY, -INFINITY, NAN, 1e300,
                                     0.5,  -0.5,  1e-310, 2.0,   3.0,      -2.0,      1.5, 4503599627370497.5,
                                     -7.0, 1e10,  100.0, 4294967296.0};
    unsigned long long kind = drawn() % 8;
    if (kind == 0)
        return strange[drawn() % (sizeof(strange) / sizeof(strange[0]))];
    if (kind < 3)
        return (double)(drawn() % 13) - 6.0;
    return (double)(drawn() >> 11) / 9007199254740992.0 * 10.0 - 5.0;
}

static int same(double a, double b) { return (a != a && b != b) || kb_bits_of(a) == kb_bits_of(b); }

/* A run of one function; whether all agrees. */
static int run(int f, int trial)
{
    static const int counts[] = {INPUTS, OUTPUTS, OUTPUTS, EXTRAS};
    double *at[4][W];
    VD *lanes[4], t;
    int there = (int)(drawn() % 2), alike = drawn() % 8 == 0, good = 1, one_off = drawn() % 4 == 0;
    Sizes sizes = {(int)(drawn() % 5), (int)(drawn() % 4)};
    L_Sizes l_sizes = {sizes.n, sizes.m};
    for (int array = 0; array < 4; array++) {
        lanes[array] = aligned_alloc(64, (size_t)counts[array] * sizeof(VD));
        for (int l = 0; l < W; l++) {
            double *own = at[array][l] = malloc((size_t)counts[array] * sizeof(double));
            for (int i = 0; i < counts[array]; i++) {
                own[i] = l > 0 && (alike || (one_off && l < W - 1)) ? at[array][0][i] : number();
                lanes[array][i][l] = own[i];
            }
        }
    }
    L_View many = {lanes[0], lanes[1], lanes[2], there ? lanes[3] : NULL, &l_sizes};
    for (int l = 0; l < W; l++) {
        View v = {at[0][l], at[1][l], at[2][l], there ? at[3][l] : NULL, &sizes};
        t[l] = l > 0 && alike ? t[0] : number();
        alone[f](&v, t[l]);
    }
    together[f](&many, t);
    for (int array = 0; array < 4; array++) {
        for (int l = 0; l < W; l++) {
            for (int i = 0; i < counts[array] && good; i++) {
                double is = lanes[array][i][l], wanted = at[array][l][i];
                good = same(is, wanted);
                if (!good)
                    printf("%d differs at %c[%d] in lane %d, trial %d: %a, not %a\n", f, "uyz+"[array], i, l, trial, is,
                           wanted);
            }
            free(at[array][l]);
        }
        free(lanes[array]);
    }
    return good;
}

int main(int count, char **arguments)
{
    int first = count > 1 ? atoi(arguments[1]) : 0, trials = count > 2 ? atoi(arguments[2]) : 100;
    signal(SIGSEGV, fallen), signal(SIGFPE, fallen), signal(SIGBUS, fallen), signal(SIGALRM, fallen);
    signal(SIGILL, fallen);
    for (current = first; current < FUNCTIONS; current++) {
        noise = 88172645463325252ULL + 7919ULL * (unsigned long long)current;
        alarm(20);
        for (int trial = 0; trial < trials; trial++)
            if (!run(current, trial))
                break;
    }
    return 0;
}
