/* Random FMI 2.0 calls that both interfaces know: life, values, derivatives, saved states. Part of fuzz2.c, fuzz2_me.c.

   A call that is not allowed in the state of an instance must be refused by its status; no status may be fatal or
   pending; a value that is read with success must be finite; a saved state that was damaged must be refused unless its
   checksums were mended. Sanitizers watch the rest. */

enum { INSTANCES = 3, STATES = 3, WIDEST = 12 };

/* States of section 4.2.4, as far as a tool knows them. */
enum { INSTANTIATED = 1, INITIALIZATION = 2, READY = 4, EVENT = 8, CONTINUOUS = 16, TERMINATED = 32, UNKNOWN = 64, ANY = 127 };
enum { RUNNING = READY | EVENT | CONTINUOUS };

typedef struct Saved {
    fmi2FMUstate state;
    int at;                             /* state that the instance was in */
    double t;
    int forged;
} Saved;

typedef struct Subject {
    fmi2Component c;
    int at;
    double t;
    int forged;                         /* it comes from a saved state that was damaged, with checksums mended */
    Saved saved[STATES];
} Subject;

typedef struct Fuzz Fuzz;

typedef struct Weighted {
    const char* name;
    void (*call)(Fuzz* z, Subject* s);
    unsigned weight;
} Weighted;

struct Fuzz {
    Fmi2 f;
    Fmi2Exchange x;
    fmi2Type type;                      /* of the instances */
    const Weighted* calls;
    size_t calls_n;
    const char* resources;
    const char* guid;
    Table table;
    double step;
    Random random;
    int forge;                          /* whether damaged states may get checksums that fit */
    unsigned long counts[4];
    unsigned long steps;                /* that were done */
};

/* --- judgement ----------------------------------------------------------------------------------------------------- */

/* Count a status and hold it against the state; returns it. `allowed`: the states in which the call may succeed. */
static fmi2Status judge(Fuzz* z, Subject* s, const char* call, int allowed, fmi2Status status) {
    if ((int)status < 0 || status > fmi2Error) broken(call, "ended the process in spirit: fatal or pending", (int)status);
    z->counts[status]++;
    if (s && s->at != UNKNOWN && !(s->at & allowed) && status != fmi2Error)
        broken(call, "was not refused in a state that forbids it", (int)status);
    return status;
}

/* A call that fails although it is allowed may have ended the model: nothing more is known of its state. */
static void lost(Subject* s, int allowed, fmi2Status status) {
    if (status == fmi2Error && (s->at & allowed)) s->at = UNKNOWN;
}

static void quiet(
    fmi2ComponentEnvironment environment, fmi2String name, fmi2Status status, fmi2String category, fmi2String message, ...
) {
    va_list arguments;
    (void)environment;
    if (name == NULL || category == NULL || message == NULL) broken("the logger", "was called with NULL", (int)status);
    va_start(arguments, message);       /* the message is a format: it must be one */
    if (vsnprintf(watched_message, sizeof watched_message, message, arguments) <= 0) broken("the logger", "was given no message", (int)status);
    va_end(arguments);
}

/* --- life ---------------------------------------------------------------------------------------------------------- */

static const fmi2CallbackFunctions callbacks = {quiet, calloc, free, NULL, NULL};
static const fmi2CallbackFunctions bare = {NULL, NULL, NULL, NULL, NULL};

static void instantiate(Fuzz* z, Subject* s) {
    Random* r = &z->random;
    const int wrong = random_chance(r, 4) ? 1 + (int)random_below(r, 7) : 0;
    const fmi2CallbackFunctions* functions = wrong == 1 ? NULL : random_chance(r, 4) ? &bare : &callbacks;
    const char* guid = wrong == 2 ? NULL : wrong == 3 ? "{another}" : z->guid;
    const char* place = wrong == 4 ? NULL : wrong == 5 ? "file:///nowhere%20at all/%zz" : z->resources;
    const fmi2Type type = wrong == 6 ? (fmi2Type)17 : z->type;
    const char* name = wrong == 7 ? NULL : "fuzz %s#r1# ±";
    memset(s, 0, sizeof *s);
    s->c = z->f.Instantiate(name, type, guid, place, functions, fmi2False, random_chance(r, 2) ? fmi2True : fmi2False);
    if (wrong && s->c) broken("fmi2Instantiate", "made an instance of wrong arguments", wrong);
    if (!wrong && s->c == NULL) broken("fmi2Instantiate", "made no instance", 0);
    s->at = INSTANTIATED;
}

