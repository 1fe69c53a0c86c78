/* Print the file that the runtime would open on Windows for each location among the arguments, or what is wrong. */

#include <stdio.h>
#include <stdlib.h>

#define _WIN32                          /* as far as resources.c is concerned; windows.h is that of the folder windows */
#include "resources.c"

#include <locale.h>

int main(int argc, char** argv) {
    int i;
    setlocale(LC_ALL, "C.UTF-8");
    for (i = 1; i < argc; i++) {
        Resource r = resource_load(argv[i], "plan.bin", "KEELPLAN", calloc);
        windows_opened[0] ? printf("%ls\n", windows_opened) : printf("! %s\n", r.problem);
        windows_opened[0] = 0;
        resource_free(&r, free);
    }
    return 0;
}
