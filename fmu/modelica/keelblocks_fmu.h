/* An FMU for co-simulation, FMI 2.0, as an external object of Modelica: opened, set, stepped and read.
 *
 * What models of this package have in common; each has a file of its own with its references. Written by Keelblocks.
 *
 * SPDX-License-Identifier: MIT
 */

#ifndef KEELBLOCKS_FMU_INCLUDED
#define KEELBLOCKS_FMU_INCLUDED

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "ModelicaUtilities.h"

#ifdef _WIN32
#include <windows.h>
#ifdef _WIN64
#define KEELBLOCKS_FMU_BINARIES "win64"
#else
#define KEELBLOCKS_FMU_BINARIES "win32"
#endif
#define KEELBLOCKS_FMU_SUFFIX "dll"
#else
#include <dlfcn.h>
#ifdef __APPLE__
#define KEELBLOCKS_FMU_BINARIES "darwin64"
#define KEELBLOCKS_FMU_SUFFIX "dylib"
#elif defined(__aarch64__)
#define KEELBLOCKS_FMU_BINARIES "aarch64-linux"
#define KEELBLOCKS_FMU_SUFFIX "so"
#else
#define KEELBLOCKS_FMU_BINARIES "linux64"
#define KEELBLOCKS_FMU_SUFFIX "so"
#endif
#endif

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wunused-function"
#elif defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#endif

/* What tool and FMU tell each other, by the layout of FMI 2.0. */
typedef void (*keelblocks_fmu_log)(
    void *environment, const char *instance, int status, const char *category, const char *message, ...);
typedef struct {
    keelblocks_fmu_log log;
    void *(*allocate)(size_t count, size_t size);
    void (*release)(void *memory);
    void (*finished)(void *environment, int status);
    void *environment;
} keelblocks_fmu_callbacks;

/* An FMU that is open. start: when its experiment begins; sample: how many steps it has made; stopped: 1 if it wants to
 * end, after which nothing is set any more; begun: whether it is initialized; said: its last message. */
typedef struct {
    void *library;
    void *instance;
    const char *model;
    double start;
    double step;
    double sample;
    double stopped;
    int begun;
    char said[1000];
    keelblocks_fmu_callbacks callbacks;
    int (*set_reals)(void *, const unsigned int *, size_t, const double *);
    int (*set_integers)(void *, const unsigned int *, size_t, const int *);
    int (*set_booleans)(void *, const unsigned int *, size_t, const int *);
    int (*get_reals)(void *, const unsigned int *, size_t, double *);
    int (*do_step)(void *, double, double, int);
    int (*get_boolean_status)(void *, int, int *);
    int (*terminate)(void *);
    void (*free_instance)(void *);
} keelblocks_fmu;

/* Keep what the FMU says about problems, for the message that ends the simulation. */
static void keelblocks_fmu_say(
    void *environment, const char *instance, int status, const char *category, const char *message, ...)
{
    keelblocks_fmu *const o = (keelblocks_fmu *)environment;
    va_list rest;
    (void)instance;
    (void)category;
    if ((o == NULL) || (status == 0)) {
        return;
    }
    va_start(rest, message);
    (void)vsnprintf(o->said, sizeof o->said, message, rest);
    va_end(rest);
}

/* Go on if a function of the FMU has returned OK or a warning; else end with what it said. Does not return then. */
static void keelblocks_fmu_check(keelblocks_fmu *o, int status, const char *what)
{
    if (status > 1) {
        ModelicaFormatError("%s: %s failed: %s", o->model, what, o->said[0] != 0 ? o->said : "the FMU has said nothing");
    }
}

static void *keelblocks_fmu_find(keelblocks_fmu *o, const char *name)
{
    void *found = NULL;
#ifdef _WIN32
    FARPROC const address = GetProcAddress((HMODULE)o->library, name);
    (void)memcpy(&found, &address, sizeof found);
#else
    found = dlsym(o->library, name);
#endif
    if (found == NULL) {
        ModelicaFormatError("%s: the FMU has no function %s", o->model, name);
    }
    return found;
}

