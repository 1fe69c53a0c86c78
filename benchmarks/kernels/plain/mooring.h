/* What plain C of mooring lines shares. */
#ifndef MOORING_H
#define MOORING_H

/* wrench += (F, r × F) */
static inline void add_wrench(const double F[3], const double r[3], double wrench[6])
{
    double moment[3];
    cross(r, F, moment);
    for (int i = 0; i < 3; i++) {
        wrench[i] += F[i];
        wrench[3 + i] += moment[i];
    }
}

/* Weight per length in water: as given, or by mass and volume. */
static inline double line_weight(double given, double mass, double diameter, double density, double gravity)
{
    return given < 1e299 ? given : gravity * (mass - density * 3.14159265358979323846 / 4.0 * diameter * diameter);
}

#endif
