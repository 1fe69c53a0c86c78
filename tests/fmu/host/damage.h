/* Instances of an FMU with damaged resources. Part of damage2.c and damage3.c, which say how to make one and live.

       damage… LIBRARY RESOURCES TOKEN SCRATCH STEP SEED ROUNDS FORGE

   RESOURCES and SCRATCH are folders. Every damaged file is refused, with a message that names it; unless, with FORGE,
   its checksum was mended: then whatever instance there is must go through its life without a wrong access. A forged
   plan is opened, and not run: the widths of a block's ports mean something to its kernel only, and a plan is as much
   the program of an FMU as its binary. Prints how many files were refused, and how many forged ones were taken. */

enum { REFERENCES = 4096, END_FROM = 8, END_TO = 16 };     /* a plan's suggested end is not part of its checksum */

typedef struct File {
    const char* name;
    char path[4096];
    unsigned char* whole;
    unsigned char* bytes;
    size_t size;
    Checksum checksum;
} File;

/* The life of an instance with what is in a folder: true if there is an instance. `run`: it is to do steps too. */
typedef int Live(const char* token, const char* scratch, double step, int run, Random* r);

static const char* scratch;

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

/* Damage one of the two files, or cut it short, and write both. Which one; `*forged` if its checksum was mended. */
static File* spoil(File* files, Random* r, int forge, int* forged, int* differ) {
    File* const hit = &files[random_below(r, 2)];
    const int cut = random_chance(r, 8);
    const size_t size = cut ? random_bits(r) % hit->size : hit->size;
    size_t i;
    *forged = forge && !cut && random_chance(r, 2);
    for (i = 0; i < 2; i++) memcpy(files[i].bytes, files[i].whole, files[i].size);
    if (!cut) damage(r, hit->bytes, hit->size);
    if (*forged) {                      /* the variables hold the checksum of their plan */
        checksums_mend(files[0].bytes, &files[0].checksum, 1);
        if (hit == &files[0]) memcpy(files[1].bytes + 16, files[0].bytes + 16, 8);
        checksums_mend(files[1].bytes, &files[1].checksum, 1);
    }
    *differ = cut || differs(hit, hit == &files[0]);
    for (i = 0; i < 2; i++) file_write(&files[i], &files[i] == hit ? size : files[i].size);
    return hit;
}

/* Rounds of damage, with the arguments of the program. */
static int damage_rounds(int argc, char** argv, Live* live) {
    static File files[2];
    Random r;
    unsigned long round, rounds, refused = 0, taken = 0;
    double step;
    size_t i;
    if (argc != 9) fail("usage", "LIBRARY RESOURCES TOKEN SCRATCH STEP SEED ROUNDS FORGE");
    scratch = argv[4];
    files[0] = file_read(argv[2], "plan.bin");
    files[1] = file_read(argv[2], "variables.bin");
    step = strtod(argv[5], NULL);
    r.state = strtoul(argv[6], NULL, 10);
    rounds = strtoul(argv[7], NULL, 10);
    for (round = 0; round < rounds; round++) {
        int forged, differ;
        const File* hit;
        watch(round);
        watched_call = "the life of an instance";
        hit = spoil(files, &r, atoi(argv[8]), &forged, &differ);
        watched_message[0] = 0;
        if (live(argv[3], scratch, step, !forged || hit == &files[1], &r)) {
            if (!forged && differ) broken(hit->name, "is damaged and was not refused", 0);
            taken += (unsigned long)forged;
            continue;
        }
        if (!strstr(watched_message, files[0].path) && !strstr(watched_message, files[1].path))
            broken("the message", "names no file", 0);
        if (!forged && !strstr(watched_message, hit->path)) broken("the message", "names the wrong file", 0);
        refused++;
    }
    printf("%lu %lu\n", refused, taken);
    for (i = 0; i < 2; i++) {
        free(files[i].whole);
        free(files[i].bytes);
    }
    return 0;
}
