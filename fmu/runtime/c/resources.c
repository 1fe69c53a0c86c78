/* The resources of an FMU: from the location that the importing tool gives to the bytes of a file.

   The location is a URI with percent-encoding (file:/…, file:///…, file://localhost/…) or, as some tools have it, a
   plain path. On Windows a drive letter, a server name and letters outside ASCII work too. */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef _WIN32
#define WIN32_LEAN_AND_MEAN             /* without rpc.h, which makes `interface` and more ordinary words macros */
#include <windows.h>
#endif

#define RESOURCE_LIMIT 0x7fffffffUL     /* stored plans count their bytes in an int */

typedef void* (*ResourceAllocate)(size_t count, size_t size);
typedef void (*ResourceRelease)(void* memory);

typedef struct Resource {
    char* path;                 /* the file, as far as the location could be read; for messages */
    unsigned char* bytes;
    size_t size;
    const char* problem;        /* NULL, or what is wrong with it */
} Resource;

static int resource_hex(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

static int resource_begins(const char* text, const char* lower) {
    for (; *lower; text++, lower++) {
        char c = *text;
        if (c >= 'A' && c <= 'Z') c = (char)(c - 'A' + 'a');
        if (c != *lower) return 0;
    }
    return 1;
}

static int resource_is_drive(const char* text) {
    return ((text[0] >= 'a' && text[0] <= 'z') || (text[0] >= 'A' && text[0] <= 'Z'))
        && (text[1] == ':' || text[1] == '|') && (text[2] == '/' || text[2] == '\\' || text[2] == 0);
}

/* Percent-decode `from` into `to`, which is as large. False if that would put a 0 into the path. */
static int resource_decode(char* to, const char* from) {
    while (*from) {
        int high = *from == '%' ? resource_hex(from[1]) : -1;
        int low = high >= 0 ? resource_hex(from[2]) : -1;
        if (low >= 0) {
            if (high == 0 && low == 0) return 0;
            *to++ = (char)(16 * high + low);
            from += 3;
        } else {
            *to++ = *from++;
        }
    }
    *to = 0;
    return 1;
}

/* The folder that `location` names, into `path`, which has room for two characters more than `location`.
   NULL, or what is wrong with the location. */
static const char* resource_folder(char* path, const char* location) {
    const char* rest = location;
    path[0] = 0;
    if (!*location) return "is empty";
    if (!resource_begins(location, "file:")) {
        if (strstr(location, "://")) return "is not a file: URI";
        strcpy(path, location);
        return NULL;
    }
    rest += 5;
    if (rest[0] == '/' && rest[1] == '/') {
        rest += 2;
        if (resource_begins(rest, "localhost/")) rest += 9;
        if (rest[0] != '/' && !resource_is_drive(rest)) {   /* the name of a server */
#ifdef _WIN32
            path[0] = path[1] = '\\';
            return resource_decode(path + 2, rest) ? NULL : "has a %00 in it";
#else
            return "names another computer";
#endif
        }
    }
    if (!resource_decode(path, rest)) return "has a %00 in it";
#ifdef _WIN32
    if (path[0] == '/' && resource_is_drive(path + 1)) memmove(path, path + 1, strlen(path));
    if (resource_is_drive(path)) path[1] = ':';
#endif
    return path[0] ? NULL : "names no folder";
}

static FILE* resource_open(const char* path) {
#ifdef _WIN32
    wchar_t wide[32768];
    if (MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, wide, 32768) > 0) return _wfopen(wide, L"rb");
#endif
    return fopen(path, "rb");
}

/* Read an open file whose first 8 bytes must be `magic`. */
static const char* resource_read(Resource* r, FILE* file, const char* magic, ResourceAllocate allocate) {
    long size;
    char head[8];
    size_t got = fread(head, 1, 8, file);
    if (ferror(file)) return strerror(errno);
    if (got < 8) return "the file is truncated";
    if (memcmp(head, magic, 8) != 0) return "the file is not what its name says: its first bytes are wrong";
    if (fseek(file, 0, SEEK_END) != 0 || (size = ftell(file)) < 0 || fseek(file, 0, SEEK_SET) != 0) return strerror(errno);
    if ((unsigned long)size > RESOURCE_LIMIT) return "the file is larger than 2 GB";
    r->bytes = (unsigned char*)allocate((size_t)size, 1);
    if (r->bytes == NULL) return "there is not enough memory for it";
    r->size = fread(r->bytes, 1, (size_t)size, file);
    if (r->size != (size_t)size) return "the file could not be read to its end";
    return NULL;
}

/* Load a file of the resources. `problem` is NULL if that worked. Free it with `resource_free` in either case. */
static Resource resource_load(
    const char* location, const char* name, const char* magic, ResourceAllocate allocate
) {
    Resource r = {NULL, NULL, 0, NULL};
    size_t length;
    FILE* file;
    if (location == NULL) location = "";
    r.path = (char*)allocate(strlen(location) + strlen(name) + 4, 1);
    if (r.path == NULL) {
        r.problem = "cannot be used: there is not enough memory";
        return r;
    }
    r.problem = resource_folder(r.path, location);
    if (r.problem) {
        r.path[0] = 0;
        return r;
    }
    length = strlen(r.path);
    if (r.path[length - 1] != '/' && r.path[length - 1] != '\\') r.path[length++] = '/';
    strcpy(r.path + length, name);
    file = resource_open(r.path);
    if (file == NULL) {
        r.problem = strerror(errno);
        return r;
    }
    r.problem = resource_read(&r, file, magic, allocate);
    fclose(file);
    return r;
}

/* Say why a file was not loaded. */
static void resource_describe(const Resource* r, const char* location, char* text, size_t room) {
    if (location == NULL) location = "";
    if (r->path && *r->path)
        snprintf(text, room, "cannot read '%s': %s (resource location '%s')", r->path, r->problem, location);
    else
        snprintf(text, room, "the resource location '%s' %s", location, r->problem);
}

static void resource_free(Resource* r, ResourceRelease release) {
    if (r->path) release(r->path);
    if (r->bytes) release(r->bytes);
    r->path = NULL;
    r->bytes = NULL;
}
