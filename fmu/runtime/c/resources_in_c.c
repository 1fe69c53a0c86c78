/* The resources of an FMU where there are no files: compiled in, from model_in_c.h, which the export writes. In the place
   of resources.c if KEELBLOCKS_NO_FILES is defined. The location that the importing tool gives is not looked at. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model_in_c.h"

typedef void* (*ResourceAllocate)(size_t count, size_t size);
typedef void (*ResourceRelease)(void* memory);

typedef struct Resource {
    const char* path;           /* the name of the file that it was; for messages */
    const unsigned char* bytes;
    size_t size;
    const char* problem;        /* NULL, or what is wrong with it */
} Resource;

static Resource resource_load(
    const char* location, const char* name, const char* magic, ResourceAllocate allocate
) {
    Resource r = {NULL, NULL, 0, NULL};
    size_t i;
    (void)location;
    (void)allocate;
    r.path = name;
    for (i = 0; i < sizeof kb_resources / sizeof *kb_resources; i++) {
        if (strcmp(kb_resources[i].name, name) != 0) continue;
        r.bytes = kb_resources[i].bytes;
        r.size = kb_resources[i].size;
    }
    if (r.bytes == NULL) r.problem = "it is not compiled in";
    else if (r.size < 8 || memcmp(r.bytes, magic, 8) != 0) r.problem = "what is compiled in is not what its name says";
    return r;
}

static void resource_describe(const Resource* r, const char* location, char* text, size_t room) {
    (void)location;
    snprintf(text, room, "cannot use '%s': %s", r->path, r->problem);
}

static void resource_free(Resource* r, ResourceRelease release) {
    (void)release;
    r->path = NULL;
    r->bytes = NULL;
}
