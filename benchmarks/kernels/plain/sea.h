/* Waves are a matrix with a column per component: omega, k_north, k_east, k, amplitude, phase, e^(-2 k h). */
#ifndef SEA_H
#define SEA_H

enum { OMEGA, NORTH, EAST, NUMBER, AMPLITUDE, PHASE, BOTTOM, ROWS };

static const double PI = 3.14159265358979323846;

#endif
