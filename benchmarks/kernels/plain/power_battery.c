/* The battery: x = state of charge; z = 1 while cut off, 1 while full and charged on. */
#include <math.h>

#include "plain.h"
#include "table.h"

struct battery {
    int n, m;
    const double *charge, *voltage;
    double capacity, R, efficiency, cut_off_charge, cut_off_voltage, restart_charge;
};

struct terminals {
    double voltage, current;
};

static double wanted(const struct battery *c, const double *power)
{
    double total = 0.0;
    for (int i = 0; i < c->n; i++)
        total += power[i];
    return total;
}

/* Voltage and current for a power P. */
static struct terminals load(const struct battery *c, double charge, double P)
{
    double E = table_value(c->charge, c->voltage, c->m, charge);
    double discriminant = E * E - 4.0 * c->R * P;
    struct terminals at;
    at.current = discriminant < 0.0 ? E / (2.0 * c->R) : 2.0 * P / (E + sqrt(discriminant));
    at.voltage = E - c->R * at.current;
    return at;
}

/* The same with what is cut off or not taken. */
static struct terminals actual_load(const Block *b)
{
    const struct battery *c = b->constants;
    double P = wanted(c, b->u[0]);
    int nothing = (b->z[0] != 0.0 && P > 0.0) || (b->z[1] != 0.0 && P < 0.0);
    return load(c, b->x[0], nothing ? 0.0 : P);
}

static void outputs(const Block *b, double t)
{
    struct terminals at = actual_load(b);
    b->y[0][0] = at.voltage;
    b->y[1][0] = at.current;
    b->y[2][0] = at.voltage * at.current;
    b->y[4][0] = b->z[0];
}

static void derivatives(const Block *b, double t)
{
    const struct battery *c = b->constants;
    double current = actual_load(b).current;
    b->dx[0] = -(current < 0.0 ? c->efficiency * current : current) / c->capacity;
}

static void update(const Block *b, double t)
{
    const struct battery *c = b->constants;
    double s = b->x[0], P = wanted(c, b->u[0]);
    b->z[0] = s <= c->cut_off_charge || (b->z[0] != 0.0 && s < c->restart_charge)
              || load(c, s, P).voltage < c->cut_off_voltage;
    b->z[1] = s >= 1.0 && P < 0.0;
}

/* Parameters: capacity, charge, open_circuit_voltage, internal_resistance, charge_efficiency, cut_off_charge,
 * cut_off_voltage, restart_charge. */
static void prepare(const double *const *p, const int *n, void *constants)
{
    struct battery *c = constants;
    *c = (struct battery){n[0], n[1], p[1], p[2], *p[0], *p[3], *p[4], *p[5], *p[6], *p[7]};
}

const Plain plain_battery = {sizeof(struct battery), prepare, outputs, derivatives, update, 0};
