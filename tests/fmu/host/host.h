/* The variables that a host is asked for, by value reference, and how they are read and printed.

   `REFERENCE` or, of an array of several elements, `REFERENCE:ELEMENTS`. Rows of inputs are read from the standard
   input; a row of outputs is printed with the time, so that nothing is lost in digits. */

typedef struct Variables {
    size_t n;                           /* variables */
    size_t size;                        /* elements of all */
    unsigned* references;
    double* values;
} Variables;

static inline Variables variables_of(char** first, size_t n) {
    Variables v;
    size_t i;
    v.n = n;
    v.size = 0;
    v.references = tool_memory(n, sizeof *v.references);
    for (i = 0; i < n; i++) {
        char* rest;
        v.references[i] = (unsigned)strtoul(first[i], &rest, 10);
        v.size += *rest == ':' ? strtoul(rest + 1, NULL, 10) : 1;
    }
    v.values = tool_memory(v.size, sizeof *v.values);
    return v;
}

/* Outputs from the argument `first` on, and inputs behind "--". */
static inline void variables_split(int argc, char** argv, int first, Variables* outputs, Variables* inputs) {
    int split = first;
    while (split < argc && strcmp(argv[split], "--") != 0) split++;
    *outputs = variables_of(argv + first, (size_t)(split - first));
    *inputs = variables_of(argv + split + 1, split < argc ? (size_t)(argc - split - 1) : 0);
}

static inline void variables_read(Variables* v) {
    size_t i;
    for (i = 0; i < v->size; i++)
        if (scanf("%lf", &v->values[i]) != 1) fail("inputs", "too few numbers");
}

static inline void variables_print(double t, const Variables* v) {
    size_t i;
    printf("%a", t);
    for (i = 0; i < v->size; i++) printf(" %a", v->values[i]);
    printf("\n");
}

static inline void variables_free(Variables* v) {
    free(v->references);
    free(v->values);
}