static void look_at_time(Fuzz* z, Subject* s) {
    double t = 0.0;
    if (z->type == fmi2CoSimulation && z->f.GetRealStatus(s->c, fmi2LastSuccessfulTime, &t) == fmi2OK) s->t = t;
}

static void set_up(Fuzz* z, Subject* s) {
    Random* r = &z->random;
    const double start = random_chance(r, 6) ? odd_number(r) : 0.0, stop = random_chance(r, 6) ? odd_number(r) : 1e9;
    const fmi2Boolean tolerance = random_chance(r, 4) ? fmi2True : fmi2False;
    judge(z, s, "fmi2SetupExperiment", INSTANTIATED,
        z->f.SetupExperiment(s->c, tolerance, random_chance(r, 2) ? odd_number(r) : 1e-6, start, fmi2True, stop));
}

static void enter_initialization(Fuzz* z, Subject* s) {
    const fmi2Status status = judge(z, s, "fmi2EnterInitializationMode", INSTANTIATED, z->f.EnterInitializationMode(s->c));
    lost(s, INSTANTIATED, status);
    if (status <= fmi2Warning) s->at = INITIALIZATION;
}

static void exit_initialization(Fuzz* z, Subject* s) {
    const fmi2Status status = judge(z, s, "fmi2ExitInitializationMode", INITIALIZATION, z->f.ExitInitializationMode(s->c));
    lost(s, INITIALIZATION, status);
    if (status <= fmi2Warning) s->at = z->type == fmi2CoSimulation ? READY : EVENT;
    look_at_time(z, s);
}

static void terminate(Fuzz* z, Subject* s) {
    const fmi2Status status = judge(z, s, "fmi2Terminate", RUNNING, z->f.Terminate(s->c));
    lost(s, RUNNING, status);
    if (status <= fmi2Warning) s->at = TERMINATED;
}

static void reset(Fuzz* z, Subject* s) {
    if (judge(z, s, "fmi2Reset", ANY, z->f.Reset(s->c)) != fmi2OK) broken("fmi2Reset", "failed", 0);
    s->at = INSTANTIATED;
    s->forged = 0;
}

static void set_logging(Fuzz* z, Subject* s) {
    static const char* const names[] = {"logEvents", "logStatusError", "logAll", "everything", "", NULL};
    const char* chosen[3];
    size_t i;
    for (i = 0; i < 3; i++) chosen[i] = names[random_below(&z->random, 6)];
    judge(z, s, "fmi2SetDebugLogging", ANY, z->f.SetDebugLogging(
        s->c, random_chance(&z->random, 2) ? fmi2True : fmi2False, random_below(&z->random, 4),
        random_chance(&z->random, 8) ? NULL : (const fmi2String*)chosen));
}

/* --- values -------------------------------------------------------------------------------------------------------- */

/* Some value references, mostly of variables with this type and, if `role` is not 0, this role. */
static size_t choose(Fuzz* z, char type, char role, fmi2ValueReference* references) {
    Random* r = &z->random;
    const size_t n = random_below(r, WIDEST);
    size_t i;
    for (i = 0; i < n; i++) {
        int attempts = 20;
        const Variable* v;
        do v = &z->table.rows[random_below(r, z->table.n)];
        while (attempts-- > 0 && (v->type != type || (role && v->role != role)));
        references[i] = v->reference;
        if (random_chance(r, 40)) references[i] = random_below(r, z->table.beyond + 4);
        if (random_chance(r, 200)) references[i] = (fmi2ValueReference)random_bits(r);
    }
    return n;
}

