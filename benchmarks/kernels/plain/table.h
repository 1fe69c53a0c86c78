/* Piecewise linear functions, level beyond their ends, with the interval found by bisection. */
#ifndef TABLE_H
#define TABLE_H

/* k with points[k] <= value < points[k + 1], or the first or last interval */
static inline int table_interval(const double *points, int count, double value)
{
    int low = 0, high = count - 1;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (points[middle] <= value)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static inline double table_value(const double *points, const double *values, int count, double value)
{
    if (value <= points[0])
        return values[0];
    if (value >= points[count - 1])
        return values[count - 1];
    int k = table_interval(points, count, value);
    return values[k] + (values[k + 1] - values[k]) * (value - points[k]) / (points[k + 1] - points[k]);
}

#endif
