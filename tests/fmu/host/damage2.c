/* Instances of an FMU with damaged resources, by the FMI 2.0 functions.

       damage2 LIBRARY RESOURCES GUID SCRATCH STEP SEED ROUNDS FORGE

   RESOURCES and SCRATCH are folders. Every damaged file is refused, with a message that names it; unless, with FORGE,
   its checksum was mended: then whatever instance there is must go through its life without a wrong access. A forged
   plan is opened, and not run: the widths of a block's ports mean something to its kernel only, and a plan is as much
   the program of an FMU as its binary. Prints how many files were refused, and how many forged ones were taken. */

#include "fmi2_tool.h"

#include "fuzz.h"

enum { REFERENCES = 4096, END_FROM = 8, END_TO = 16 };     /* a plan's suggested end is not part of its checksum */

typedef struct File {
    const char* name;
    char path[4096];
    unsigned char* whole;
    unsigned char* bytes;
    size_t size;
    Checksum checksum;
} File;

static const char* scratch;

static void listen(
    fmi2ComponentEnvironment environment, fmi2String name, fmi2Status status, fmi2String category, fmi2String message, ...
) {
    va_list arguments;
    (void)environment, (void)name, (void)status, (void)category;
    va_start(arguments, message);
    vsnprintf(watched_message, sizeof watched_message, message, arguments);
    va_end(arguments);
}

static const fmi2CallbackFunctions callbacks = {listen, calloc, free, NULL, NULL};

static File file_read(const char* folder, const char* name) {
    File f;
    FILE* from;
    long size;
    memset(&f, 0, sizeof f);
    f.name = name;
    snprintf(f.path, sizeof f.path, "%s/%s", folder, name);
    from = fopen(f.path, "rb");
    if (from == NULL || fseek(from, 0, SEEK_END) != 0 || (size = ftell(from)) <= 0) fail(f.path, "cannot be read");
    rewind(from);
    f.size = (size_t)size;
    f.whole = tool_memory(f.size, 1);
    f.bytes = tool_memory(f.size, 1);
    if (fread(f.whole, 1, f.size, from) != f.size) fail(f.path, "cannot be read to its end");
    fclose(from);
    if (checksums_find(f.whole, f.size, &f.checksum, 1) != 1) fail(f.path, "has no checksum");
    snprintf(f.path, sizeof f.path, "%s/%s", scratch, name);
    return f;
}

static void file_write(const File* f, size_t size) {
    FILE* to = fopen(f->path, "wb");
    if (to == NULL || fwrite(f->bytes, 1, size, to) != size || fclose(to) != 0) fail(f->path, "cannot be written");
}

static int differs(const File* f, int is_plan) {
    if (!is_plan) return memcmp(f->whole, f->bytes, f->size) != 0;
    return memcmp(f->whole, f->bytes, END_FROM) != 0 || memcmp(f->whole + END_TO, f->bytes + END_TO, f->size - END_TO) != 0;
}

/* All that a tool does with an instance, whatever comes of it. */
static void live(const Fmi2* f, fmi2Component c, double step, Random* r) {
    fmi2FMUstate state = NULL;
    unsigned i;
    int k;
    f->SetupExperiment(c, fmi2False, 0.0, 0.0, fmi2False, 0.0);
    f->EnterInitializationMode(c);
    for (i = 0; i < REFERENCES; i++) {
        const fmi2Real real = some_number(r);
        f->SetReal(c, &i, 1, &real);
    }
    f->ExitInitializationMode(c);
    for (k = 0; k < 4; k++) {
        if (k == 2) f->GetFMUstate(c, &state);
        f->DoStep(c, k * step, step, fmi2True);
    }
    for (i = 0; i < REFERENCES; i++) {
        fmi2Real real;
        fmi2Integer integer;
        fmi2Boolean boolean;
        f->GetReal(c, &i, 1, &real);
        f->GetInteger(c, &i, 1, &integer);
        f->GetBoolean(c, &i, 1, &boolean);
    }
    if (state) f->SetFMUstate(c, state);
    f->FreeFMUstate(c, &state);
    f->Reset(c);
}

int main(int argc, char** argv) {
    static Fmi2 f;
    static File files[2];
    Random r;
    unsigned long round, rounds, refused = 0, forged = 0;
    double step;
    int forge;
    if (argc != 9) fail("usage", "damage2 LIBRARY RESOURCES GUID SCRATCH STEP SEED ROUNDS FORGE");
    fmi2_open(&f, argv[1]);
    scratch = argv[4];
    files[0] = file_read(argv[2], "plan.bin");
    files[1] = file_read(argv[2], "variables.bin");
    step = strtod(argv[5], NULL);
    r.state = strtoul(argv[6], NULL, 10);
    rounds = strtoul(argv[7], NULL, 10);
    forge = atoi(argv[8]);
    for (round = 0; round < rounds; round++) {
        File* const hit = &files[random_below(&r, 2)];
        const int mend = forge && random_chance(&r, 2), cut = !mend && random_chance(&r, 8);
        size_t i, size = hit->size;
        fmi2Component c;
        watch(round);
        for (i = 0; i < 2; i++) memcpy(files[i].bytes, files[i].whole, files[i].size);
        if (cut) size = random_bits(&r) % hit->size;
        else damage(&r, hit->bytes, hit->size);
        if (mend) {                     /* the variables hold the checksum of their plan */
            checksums_mend(files[0].bytes, &files[0].checksum, 1);
            if (hit == &files[0]) memcpy(files[1].bytes + 16, files[0].bytes + 16, 8);
            checksums_mend(files[1].bytes, &files[1].checksum, 1);
        }
        for (i = 0; i < 2; i++) file_write(&files[i], &files[i] == hit ? size : files[i].size);
        watched_message[0] = 0;
        watched_call = "fmi2Instantiate";
        c = f.Instantiate("damaged", fmi2CoSimulation, argv[3], scratch, &callbacks, fmi2False, fmi2False);
        if (c == NULL) {
            if (!strstr(watched_message, files[0].path) && !strstr(watched_message, files[1].path)) broken("the message", "names no file", 0);
            if (!mend && !strstr(watched_message, hit->path)) broken("the message", "names the wrong file", 0);
            refused++;
            continue;
        }
        if (!mend && (cut || differs(hit, hit == &files[0]))) broken(hit->name, "is damaged and was not refused", 0);
        forged += (unsigned long)mend;
        watched_call = "the life of an instance";
        if (!mend || hit == &files[1]) live(&f, c, step, &r);
        f.FreeInstance(c);
    }
    printf("%lu %lu\n", refused, forged);
    for (round = 0; round < 2; round++) {
        free(files[round].whole);
        free(files[round].bytes);
    }
    dlclose(f.library);
    return 0;
}
