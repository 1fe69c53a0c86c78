/* Minerva's autopilot in C: it sees her at rest 1 m off her path, and says what her propellers should do.
 *
 *     keelblocks export examples/minerva_los.yaml --format c --only autopilot --output build/autopilot
 *     cc -O2 -std=c99 -ffp-contract=off -fno-strict-aliasing -Ibuild/autopilot build/autopilot/autopilot.c \
 *         examples/autopilot_in_c/main.c -o build/autopilot/sail
 *     build/autopilot/sail
 */
#include "autopilot.h"
#include <stdio.h>

static autopilot_model pilot;

int main(void)
{
    int step, status = autopilot_init(&pilot);
    pilot.inputs.eta[1] = 1.0; /* y, m: to starboard of the first leg */
    for (step = 0; step < 500 && status == AUTOPILOT_OK; step++) {
        status = autopilot_step(&pilot);
    }
    printf("%.2f s: off the path by %.2f m, heading for %.3f rad, propellers at %.2f and %.2f rev/s\n",
        autopilot_time(&pilot), pilot.outputs.cross_track_error, pilot.outputs.heading, pilot.outputs.command[3],
        pilot.outputs.command[4]);
    return status;
}