static void get(Fuzz* z, Subject* s) {
    enum { READABLE = INITIALIZATION | RUNNING | TERMINATED };
    Random* r = &z->random;
    fmi2ValueReference references[WIDEST];
    fmi2Real reals[WIDEST] = {0.0};
    fmi2Integer integers[WIDEST];
    fmi2Boolean booleans[WIDEST];
    fmi2String strings[WIDEST];
    const char type = "RRRRIBS"[random_below(r, 7)];
    size_t i, n = choose(z, type, 0, references);
    const fmi2ValueReference* which = random_chance(r, 60) ? NULL : references;
    const int nowhere = random_chance(r, 60);
    fmi2Status status;
    switch (type) {
        case 'R': status = z->f.GetReal(s->c, which, n, nowhere ? NULL : reals); break;
        case 'I': status = z->f.GetInteger(s->c, which, n, nowhere ? NULL : integers); break;
        case 'B': status = z->f.GetBoolean(s->c, which, n, nowhere ? NULL : booleans); break;
        default: status = z->f.GetString(s->c, which, n, nowhere ? NULL : strings);
    }
    judge(z, s, "fmi2Get…", READABLE, status);
    if (status <= fmi2Warning && (which == NULL || nowhere) && n) broken("fmi2Get…", "took NULL", (int)status);
    if (status == fmi2OK && type == 'R' && s->at & RUNNING)
        for (i = 0; i < n; i++)
            if (!isfinite(reals[i])) broken("fmi2GetReal", "gave a number that is not finite", (int)status);
    lost(s, READABLE, status);
}

static void set(Fuzz* z, Subject* s) {
    enum { SETTABLE = INSTANTIATED | INITIALIZATION | RUNNING };
    Random* r = &z->random;
    fmi2ValueReference references[WIDEST];
    fmi2Real reals[WIDEST];
    fmi2Integer integers[WIDEST];
    fmi2Boolean booleans[WIDEST];
    fmi2String strings[WIDEST];
    const char type = "RRRRIBS"[random_below(r, 7)];
    size_t i, n = choose(z, type, random_chance(r, 3) ? 't' : random_chance(r, 3) ? 'f' : 'i', references);
    const fmi2ValueReference* which = random_chance(r, 60) ? NULL : references;
    int finite = 1;
    fmi2Status status;
    for (i = 0; i < n; i++) {
        reals[i] = some_number(r);
        finite &= isfinite(reals[i]) != 0;
        integers[i] = some_integer(r);
        booleans[i] = (fmi2Boolean)some_integer(r);
        strings[i] = random_chance(r, 2) ? "text" : NULL;
    }
    switch (type) {
        case 'R': status = z->f.SetReal(s->c, which, n, reals); break;
        case 'I': status = z->f.SetInteger(s->c, which, n, integers); break;
        case 'B': status = z->f.SetBoolean(s->c, which, n, booleans); break;
        default: status = z->f.SetString(s->c, which, n, strings);
    }
    judge(z, s, "fmi2Set…", SETTABLE, status);
    if (status <= fmi2Warning && type == 'R' && !finite) broken("fmi2SetReal", "took a number that is not finite", (int)status);
}