static void keelblocks_fmu_open_library(keelblocks_fmu *o, const char *path)
{
#ifdef _WIN32
    o->library = (void *)LoadLibraryA(path);
    if (o->library == NULL) {
        ModelicaFormatError("%s: %s cannot be loaded (error %lu)", o->model, path, (unsigned long)GetLastError());
    }
#else
    o->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (o->library == NULL) {
        ModelicaFormatError("%s: %s cannot be loaded: %s", o->model, path, dlerror());
    }
#endif
}

/* A function of the FMU by its name, into a pointer to functions. */
#define KEELBLOCKS_FMU_TAKE(pointer, name) \
    do { \
        void *const address = keelblocks_fmu_find(o, name); \
        (void)memcpy(&(pointer), &address, sizeof address); \
    } while (0)

/* The folder as a URI: slashes, and three of them ahead; what a URI cannot have is written as %xx. */
static void keelblocks_fmu_uri(const char *folder, char *uri, size_t room)
{
    const char *from = folder;
    size_t at = (size_t)sprintf(uri, "file://%s", folder[0] == '/' ? "" : "/");
    for (; (*from != 0) && (at + 14u < room); from += 1) {
        const unsigned char c = (unsigned char)*from;
        if (c == (unsigned char)'\\') {
            uri[at] = '/';
            at += 1u;
        } else if ((c <= 32u) || (c >= 127u) || (strchr("%#?\"<>", (int)c) != NULL)) {
            at += (size_t)sprintf(uri + at, "%%%02X", (unsigned int)c);
        } else {
            uri[at] = (char)c;
            at += 1u;
        }
    }
    (void)strcpy(uri + at, "/resources");
}

/* An instance of the FMU that is unpacked in a folder, before its initialization. */
static keelblocks_fmu *keelblocks_fmu_new(
    const char *model, const char *folder, const char *identifier, const char *guid, double start, double step)
{
    keelblocks_fmu *const o = (keelblocks_fmu *)calloc(1, sizeof(keelblocks_fmu));
    void *(*instantiate)(const char *, int, const char *, const char *, const keelblocks_fmu_callbacks *, int, int);
    char path[4000], uri[4000];
    if (o == NULL) {
        ModelicaFormatError("%s: there is not enough memory", model);
    }
    o->model = model;
    o->start = start;
    o->step = step;
    if ((strlen(folder) + strlen(identifier) + 50u) * 3u > sizeof path) {
        ModelicaFormatError("%s: the path of the FMU is too long: %s", model, folder);
    }
    (void)sprintf(path, "%s/binaries/%s/%s.%s", folder, KEELBLOCKS_FMU_BINARIES, identifier, KEELBLOCKS_FMU_SUFFIX);
    keelblocks_fmu_open_library(o, path);
    KEELBLOCKS_FMU_TAKE(instantiate, "fmi2Instantiate");
    KEELBLOCKS_FMU_TAKE(o->set_reals, "fmi2SetReal");
    KEELBLOCKS_FMU_TAKE(o->set_integers, "fmi2SetInteger");
    KEELBLOCKS_FMU_TAKE(o->set_booleans, "fmi2SetBoolean");
    KEELBLOCKS_FMU_TAKE(o->get_reals, "fmi2GetReal");
    KEELBLOCKS_FMU_TAKE(o->do_step, "fmi2DoStep");
    KEELBLOCKS_FMU_TAKE(o->get_boolean_status, "fmi2GetBooleanStatus");
    KEELBLOCKS_FMU_TAKE(o->terminate, "fmi2Terminate");
    KEELBLOCKS_FMU_TAKE(o->free_instance, "fmi2FreeInstance");
    keelblocks_fmu_uri(folder, uri, sizeof uri);
    o->callbacks.log = keelblocks_fmu_say;
    o->callbacks.allocate = calloc;
    o->callbacks.release = free;
    o->callbacks.environment = o;
    o->instance = instantiate(model, 1, guid, uri, &o->callbacks, 0, 0);
    if (o->instance == NULL) {
        keelblocks_fmu_check(o, 3, "fmi2Instantiate");
    }
    return o;
}

