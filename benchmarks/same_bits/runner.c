/* The standalone engine runs jobs, see job.py for what is in their bytes:
 *
 *     runner JOB RESULT [JOB RESULT ...]
 *
 * or as a module of WebAssembly without imports: bytes go to `job_room(size)`, `job_run()` says how many bytes are at
 * `job_result()`. Compiled with -ffp-contract=off; KEELBLOCKS_WIDE gives it the wide paths.
 */
#include "engine.c"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __wasm__
#define EXPORTED(name) __attribute__((export_name(#name)))
#else
#define EXPORTED(name) static
#endif

typedef struct { /* as job.py writes it: eight bytes each, little-endian */
    long long plan, channels, every, capacity, path, knowns, unknowns;
    double start, end;
} Job;

static unsigned char *job, *result;
static size_t result_bytes;

EXPORTED(job_room) void *job_room(size_t size);
EXPORTED(job_run) size_t job_run(void);
EXPORTED(job_result) void *job_result(void);

void *job_room(size_t size)
{
    return job = realloc(job, size + 8);
}

void *job_result(void)
{
    return result;
}

static size_t padded(size_t size)
{
    return (size + 7) & ~(size_t)7;
}

/* Derivatives and jumps as cython_kernels/engine.pyx has them: a row for each unknown. */
static int all_differences(
    Plan *plan, const Job *j, double t, const unsigned *knowns, const unsigned *unknowns, const double *scales,
    double *found)
{
    size_t k, i, n = (size_t)j->unknowns, count = (size_t)(plan->scratch - plan->values);
    double *near = calloc(3 * n + count + 1, sizeof(double)), *far = near + n, *jump = far + n, *before = jump + n;
    double one = 1.0;
    int status = STATUS_END;
    plan->clock.t = t;
    plan->clock.evaluated = 0;
    plan->stale = 1;
    status = held_evaluation(plan);
    memcpy(before, plan->values, count * sizeof(double));
    plan->clock.t = t;
    plan->clock.evaluated = 0;
    for (k = 0; k < (size_t)j->knowns && status == STATUS_END; k++) {
        status = plan_differences(
            plan, before, count, &knowns[k], &one, 1, unknowns, n, DIFFERENCE_STEP * scales[k], 0, NULL, near, far, jump);
        for (i = 0; i < n; i++) {
            found[i * (size_t)j->knowns + k] = extrapolated(near[i], far[i]);
            found[(n + i) * (size_t)j->knowns + k] = jump[i];
        }
    }
    memcpy(plan->values, before, count * sizeof(double));
    free(near);
    return status;
}

/* status, rows, values; then times, rows, values up to `scratch`, derivatives and jumps: eight bytes each. */
size_t job_run(void)
{
    const Job *j = (const Job *)job;
    const unsigned char *at = job + sizeof(Job);
    const unsigned char *stored = at;
    const int *places = (const int *)(at += padded((size_t)j->plan));
    const unsigned *knowns = (const unsigned *)(at += padded(4 * (size_t)j->channels));
    const unsigned *unknowns = (const unsigned *)(at += padded(4 * (size_t)j->knowns));
    const double *scales = (const double *)(at += padded(4 * (size_t)j->unknowns));
    size_t capacity = (size_t)j->capacity, channels = (size_t)j->channels, values = 0;
    size_t matrices = 2 * (size_t)j->knowns * (size_t)j->unknowns;
    int status;
    size_t needed = plan_memory(stored, (size_t)j->plan, &status);
    void *memory = malloc(needed + 1);
    Plan *plan = NULL;
    Recorder recorder;
    double *time = malloc((capacity * (channels + 1) + 1) * sizeof(double)), *out = time + capacity, *to;
    (void)kb_choose_path((int)j->path);
    memset(&recorder, 0, sizeof recorder);
    recorder.places = places;
    recorder.channels = (int)channels;
    recorder.every = j->every;
    recorder.capacity = j->capacity;
    recorder.time = time;
    recorder.out = out;
    if (status == STATUS_END) status = plan_open(memory, stored, (size_t)j->plan, NULL, &plan);
    if (status == STATUS_END) status = plan_start(plan, j->start);
    if (status == STATUS_END && j->end > j->start) status = plan_advance(plan, j->end, 1LL << 62, &recorder);
    if (plan) values = (size_t)(plan->scratch - plan->values);

    result_bytes = (3 + (size_t)recorder.rows * (channels + 1) + values + matrices) * 8;
    result = realloc(result, result_bytes);
    memset(result, 0, result_bytes);
    to = (double *)result + 3;
    memcpy(to, time, (size_t)recorder.rows * sizeof(double));
    memcpy(to += recorder.rows, out, (size_t)recorder.rows * channels * sizeof(double));
    to += (size_t)recorder.rows * channels;
    if (matrices && status >= 0) all_differences(plan, j, plan->clock.t, knowns, unknowns, scales, to + values);
    if (plan) memcpy(to, plan->values, values * sizeof(double));
    ((long long *)result)[0] = status;
    ((long long *)result)[1] = recorder.rows;
    ((long long *)result)[2] = (long long)values;
    free(time);
    free(memory);
    return result_bytes;
}

#ifndef __wasm__
int main(int argc, char **argv)
{
    int i;
    for (i = 1; i + 1 < argc; i += 2) {
        FILE *file = fopen(argv[i], "rb");
        size_t size, got;
        if (!file || fseek(file, 0, SEEK_END)) return 2;
        size = (size_t)ftell(file);
        rewind(file);
        got = fread(job_room(size), 1, size, file);
        fclose(file);
        if (got != size || !(file = fopen(argv[i + 1], "wb"))) return 2;
        size = job_run();
        got = fwrite(result, 1, size, file);
        if (fclose(file) || got != size) return 2;
    }
    return i == argc && argc > 1 ? 0 : 2;
}
#endif