static void derivatives(Fuzz* z, Subject* s) {
    Random* r = &z->random;
    fmi2ValueReference unknown[WIDEST], known[WIDEST];
    fmi2Real seed[WIDEST], sensitivity[WIDEST];
    fmi2Integer order[WIDEST];
    const size_t n = choose(z, 'R', 'o', unknown), k = choose(z, 'R', 'i', known);
    size_t i;
    for (i = 0; i < WIDEST; i++) {
        seed[i] = some_number(r);
        order[i] = random_chance(r, 8) ? some_integer(r) : 1;
    }
    switch (random_below(r, 3)) {
        case 0:
            judge(z, s, "fmi2GetDirectionalDerivative", ANY,
                z->f.GetDirectionalDerivative(s->c, unknown, n, known, k, random_chance(r, 40) ? NULL : seed, sensitivity));
            break;
        case 1:
            judge(z, s, "fmi2SetRealInputDerivatives", ANY, z->f.SetRealInputDerivatives(s->c, known, k, order, seed));
            break;
        default:
            judge(z, s, "fmi2GetRealOutputDerivatives", ANY, z->f.GetRealOutputDerivatives(s->c, unknown, n, order, seed));
    }
    if (s->at & RUNNING) s->at = UNKNOWN;       /* a derivative may have found that the model cannot go on */
}

/* --- saved states -------------------------------------------------------------------------------------------------- */

static void save(Fuzz* z, Subject* s) {
    Saved* saved = &s->saved[random_below(&z->random, STATES)];
    const int nowhere = random_chance(&z->random, 40);
    const fmi2Status status = judge(z, s, "fmi2GetFMUstate", ANY, z->f.GetFMUstate(s->c, nowhere ? NULL : &saved->state));
    if (status == fmi2OK && nowhere) broken("fmi2GetFMUstate", "took NULL", 0);
    if (status == fmi2OK) saved->at = s->at, saved->t = s->t, saved->forged = s->forged;
}

static void restore(Fuzz* z, Subject* s) {
    const Saved* saved = &s->saved[random_below(&z->random, STATES)];
    const fmi2Status status = judge(z, s, "fmi2SetFMUstate", ANY, z->f.SetFMUstate(s->c, saved->state));
    if (saved->state == NULL && status <= fmi2Warning) broken("fmi2SetFMUstate", "took NULL", (int)status);
    if (saved->state && saved->at != UNKNOWN && status != fmi2OK)
        broken("fmi2SetFMUstate", "refused a state that was saved", (int)status);
    if (status == fmi2OK) s->at = saved->at, s->t = saved->t, s->forged = saved->forged;
    look_at_time(z, s);
}

static void drop(Fuzz* z, Subject* s) {
    Saved* saved = &s->saved[random_below(&z->random, STATES)];
    if (judge(z, s, "fmi2FreeFMUstate", ANY, z->f.FreeFMUstate(s->c, &saved->state)) == fmi2OK && saved->state)
        broken("fmi2FreeFMUstate", "left a pointer", 0);
}

/* Through bytes and back, as they are, cut short, or damaged. */
static void through_bytes(Fuzz* z, Subject* s) {
    Random* r = &z->random;
    Saved* saved = &s->saved[random_below(r, STATES)];
    fmi2FMUstate copy = NULL;
    fmi2Byte* bytes;
    fmi2Status status;
    Checksum checksums[4];
    size_t size = 0;
    int mended = 0, spoilt;
    if (saved->state == NULL || z->f.SerializedFMUstateSize(s->c, saved->state, &size) != fmi2OK) return;
    bytes = tool_memory(size, 1);
    if (size && z->f.SerializeFMUstate(s->c, saved->state, bytes, size - 1) <= fmi2Discard)
        broken("fmi2SerializeFMUstate", "wrote into less memory than it needs", 0);
    if (z->f.SerializeFMUstate(s->c, saved->state, bytes, size) != fmi2OK) broken("fmi2SerializeFMUstate", "failed", 0);
    spoilt = random_chance(r, 2);
    if (spoilt) {
        mended = z->forge && random_chance(r, 2) ? checksums_find(bytes, size, checksums, 4) : 0;
        damage(r, bytes, size);
        checksums_mend(bytes, checksums, mended);
    }
    if (!spoilt && random_chance(r, 8)) {
        status = z->f.DeSerializeFMUstate(s->c, bytes, random_below(r, (unsigned)size), &copy);
        if (status <= fmi2Discard) broken("fmi2DeSerializeFMUstate", "took a state that is cut short", (int)status);
    }
    status = judge(z, s, "fmi2DeSerializeFMUstate", ANY, z->f.DeSerializeFMUstate(s->c, bytes, size, &copy));
    if (!spoilt && status != fmi2OK) broken("fmi2DeSerializeFMUstate", "refused a state that is sound", (int)status);
    if (status == fmi2OK) {
        const fmi2Status set_status = judge(z, s, "fmi2SetFMUstate", ANY, z->f.SetFMUstate(s->c, copy));
        if (spoilt && !mended && set_status <= fmi2Discard) broken("fmi2SetFMUstate", "took a damaged state", (int)set_status);
        s->at = set_status == fmi2OK ? (spoilt ? UNKNOWN : saved->at) : UNKNOWN;
        if (z->f.FreeFMUstate(s->c, &copy) != fmi2OK) broken("fmi2FreeFMUstate", "failed", 0);
        s->forged = spoilt || saved->forged;
        s->t = saved->t;
        look_at_time(z, s);
    }
    free(bytes);
}

