/* The engine in WebAssembly: its functions for the host of the module, a page or a program; see docs/webassembly.md.

   The host makes room by `allocate`, writes a plan there and opens it; an engine is then a number, and many may be open.
   Addresses and sizes are those of the module's memory. Numbers are int or double only, so that JavaScript needs no
   BigInt. Nothing is imported, nothing is global: what is opened is all that there is. */

#include "engine.c"

#include <stdint.h>
#include <stdlib.h>

#ifdef KB_LINKED_LIBRARIES              /* a module with kernels of compiled libraries */
#include "libraries.h"
#include "linked_libraries.c"
#define DOOR_MORE linked_find
#else
#define DOOR_MORE NULL
#endif

#define EXPORTED(name) __attribute__((export_name(#name)))

#define DOOR_VERSION 2
#define DOOR_ROOM 2e9                   /* bytes, the most that is asked for at once */

typedef struct Engine {
    Plan* plan;                         /* NULL if what was opened cannot run */
    Detour detour;
    Recorder recorder;                  /* without places: nothing is recorded */
    Failure failure;                    /* of the opening */
    int status;                         /* of the last call that has one */
    double end;                         /* where `proceed` was to go, */
    int closed;                         /* and whether that was to be recorded */
} Engine;

static Recorder* door_recorder(Engine* e) {
    return e->recorder.places ? &e->recorder : NULL;
}

/* How many steps a call may take; 0, less, and what is no number are no limit. */
static long long door_steps(double steps) {
    return steps > 0.0 && steps < 9e15 ? (long long)steps : INT64_MAX / 2;
}

/* --- memory -------------------------------------------------------------------------------------------------------- */

EXPORTED(version) int door_version(void) {
    return DOOR_VERSION;
}

/* Room for so many bytes, for numbers of any kind; 0 if there is none. */
EXPORTED(allocate) void* door_allocate(size_t size) {
    return size < DOOR_ROOM ? malloc(size ? size : 1) : NULL;   /* zig 0.17.1 wraps sizes near 2^32 */
}

EXPORTED(release) void door_release(void* memory) {
    free(memory);
}

/* --- plans --------------------------------------------------------------------------------------------------------- */

/* An engine for the plan in these bytes, which need not stay; 0 if there is no memory. `status` says whether it can run,
   and if not, `failure` which block is the reason. */
EXPORTED(open) Engine* door_open(const unsigned char* bytes, size_t size) {
    int status;
    Plan* plan = NULL;
    const size_t needed = plan_memory(bytes, size, &status);
    Engine* e = (Engine*)calloc(1, sizeof(Engine));
    void* memory = NULL;
    double* room = NULL;
    if (e == NULL) return NULL;
    e->failure.block = -1;
    if (status == STATUS_END) {
        memory = malloc(needed);
        if (memory == NULL) {
            free(e);
            return NULL;
        }
        status = plan_open(memory, bytes, size, DOOR_MORE, &plan);
        if (plan != NULL) e->failure = plan->failure;
    }
    if (status == STATUS_END) {
        room = (double*)malloc(detour_size(plan, 0) * sizeof(double) + 1);
        if (room == NULL) {
            free(memory);
            free(e);
            return NULL;
        }
        detour_open(&e->detour, plan, room);
        e->plan = plan;
    } else {
        free(memory);
    }
    e->status = status;
    return e;
}

EXPORTED(close) void door_close(Engine* e) {
    if (e->plan) free(e->detour.inputs);
    free(e->plan);
    free(e->recorder.time);
    free(e);
}

EXPORTED(status) int door_status(const Engine* e) {
    return e->status;
}

/* Four int, block, part, element and fault, and a double, the time: see docs/webassembly.md. */
EXPORTED(failure) const Failure* door_failure(const Engine* e) {
    return e->plan ? &e->plan->failure : &e->failure;
}

/* The dotted name of a block, in UTF-8 with a 0 at the end; 0 if there is no such block. */
EXPORTED(block_name) const char* door_block_name(const Engine* e, int block) {
    const Plan* s = e->plan;
    if (s == NULL || block < 0 || block >= s->header.blocks) return NULL;
    return s->strings + s->blocks[(size_t)block * BLOCK_FIELDS + BLOCK_NAME];
}

EXPORTED(plan_start) double door_plan_start(const Engine* e) {
    return e->plan->header.start;
}

EXPORTED(plan_end) double door_plan_end(const Engine* e) {
    return e->plan->header.end;
}

EXPORTED(plan_step) double door_plan_step(const Engine* e) {
    return e->plan->header.step;
}

/* --- values -------------------------------------------------------------------------------------------------------- */

/* All numbers of the plan, double: signals, parameters, derived constants, states and what is computed of them. */
EXPORTED(values) double* door_values(const Engine* e) {
    return e->plan->values;
}

EXPORTED(value_count) int door_value_count(const Engine* e) {
    return (int)(e->plan->scratch - e->plan->values);
}

/* To be called when parameters have been written. Inputs are compared with those before. */
EXPORTED(parameters_changed) void door_parameters_changed(Engine* e) {
    e->plan->stale = 1;
}

/* Give the arrays of a size so many rows, from the next `start` on; `number` is its place in Python's `plan.numbers`. The
   host keeps to the room that the plan has. 0: there is no such size, or it would be empty. */
