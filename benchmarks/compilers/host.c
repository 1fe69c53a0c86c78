/* A host that is linked with the C of one FMU: it steps the model and prints the bits of all outputs, a line per point.
 *
 * model.h says what is run: FMI (2 or 3), TOKEN, STEP (of communication), STEPS, REFERENCES (of the outputs), COUNT (of
 * their elements). The location of the resources is the argument, or one that does not exist. With BOARD defined it runs
 * on a Cortex-M4 without an operating system, which QEMU imitates, and prints by semihosting.
 */
#include "model.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if FMI == 2
#include "fmi2Functions.h"
#else
#include "fmi3Functions.h"
#endif

static const unsigned int references[] = {REFERENCES};
enum { N = sizeof references / sizeof *references };

#ifdef BOARD
static int semihosting(int call, const void *argument)
{
    register int r0 __asm__("r0") = call;
    register const void *r1 __asm__("r1") = argument;
    __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
    return r0;
}

static void say(const char *text)
{
    (void)semihosting(4, text); /* SYS_WRITE0 */
}
#else
static void say(const char *text)
{
    fputs(text, stdout);
}
#endif

static void print_bits(const double *values)
{
    char text[24];
    int i;
    for (i = 0; i < COUNT; i++) {
        uint64_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        snprintf(text, sizeof text, "%08lx%08lx ", (unsigned long)(bits >> 32), (unsigned long)(bits & 0xffffffffu));
        say(text);
    }
    say("\n");
}

#if FMI == 2
static void listen(fmi2ComponentEnvironment environment, fmi2String name, fmi2Status status, fmi2String category,
    fmi2String message, ...)
{
    (void)environment, (void)name, (void)status, (void)category;
    say(message);
    say("\n");
}

static int run(const char *location)
{
    static fmi2CallbackFunctions callbacks; /* its members are constant */
    const fmi2CallbackFunctions given = {listen, calloc, free, NULL, NULL};
    fmi2Component c;
    double values[COUNT];
    int k;
    memcpy(&callbacks, &given, sizeof given);
    c = fmi2Instantiate("one", fmi2CoSimulation, TOKEN, location, &callbacks, fmi2False, fmi2False);
    if (c == NULL || fmi2SetupExperiment(c, fmi2False, 0.0, 0.0, fmi2False, 0.0) != fmi2OK
        || fmi2EnterInitializationMode(c) != fmi2OK || fmi2ExitInitializationMode(c) != fmi2OK)
        return 1;
    for (k = 0; k <= STEPS; k++) {
        if (k && fmi2DoStep(c, (k - 1) * STEP, STEP, fmi2True) != fmi2OK) return 2;
        if (fmi2GetReal(c, references, N, values) != fmi2OK) return 3;
        print_bits(values);
    }
    fmi2FreeInstance(c);
    return 0;
}
#else
static void listen(fmi3InstanceEnvironment environment, fmi3Status status, fmi3String category, fmi3String message)
{
    (void)environment, (void)status, (void)category;
    say(message);
    say("\n");
}

static int run(const char *location)
{
    fmi3Instance m = fmi3InstantiateCoSimulation(
        "one", TOKEN, location, fmi3False, fmi3False, fmi3False, fmi3False, NULL, 0, NULL, listen, NULL);
    fmi3Boolean event, terminate, early;
    double values[COUNT], time;
    int k;
    if (m == NULL || fmi3EnterInitializationMode(m, fmi3False, 0.0, 0.0, fmi3False, 0.0) != fmi3OK
        || fmi3ExitInitializationMode(m) != fmi3OK)
        return 1;
    for (k = 0; k <= STEPS; k++) {
        if (k && fmi3DoStep(m, (k - 1) * STEP, STEP, fmi3True, &event, &terminate, &early, &time) != fmi3OK) return 2;
        if (fmi3GetFloat64(m, references, N, values, COUNT) != fmi3OK) return 3;
        print_bits(values);
    }
    fmi3FreeInstance(m);
    return 0;
}
#endif

int main(int argc, char **argv)
{
    return run(argc > 1 ? argv[1] : "file:///nowhere/resources/");
}

#ifdef BOARD
extern uint32_t data_begin, data_end, data_stored, bss_begin, bss_end, stack_top;

void reset(void)
{
    static char *none[] = {"host"};
    memcpy(&data_begin, &data_stored, (size_t)((char *)&data_end - (char *)&data_begin));
    memset(&bss_begin, 0, (size_t)((char *)&bss_end - (char *)&bss_begin));
    if (main(1, none) != 0) say("the model has failed\n");
    (void)semihosting(0x18, (const void *)0x20026); /* SYS_EXIT */
    for (;;) {
    }
}

__attribute__((section(".vectors"), used)) static const void *const vectors[] = {&stack_top, (const void *)reset};
#endif
