/* Load an FMU 2.0 for co-simulation on Windows, step it and print one variable, with names of any letters:

       windows_host LIBRARY RESOURCES GUID STEP STEPS OUTPUT

   A line per communication point is printed, the time and the value, so that nothing is lost in digits. */

#include <stdio.h>
#include <stdlib.h>
#include <windows.h>

#include "fmi2Functions.h"

#define FIND(name) name##TYPE* name = (name##TYPE*)(void (*)(void))GetProcAddress(library, "fmi2" #name)

typedef fmi2InstantiateTYPE InstantiateTYPE;
typedef fmi2SetupExperimentTYPE SetupExperimentTYPE;
typedef fmi2EnterInitializationModeTYPE EnterInitializationModeTYPE;
typedef fmi2ExitInitializationModeTYPE ExitInitializationModeTYPE;
typedef fmi2GetRealTYPE GetRealTYPE;
typedef fmi2DoStepTYPE DoStepTYPE;
typedef fmi2FreeInstanceTYPE FreeInstanceTYPE;

static void say(fmi2ComponentEnvironment e, fmi2String name, fmi2Status s, fmi2String c, fmi2String message, ...) {
    (void)e, (void)name, (void)s, (void)c;
    fprintf(stderr, "%s\n", message);
}

static char* narrow(const wchar_t* text) {
    char* out = malloc(4096);
    WideCharToMultiByte(CP_UTF8, 0, text, -1, out, 4096, NULL, NULL);
    return out;
}

int wmain(int argc, wchar_t** argv) {
    static const fmi2CallbackFunctions callbacks = {say, calloc, free, NULL, NULL};
    HMODULE library = argc == 7 ? LoadLibraryW(argv[1]) : NULL;
    if (library == NULL) return fprintf(stderr, "LoadLibrary: error %lu\n", GetLastError()), 1;
    FIND(Instantiate);
    FIND(SetupExperiment);
    FIND(EnterInitializationMode);
    FIND(ExitInitializationMode);
    FIND(GetReal);
    FIND(DoStep);
    FIND(FreeInstance);
    const double step = wcstod(argv[4], NULL);
    const long steps = wcstol(argv[5], NULL, 10);
    const fmi2ValueReference output = (fmi2ValueReference)wcstoul(argv[6], NULL, 10);
    fmi2Component c = Instantiate("host", fmi2CoSimulation, narrow(argv[3]), narrow(argv[2]), &callbacks, 0, 0);
    if (c == NULL) return 1;
    SetupExperiment(c, fmi2False, 0.0, 0.0, fmi2False, 0.0);
    EnterInitializationMode(c);
    ExitInitializationMode(c);
    for (long k = 0; k <= steps; k++) {
        double value;
        if (k > 0 && DoStep(c, (double)(k - 1) * step, step, fmi2True) != fmi2OK) return 1;
        GetReal(c, &output, 1, &value);
        printf("%a %a\n", (double)k * step, value);
    }
    FreeInstance(c);
    FreeLibrary(library);
    return 0;
}