EXPORTED(resize) int door_resize(Engine* e, int number, int rows) {
    if (number < 0 || number >= e->plan->header.numbers || rows < 1) return 0;
    e->plan->numbers[number] = rows;
    e->plan->stale = 1;
    return 1;
}

/* --- recording ----------------------------------------------------------------------------------------------------- */

/* Record the values at these places, each `every`th point of the grid, from now on. The address of room for `capacity`
   times, behind which are as many rows of values; 0 if a place is none, or there is no memory: then nothing is recorded.
   Without places recording ends. */
EXPORTED(record) double* door_record(Engine* e, const int* places, int channels, int every, int capacity) {
    const int count = door_value_count(e);
    const double room = ((double)capacity * ((double)channels + 1.0) + (double)channels) * sizeof(double);
    double* time;
    int* own;
    int i;
    free(e->recorder.time);
    memset(&e->recorder, 0, sizeof(Recorder));
    e->detour.rows = 0;                 /* those of a detour went with the room */
    if (channels < 1 || every < 1 || capacity < 1 || !(room < DOOR_ROOM)) return NULL;
    for (i = 0; i < channels; i++)
        if (places[i] < 0 || places[i] >= count) return NULL;
    time = (double*)malloc((size_t)room);
    if (time == NULL) return NULL;
    own = (int*)(time + (size_t)capacity * ((size_t)channels + 1));
    memcpy(own, places, (size_t)channels * sizeof(int));
    e->recorder.places = own;
    e->recorder.channels = channels;
    e->recorder.every = every;
    e->recorder.capacity = capacity;
    e->recorder.time = time;
    e->recorder.out = time + capacity;
    return time;
}

/* Rows that are there. What comes when there is no more room is not recorded. */
EXPORTED(rows) int door_rows(const Engine* e) {
    return (int)e->recorder.rows;
}

/* Those of them that stay. The others were recorded on the way to an instant between steps, and come again. */
EXPORTED(rows_kept) int door_rows_kept(const Engine* e) {
    return (int)(e->detour.away ? e->detour.rows : e->recorder.rows);
}

/* --- runs ---------------------------------------------------------------------------------------------------------- */

/* Go to the initial state at time t, with the parameters and inputs as they are, and record from the first row. */
EXPORTED(start) int door_start(Engine* e, double t) {
    e->recorder.rows = 0;
    e->status = plan_start(e->plan, t);
    detour_open(&e->detour, e->plan, e->detour.inputs);
    return e->status;
}

/* Go on to `end`, at most so many steps, then STATUS_PAUSED. The run is the same wherever one ends on the way, as that of
   `keelblocks run`: an instant between its steps is seen, and the run goes on from before it, unless inputs or parameters
   are changed there. closed: record the end, too; if not, that is left to what goes on from there. */
EXPORTED(proceed) int door_proceed(Engine* e, double end, double steps, int closed) {
    if (e->status == STATUS_PAUSED && end == e->end) take_inputs(&e->detour, e->plan);
    else come_back(&e->detour, e->plan, door_recorder(e));
    e->end = end;
    e->closed = closed != 0;
    return e->status = go_on(e->plan, end, door_steps(steps), door_recorder(e), &e->detour, e->closed);
}

/* Go on to `end`, where a step ends, as an FMU does; else as `proceed`. */
EXPORTED(advance) int door_advance(Engine* e, double end, double steps) {
    come_back(&e->detour, e->plan, door_recorder(e));
    return e->status = plan_advance(e->plan, end, door_steps(steps), door_recorder(e));
}

/* Make the outputs those of the inputs and parameters in `values`, without going on. */
EXPORTED(refresh) int door_refresh(Engine* e) {
    take_inputs(&e->detour, e->plan);
    return e->status = plan_refresh(e->plan);
}

/* Where the clock stands, s. */
EXPORTED(time) double door_time(const Engine* e) {
    return e->plan->clock.t;
}

/* Steps since the start. */
EXPORTED(steps) double door_steps_taken(const Engine* e) {
    return (double)e->plan->clock.steps;
}

/* Evaluations of the right-hand side since the start. */
EXPORTED(evaluations) double door_evaluations(const Engine* e) {
    return (double)e->plan->clock.evaluations;
}

/* --- states -------------------------------------------------------------------------------------------------------- */

EXPORTED(state_size) size_t door_state_size(const Engine* e) {
    return plan_state_size(e->plan);
}

/* Write the whole state of the run, so many bytes: at an instant between its steps, that ahead of it. */
EXPORTED(save) void door_save(Engine* e, unsigned char* to) {
    const double here = e->plan->clock.t;
    come_back(&e->detour, e->plan, door_recorder(e));
    plan_save(e->plan, to);
    if (e->plan->clock.t < here) go_on(e->plan, here, door_steps(0.0), door_recorder(e), &e->detour, e->closed);
}

/* Take up a saved state of the same plan: what follows has the same bits. STATUS_OTHER_STATE if it is not one; then
   nothing has changed. Rows that were recorded stay. */
EXPORTED(restore) int door_restore(Engine* e, const unsigned char* saved, size_t size) {
    const int status = plan_restore(e->plan, saved, size);
    if (status != STATUS_END) return status;
    detour_open(&e->detour, e->plan, e->detour.inputs);
    return e->status = STATUS_END;
}
