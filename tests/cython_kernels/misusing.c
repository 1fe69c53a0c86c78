/* The checked engine with a kernel of one input, one output and one parameter that can do wrong in several ways: its
 * parameter says in which. It goes by the name "gain", to be given to plans of that block. */
#include "engine.c"

static void misusing_outputs(const View *b, double t) {
    (void)t;
    b->y[0][0] = b->u[0][0];
    switch ((int)b->p[0][0]) {
    case 1: b->y[0][1] = 0.0; break;
    case 2: b->y[0][-1] = 0.0; break;
    case 3: ((double *)b->u[0])[0] += 1.0; break;
    case 4: ((double *)b->p[0])[1] = 1.0; break;
    case 5: b->z[0] = 1.0; break;
    case 6: b->y[0][0] = b->u[0][1]; break;
    case 7: b->y[0][0] = b->n[1]; break;
    default: break;
    }
}

static int find_misusing(const char *name, KernelEntry *k) {
    return entry(k, name, "bad!", NULL, NULL, misusing_outputs, NULL, NULL, NULL, NULL, 1, 1, 1, 1);
}

size_t host_memory(const unsigned char *data, size_t size, int *status) {
    return plan_memory(data, size, status);
}

int host_open(void *memory, const unsigned char *data, size_t size, Plan **plan) {
    return plan_open(memory, data, size, find_misusing, plan);
}

int host_start(Plan *plan, double t) {
    return plan_start(plan, t);
}

int host_fault(const Plan *plan) {
    return plan->failure.fault;
}

double host_value(const Plan *plan, int place) {
    return plan->values[place];
}