/* Initialize with the parameters that were set. A simulation that begins after the first sample begins there. */
static void keelblocks_fmu_begin(keelblocks_fmu *o, double t)
{
    int (*set_up)(void *, int, double, double, int, double);
    int (*enter)(void *);
    int (*leave)(void *);
    if (t > o->start + (0.5 * o->step)) {
        o->start = t;
    }
    KEELBLOCKS_FMU_TAKE(set_up, "fmi2SetupExperiment");
    KEELBLOCKS_FMU_TAKE(enter, "fmi2EnterInitializationMode");
    KEELBLOCKS_FMU_TAKE(leave, "fmi2ExitInitializationMode");
    keelblocks_fmu_check(o, set_up(o->instance, 0, 0.0, o->start, 0, 0.0), "fmi2SetupExperiment");
    keelblocks_fmu_check(o, enter(o->instance), "fmi2EnterInitializationMode");
    keelblocks_fmu_check(o, leave(o->instance), "fmi2ExitInitializationMode");
    o->begun = 1;
}

/* As many values as follow a reference; of choices and switches they are whole numbers. */
static void keelblocks_fmu_put(keelblocks_fmu *o, unsigned int first, const double *from, size_t n)
{
    size_t i;
    for (i = 0; (i < n) && (o->stopped == 0.0); i += 1) {
        const unsigned int reference = first + (unsigned int)i;
        keelblocks_fmu_check(o, o->set_reals(o->instance, &reference, 1u, from + i), "fmi2SetReal");
    }
}

static void keelblocks_fmu_put_integers(keelblocks_fmu *o, unsigned int first, const int *from, size_t n)
{
    size_t i;
    for (i = 0; i < n; i += 1) {
        const unsigned int reference = first + (unsigned int)i;
        keelblocks_fmu_check(o, o->set_integers(o->instance, &reference, 1u, from + i), "fmi2SetInteger");
    }
}

static void keelblocks_fmu_put_booleans(keelblocks_fmu *o, unsigned int first, const int *from, size_t n)
{
    size_t i;
    for (i = 0; i < n; i += 1) {
        const unsigned int reference = first + (unsigned int)i;
        keelblocks_fmu_check(o, o->set_booleans(o->instance, &reference, 1u, from + i), "fmi2SetBoolean");
    }
}

static void keelblocks_fmu_show(keelblocks_fmu *o, unsigned int first, double *to, size_t n)
{
    size_t i;
    for (i = 0; i < n; i += 1) {
        const unsigned int reference = first + (unsigned int)i;
        keelblocks_fmu_check(o, o->get_reals(o->instance, &reference, 1u, to + i), "fmi2GetReal");
    }
}

/* Steps up to an instant, with the inputs that were put last held. An FMU that wants to end discards a step. */
static void keelblocks_fmu_go_to(keelblocks_fmu *o, double t)
{
    if (o->begun == 0) {
        keelblocks_fmu_begin(o, t);
    }
    while ((o->stopped == 0.0) && ((o->start + ((o->sample + 0.5) * o->step)) <= t)) {
        const double now = o->start + (o->sample * o->step);
        const int status = o->do_step(o->instance, now, o->step, 1);
        if (status == 2) {
            int ended = 0;
            keelblocks_fmu_check(o, o->get_boolean_status(o->instance, 3, &ended), "fmi2GetBooleanStatus");
            o->stopped = (ended != 0) ? 1.0 : 0.0;
        }
        if (o->stopped == 0.0) {
            keelblocks_fmu_check(o, status, "fmi2DoStep");
        }
        o->sample += 1.0;
    }
}

static void keelblocks_fmu_free(keelblocks_fmu *o)
{
    if (o == NULL) {
        return;
    }
    if (o->instance != NULL) {
        if (o->begun != 0) {
            (void)o->terminate(o->instance);
        }
        o->free_instance(o->instance);
    }
    if (o->library != NULL) {
#ifdef _WIN32
        (void)FreeLibrary((HMODULE)o->library);
#else
        (void)dlclose(o->library);
#endif
    }
    free(o);
}

#if defined(__clang__)
#pragma clang diagnostic pop
#elif defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
#endif
