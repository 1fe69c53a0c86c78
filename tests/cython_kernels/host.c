/* The standalone engine behind functions that can be called from outside, and a program that runs a plan:
 *
 *     host PLAN END   writes the state at the time END to the standard output
 */
#include "engine.c"

#include <stdio.h>
#include <stdlib.h>

size_t host_memory(const unsigned char *data, size_t size, int *status) {
    return plan_memory(data, size, status);
}

int host_open(void *memory, const unsigned char *data, size_t size, Plan **plan) {
    return plan_open(memory, data, size, NULL, plan);
}

int host_start(Plan *plan, double t) {
    return plan_start(plan, t);
}

int host_advance(Plan *plan, double end) {
    return plan_advance(plan, end, 1000000000, NULL);
}

double *host_values(Plan *plan) {
    return plan->values;
}

size_t host_state_size(const Plan *plan) {
    return plan_state_size(plan);
}

void host_save(const Plan *plan, unsigned char *to) {
    plan_save(plan, to);
}

int host_restore(Plan *plan, const unsigned char *saved, size_t size) {
    return plan_restore(plan, saved, size);
}

int main(int argc, char **argv) {
    static unsigned char stored[1000000];
    FILE *file = argc == 3 ? fopen(argv[1], "rb") : NULL;
    size_t size = file ? fread(stored, 1, sizeof stored, file) : 0;
    int status;
    size_t needed = plan_memory(stored, size, &status);
    void *memory = malloc(needed + 1);
    unsigned char *state;
    Plan *plan;
    if (file) fclose(file);
    if (status == STATUS_END) status = plan_open(memory, stored, size, NULL, &plan);
    if (status == STATUS_END) status = plan_start(plan, 0.0);
    if (status == STATUS_END) status = host_advance(plan, atof(argv[2]));
    if (status == STATUS_END) {
        state = malloc(plan_state_size(plan));
        plan_save(plan, state);
        fwrite(state, 1, plan_state_size(plan), stdout);
        free(state);
    }
    free(memory);
    return status == STATUS_END ? 0 : 1;
}