/* --- rounds -------------------------------------------------------------------------------------------------------- */

static void free_subject(Fuzz* z, Subject* s) {
    int i;
    for (i = 0; i < STATES; i++) z->f.FreeFMUstate(s->c, &s->saved[i].state);
    z->f.FreeInstance(s->c);
    memset(s, 0, sizeof *s);
}

static void make_a_call(Fuzz* z, Subject* s) {
    unsigned total = 0, i, at;
    if (s->c == NULL) {
        watched_call = "fmi2Instantiate";
        instantiate(z, s);
        return;
    }
    if (random_chance(&z->random, 150)) {
        watched_call = "fmi2FreeInstance";
        free_subject(z, s);
        return;
    }
    for (i = 0; i < z->calls_n; i++) total += z->calls[i].weight;
    at = random_below(&z->random, total);
    for (i = 0; at >= z->calls[i].weight; i++) at -= z->calls[i].weight;
    watched_call = z->calls[i].name;
    z->calls[i].call(z, s);
}

static void refuse_nothing(Fuzz* z) {
    z->f.FreeInstance(NULL);
    if (z->f.DoStep(NULL, 0.0, 0.1, fmi2True) != fmi2Error || z->f.Reset(NULL) != fmi2Error
        || z->f.GetReal(NULL, NULL, 0, NULL) != fmi2Error)
        broken("a call", "took a NULL instance", 0);
}

/* Make calls of a table, with their weights, to instances of a type. */
static int fuzz(int argc, char** argv, fmi2Type type, const Weighted* calls, size_t calls_n) {
    static Fuzz z;
    static Subject subjects[INSTANCES];
    unsigned long round, rounds;
    size_t i;
    if (argc != 9) fail("usage", "LIBRARY RESOURCES GUID VARIABLES STEP SEED ROUNDS FORGE");
    fmi2_open(&z.f, argv[1]);
    fmi2_open_exchange(&z.x, z.f.library);
    z.type = type;
    z.calls = calls;
    z.calls_n = calls_n;
    z.resources = argv[2];
    z.guid = argv[3];
    z.table = table_read(argv[4]);
    z.step = strtod(argv[5], NULL);
    z.random.state = strtoul(argv[6], NULL, 10);
    rounds = strtoul(argv[7], NULL, 10);
    z.forge = atoi(argv[8]);
    refuse_nothing(&z);
    for (round = 0; round < rounds; round++) {
        Subject* s = &subjects[random_below(&z.random, INSTANCES)];
        watch(round);
        watched_forged = s->forged;
        make_a_call(&z, s);
    }
    for (i = 0; i < INSTANCES; i++)
        if (subjects[i].c) free_subject(&z, &subjects[i]);
    printf("%lu %lu %lu %lu %lu\n", z.counts[0], z.counts[1], z.counts[2], z.counts[3], z.steps);
    free(z.table.rows);
    dlclose(z.f.library);
    return 0;
}
