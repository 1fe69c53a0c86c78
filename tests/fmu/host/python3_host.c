/* A tool for FMI 3 co-simulation with no Python in it, for FMUs with blocks written in Python.

       python3_host LIBRARY RESOURCES TOKEN STEP STEPS VALUE_REFERENCE COUNT

   Prints the values of one Float64 variable after initialization and after each step. Before that it calls what such FMUs
   do not have, which must be refused and not end this process. The exit code is 0, or 1 after a message. */

#include "tool.h"

#include "fmi3Functions.h"

#define FUNCTIONS(X) \
    X(InstantiateCoSimulation) X(InstantiateModelExchange) X(InstantiateScheduledExecution) X(FreeInstance) \
    X(EnterInitializationMode) X(ExitInitializationMode) X(Terminate) X(GetFloat64) X(DoStep) X(GetClock) X(SetClock) \
    X(GetBinary) X(SetBinary) X(GetUInt64) X(GetInt8) X(GetIntervalDecimal) X(GetShiftFraction) X(EnterEventMode) \
    X(EvaluateDiscreteStates) X(GetAdjointDerivative) X(GetNumberOfVariableDependencies) X(ActivateModelPartition) \
    X(GetContinuousStates) X(SetTime)

enum { MORE = 999 };

typedef struct Fmi3 {
#define X(name) fmi3##name##TYPE* name;
    FUNCTIONS(X)
#undef X
} Fmi3;

static void print_message(fmi3InstanceEnvironment environment, fmi3Status status, fmi3String category, fmi3String message) {
    FILE* stream = environment ? (FILE*)environment : stderr;
    fprintf(stream, "[%s, %d] %s\n", category, (int)status, message);
}

static void check(const char* what, fmi3Status status) {
    if (status != fmi3OK) fail(what, "failed");
}

static void refused(const char* what, fmi3Status status) {
    if (status != fmi3Error) fail(what, "was not refused");
}

static void ask_for_what_is_absent(const Fmi3* f, fmi3Instance c) {
    const fmi3ValueReference one[1] = {1};
    fmi3Clock clock[1] = {0};
    fmi3Binary binary[1] = {NULL};
    fmi3Float64 number[MORE] = {0.0};
    fmi3UInt64 count[1] = {0};
    fmi3Int8 small[1] = {0};
    fmi3IntervalQualifier qualifier[1];
    size_t size[1] = {0};
    refused("fmi3GetClock", f->GetClock(c, one, 1, clock));
    refused("fmi3SetClock", f->SetClock(c, one, 1, clock));
    refused("fmi3GetBinary", f->GetBinary(c, one, 1, size, binary, 1));
    refused("fmi3SetBinary", f->SetBinary(c, one, 1, size, binary, 1));
    refused("fmi3GetUInt64", f->GetUInt64(c, one, 1, count, 1));
    refused("fmi3GetInt8", f->GetInt8(c, one, 1, small, 1));
    refused("fmi3GetIntervalDecimal", f->GetIntervalDecimal(c, one, 1, number, qualifier));
    refused("fmi3GetShiftFraction", f->GetShiftFraction(c, one, 1, count, count));
    refused("fmi3EnterEventMode", f->EnterEventMode(c));
    refused("fmi3EvaluateDiscreteStates", f->EvaluateDiscreteStates(c));
    refused("fmi3GetAdjointDerivative", f->GetAdjointDerivative(c, one, 1, one, 1, number, 1, number, 1));
    refused("fmi3GetNumberOfVariableDependencies", f->GetNumberOfVariableDependencies(c, 1, size));
    refused("fmi3ActivateModelPartition", f->ActivateModelPartition(c, 1, 0.0));
    refused("fmi3GetContinuousStates", f->GetContinuousStates(c, number, 1));
    refused("fmi3SetTime", f->SetTime(c, 0.0));
    refused("fmi3GetFloat64 of no instance", f->GetFloat64(NULL, one, 1, number, 1));
    refused("fmi3GetFloat64 without room", f->GetFloat64(c, one, 1, NULL, 1));
    refused("fmi3GetFloat64 of too many", f->GetFloat64(c, one, 1, number, MORE));
}

static void print_row(const Fmi3* f, fmi3Instance c, double t, fmi3ValueReference reference, double* values, size_t n) {
    size_t i;
    check("fmi3GetFloat64", f->GetFloat64(c, &reference, 1, values, n));
    printf("%a", t);
    for (i = 0; i < n; i++) printf(" %a", values[i]);
    printf("\n");
}

int main(int argc, char** argv) {
    Fmi3 f;
    void* library;
    fmi3Instance c;
    fmi3ValueReference reference;
    fmi3Boolean event, terminate, early;
    fmi3Float64 reached, step;
    fmi3Float64* values;
    long k, steps;
    size_t n;
    FILE* nowhere;
    if (argc != 8) fail("usage", "python3_host LIBRARY RESOURCES TOKEN STEP STEPS VALUE_REFERENCE COUNT");
    library = tool_open(argv[1]);
#define X(name) tool_find(library, "fmi3" #name, &f.name);
    FUNCTIONS(X)
#undef X
    step = strtod(argv[4], NULL);
    steps = strtol(argv[5], NULL, 10);
    reference = (fmi3ValueReference)strtoul(argv[6], NULL, 10);
    n = strtoul(argv[7], NULL, 10);
    values = tool_memory(n, sizeof *values);
    nowhere = fopen("/dev/null", "w");

    if (f.InstantiateModelExchange("host", argv[3], argv[2], fmi3False, fmi3False, nowhere, print_message)
        || f.InstantiateScheduledExecution("host", argv[3], argv[2], fmi3False, fmi3False, nowhere, print_message, NULL, NULL, NULL))
        fail("instantiate", "there is something other than co-simulation");
    c = f.InstantiateCoSimulation("host", argv[3], argv[2], fmi3False, fmi3False, fmi3False, fmi3False, NULL, 0, nowhere,
        print_message, NULL);
    if (c) {
        ask_for_what_is_absent(&f, c);
        f.FreeInstance(c);
    }
    c = f.InstantiateCoSimulation("host", argv[3], argv[2], fmi3False, fmi3False, fmi3False, fmi3False, NULL, 0, NULL,
        print_message, NULL);
    if (c == NULL) fail("fmi3InstantiateCoSimulation", "no instance");
    check("fmi3EnterInitializationMode", f.EnterInitializationMode(c, fmi3False, 0.0, 0.0, fmi3False, 0.0));
    check("fmi3ExitInitializationMode", f.ExitInitializationMode(c));
    print_row(&f, c, 0.0, reference, values, n);
    for (k = 0; k < steps; k++) {
        check("fmi3DoStep", f.DoStep(c, (double)k * step, step, fmi3True, &event, &terminate, &early, &reached));
        print_row(&f, c, (double)(k + 1) * step, reference, values, n);
    }
    check("fmi3Terminate", f.Terminate(c));
    f.FreeInstance(c);
    free(values);
    fclose(nowhere);
    dlclose(library);
    return 0;
}
