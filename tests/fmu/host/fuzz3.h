/* Random FMI 3.0 calls that both interfaces know: life, values, derivatives, saved states. Part of fuzz3.c.

   The rules are those of fuzz2.h. */

enum { INSTANCES = 3, STATES = 3, WIDEST = 6, ROOM = 512 };

/* States of sections 2.3, 3.2 and 4.2 of the standard, as far as a tool knows them. */
enum {
    INSTANTIATED = 1, CONFIGURATION = 2, INITIALIZATION = 4, EVENT = 8, CONTINUOUS = 16, STEP = 32, RECONFIGURATION = 64,
    TERMINATED = 128, UNKNOWN = 256, ANY = 511, RUNNING = EVENT | CONTINUOUS | STEP
};

typedef struct Saved {
    fmi3FMUState state;
    int at;
    double t;
    int forged;
} Saved;

typedef struct Subject {
    fmi3Instance c;
    int at;
    int events;                         /* of co-simulation: event mode is used */
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
    Fmi3 f;
    int exchange;                       /* model exchange, else co-simulation */
    const char* resources;
    const char* token;
    Table table;
    double step;
    Random random;
    int forge;
    unsigned long counts[4];
    unsigned long steps;
};

/* --- judgement ----------------------------------------------------------------------------------------------------- */

static fmi3Status judge(Fuzz* z, Subject* s, const char* call, int allowed, fmi3Status status) {
    if ((int)status < 0 || status > fmi3Error) broken(call, "answered that all is lost", (int)status);
    z->counts[status]++;
    if (s->at != UNKNOWN && !(s->at & allowed) && status != fmi3Error)
        broken(call, "was not refused in a state that forbids it", (int)status);
    return status;
}

/* Take note of what follows from a call that changes the state, if it succeeds: `to`. */
static void enter(Fuzz* z, Subject* s, const char* call, int allowed, int to, fmi3Status status) {
    judge(z, s, call, allowed, status);
    if (status == fmi3Error && (s->at & allowed)) s->at = UNKNOWN;
    if (status <= fmi3Warning) s->at = to;
}

static void listen(fmi3InstanceEnvironment environment, fmi3Status status, fmi3String category, fmi3String message) {
    (void)environment;
    if (category == NULL || message == NULL || !*message) broken("the logger", "was given no message", (int)status);
    snprintf(watched_message, sizeof watched_message, "%s", message);
}

/* --- life ---------------------------------------------------------------------------------------------------------- */

static void interrupt(
    fmi3InstanceEnvironment environment, fmi3Float64 t, fmi3Boolean set_requested, fmi3Boolean get_allowed,
    fmi3Boolean finished, fmi3Boolean can_return, fmi3Boolean* return_requested, fmi3Float64* return_time
) {
    Fuzz* z = environment;
    (void)set_requested, (void)get_allowed, (void)finished;
    if (!isfinite(t)) broken("the intermediate update", "was called at no time", 0);
    if (!can_return) return;
    *return_requested = random_chance(&z->random, 3);
    *return_time = random_chance(&z->random, 8) ? odd_number(&z->random) : t;
}

static void instantiate(Fuzz* z, Subject* s) {
    Random* r = &z->random;
    const int wrong = random_chance(r, 4) ? 1 + (int)random_below(r, 5) : 0;
    const char* token = wrong == 1 ? NULL : wrong == 2 ? "{another}" : z->token;
    const char* place = wrong == 3 ? NULL : wrong == 4 ? "/nowhere at all/" : z->resources;
    const char* name = wrong == 5 ? NULL : "fuzz %s ±";
    const fmi3Boolean logging = random_chance(r, 2), events = random_chance(r, 2), early = random_chance(r, 2);
    const fmi3LogMessageCallback logger = random_chance(r, 4) ? NULL : listen;
    memset(s, 0, sizeof *s);
    s->c = z->exchange
        ? z->f.InstantiateModelExchange(name, token, place, fmi3False, logging, z, logger)
        : z->f.InstantiateCoSimulation(name, token, place, fmi3False, logging, events, early, NULL, 0, z, logger,
              random_chance(r, 2) ? interrupt : NULL);
    if (wrong && s->c) broken("fmi3Instantiate…", "made an instance of wrong arguments", wrong);
    if (!wrong && s->c == NULL) broken("fmi3Instantiate…", "made no instance", 0);
    if (z->f.InstantiateScheduledExecution("x", z->token, z->resources, fmi3False, fmi3False, z, listen, NULL, NULL, NULL))
        broken("fmi3InstantiateScheduledExecution", "made an instance", 0);
    s->at = INSTANTIATED;
    s->events = events;
}

static void enter_initialization(Fuzz* z, Subject* s) {
    Random* r = &z->random;
    const double start = random_chance(r, 6) ? odd_number(r) : 0.0, stop = random_chance(r, 6) ? odd_number(r) : 1e9;
    const int sound = isfinite(start) && stop > start, at = s->at;
    const fmi3Status status = z->f.EnterInitializationMode(
        s->c, random_chance(r, 4), random_chance(r, 2) ? odd_number(r) : 1e-6, start, random_chance(r, 2), stop);
    enter(z, s, "fmi3EnterInitializationMode", INSTANTIATED, INITIALIZATION, status);
    if (status == fmi3Error && !sound) s->at = at;
    s->t = start;
}

static void exit_initialization(Fuzz* z, Subject* s) {
    enter(z, s, "fmi3ExitInitializationMode", INITIALIZATION, z->exchange || s->events ? EVENT : STEP,
        z->f.ExitInitializationMode(s->c));
}

static void configure(Fuzz* z, Subject* s) {
    if (random_chance(&z->random, 2)) {
        enter(z, s, "fmi3EnterConfigurationMode", INSTANTIATED | STEP | EVENT,
            s->at == INSTANTIATED ? CONFIGURATION : RECONFIGURATION, z->f.EnterConfigurationMode(s->c));
        return;
    }
    enter(z, s, "fmi3ExitConfigurationMode", CONFIGURATION | RECONFIGURATION,
        s->at == CONFIGURATION ? INSTANTIATED : UNKNOWN, z->f.ExitConfigurationMode(s->c));
}

static void terminate(Fuzz* z, Subject* s) {
    enter(z, s, "fmi3Terminate", RUNNING, TERMINATED, z->f.Terminate(s->c));
}

static void reset(Fuzz* z, Subject* s) {
    if (judge(z, s, "fmi3Reset", ANY, z->f.Reset(s->c)) != fmi3OK) broken("fmi3Reset", "failed", 0);
    s->at = INSTANTIATED;
    s->forged = 0;
}

static void set_logging(Fuzz* z, Subject* s) {
    static const char* const names[] = {"logEvents", "logStatusError", "logAll", "everything", "", NULL};
    const char* chosen[3];
    size_t i;
    for (i = 0; i < 3; i++) chosen[i] = names[random_below(&z->random, 6)];
    judge(z, s, "fmi3SetDebugLogging", ANY, z->f.SetDebugLogging(
        s->c, random_chance(&z->random, 2), random_below(&z->random, 4),
        random_chance(&z->random, 8) ? NULL : (const fmi3String*)chosen));
}

/* --- values -------------------------------------------------------------------------------------------------------- */

/* Some value references, mostly of this type and role (0: any), and how many elements they have together. */
static size_t choose(Fuzz* z, char type, char role, fmi3ValueReference* references, size_t* size) {
    Random* r = &z->random;
    const size_t n = random_below(r, WIDEST);
    size_t i, chosen = 0;
    *size = 0;
    for (i = 0; i < n; i++) {
        int attempts = 20;
        const Variable* v;
        do v = &z->table.rows[random_below(r, z->table.n)];
        while (attempts-- > 0 && (v->type != type || (role && v->role != role)));
        if (*size + v->width > ROOM) continue;
        references[chosen] = v->reference;
        *size += v->width;
        if (random_chance(r, 60)) references[chosen] = random_below(r, z->table.beyond + 4);
        if (random_chance(r, 200)) references[chosen] = (fmi3ValueReference)random_bits(r);
        chosen++;
    }
    if (random_chance(r, 20)) *size = random_below(r, ROOM);
    return chosen;
}

typedef union Values {
    fmi3Float64 real[ROOM];
    fmi3Float32 single[ROOM];
    fmi3Int32 integer[ROOM];
    fmi3Int64 item[ROOM];
    fmi3UInt64 size[ROOM];
    fmi3Boolean boolean[ROOM];
    fmi3String string[ROOM];
    fmi3Clock clock[ROOM];
} Values;

static void get(Fuzz* z, Subject* s) {
    enum { READABLE = INITIALIZATION | RUNNING | TERMINATED };
    Random* r = &z->random;
    fmi3ValueReference references[WIDEST];
    static Values v;
    const char type = "RRRRRIEBUCSF"[random_below(r, 12)];
    size_t i, size, n = choose(z, type, 0, references, &size);
    const int nowhere = n && size && random_chance(r, 60);
    const fmi3ValueReference* which = nowhere && random_chance(r, 2) ? NULL : references;
    fmi3Status status;
#define INTO(member) (nowhere && which ? NULL : v.member)
    switch (type) {
        case 'R': status = z->f.GetFloat64(s->c, which, n, INTO(real), size); break;
        case 'I': status = z->f.GetInt32(s->c, which, n, INTO(integer), size); break;
        case 'E': status = z->f.GetInt64(s->c, which, n, INTO(item), size); break;
        case 'B': status = z->f.GetBoolean(s->c, which, n, INTO(boolean), size); break;
        case 'U': status = z->f.GetUInt64(s->c, which, n, INTO(size), size); break;
        case 'C': status = z->f.GetClock(s->c, which, n, INTO(clock)); break;
        case 'S': status = z->f.GetString(s->c, which, n, INTO(string), size); break;
        default: status = z->f.GetFloat32(s->c, which, n, INTO(single), size);
    }
#undef INTO
    judge(z, s, "fmi3Get…", ANY, status);
    if (nowhere && status <= fmi3Warning) broken("fmi3Get…", "took NULL", (int)status);
    if (status == fmi3OK && type == 'R' && s->at & RUNNING && n)
        for (i = 0; i < size; i++)
            if (!isfinite(v.real[i])) broken("fmi3GetFloat64", "gave a number that is not finite", (int)status);
    if (status == fmi3Error && s->at & READABLE) s->at = UNKNOWN;
}

static void set(Fuzz* z, Subject* s) {
    Random* r = &z->random;
    fmi3ValueReference references[WIDEST];
    static Values v;
    const char type = "RRRRRIEBUCS"[random_below(r, 11)];
    char call[] = "fmi3Set… (?)";
    const char role = type == 'U' ? 's' : "iiit"[random_below(r, 4)];
    size_t i, size, n = choose(z, type, random_chance(r, 4) ? 'f' : role, references, &size);
    const fmi3ValueReference* which = random_chance(r, 60) ? NULL : references;
    int finite = 1;
    fmi3Status status;
    for (i = 0; i < size; i++) {
        if (type == 'R') v.real[i] = some_number(r), finite &= isfinite(v.real[i]) != 0;
        else if (type == 'I') v.integer[i] = some_integer(r);
        else if (type == 'E') v.item[i] = some_integer(r);
        else if (type == 'U') v.size[i] = random_chance(r, 8) ? random_bits(r) : random_below(r, 5);
        else if (type == 'B') v.boolean[i] = random_chance(r, 2);
        else v.string[i] = random_chance(r, 2) ? "text" : NULL;
    }
    if (type == 'C') memset(v.clock, 1, sizeof v.clock);
    switch (type) {
        case 'R': status = z->f.SetFloat64(s->c, which, n, v.real, size); break;
        case 'I': status = z->f.SetInt32(s->c, which, n, v.integer, size); break;
        case 'E': status = z->f.SetInt64(s->c, which, n, v.item, size); break;
        case 'B': status = z->f.SetBoolean(s->c, which, n, v.boolean, size); break;
        case 'U': status = z->f.SetUInt64(s->c, which, n, v.size, size); break;
        case 'C': status = z->f.SetClock(s->c, which, n, v.clock); break;
        default: status = z->f.SetString(s->c, which, n, v.string, size);
    }
    call[strlen(call) - 2] = type;
    judge(z, s, call, type == 'C' || type == 'U' ? ANY : ANY & ~TERMINATED, status);     /* setting nothing is no harm */
    if (status <= fmi3Warning && type == 'R' && n && !finite) broken("fmi3SetFloat64", "took what is not finite", (int)status);
}

static void derivatives(Fuzz* z, Subject* s) {
    Random* r = &z->random;
    fmi3ValueReference unknown[WIDEST], known[WIDEST];
    static fmi3Float64 seed[ROOM], sensitivity[ROOM];
    size_t unknowns, knowns, n = choose(z, 'R', 'o', unknown, &unknowns), k = choose(z, 'R', 'i', known, &knowns), i;
    fmi3Int32 order[WIDEST] = {1, 1, 1, 2, 0, -1};
    fmi3DependencyKind kinds[ROOM];
    size_t elements[ROOM], others[ROOM];
    fmi3ValueReference independents[ROOM];
    fmi3Status status;
    for (i = 0; i < ROOM; i++) seed[i] = some_number(r);
    switch (random_below(r, 6)) {
        case 0: status = z->f.GetDirectionalDerivative(s->c, unknown, n, known, k, seed, knowns, sensitivity, unknowns); break;
        case 1: status = z->f.GetAdjointDerivative(s->c, unknown, n, known, k, seed, unknowns, sensitivity, knowns); break;
        case 2: status = z->f.GetOutputDerivatives(s->c, unknown, n, order, sensitivity, unknowns); break;
        case 3: status = z->f.GetNumberOfVariableDependencies(s->c, random_below(r, z->table.beyond + 2), elements); break;
        case 4:
            status = z->f.GetVariableDependencies(
                s->c, random_below(r, z->table.beyond + 2), elements, independents, others, kinds, random_below(r, ROOM));
            break;
        default: status = z->f.GetIntervalDecimal(s->c, unknown, n, sensitivity, (fmi3IntervalQualifier*)order);
    }
    judge(z, s, "derivatives and dependencies", ANY, status);
    if (s->at & RUNNING) s->at = UNKNOWN;       /* a derivative may have found that the model cannot go on */
}

/* --- saved states -------------------------------------------------------------------------------------------------- */

static void save(Fuzz* z, Subject* s) {
    Saved* saved = &s->saved[random_below(&z->random, STATES)];
    const int nowhere = random_chance(&z->random, 40);
    const fmi3Status status = judge(z, s, "fmi3GetFMUState", ANY, z->f.GetFMUState(s->c, nowhere ? NULL : &saved->state));
    if (status == fmi3OK && nowhere) broken("fmi3GetFMUState", "took NULL", 0);
    if (status == fmi3OK) saved->at = s->at, saved->t = s->t, saved->forged = s->forged;
}

static void restore(Fuzz* z, Subject* s) {
    const Saved* saved = &s->saved[random_below(&z->random, STATES)];
    const fmi3Status status = judge(z, s, "fmi3SetFMUState", ANY, z->f.SetFMUState(s->c, saved->state));
    if (saved->state == NULL && status <= fmi3Warning) broken("fmi3SetFMUState", "took NULL", (int)status);
    if (saved->state && saved->at != UNKNOWN && status != fmi3OK)
        broken("fmi3SetFMUState", "refused a state that was saved", (int)status);
    if (status == fmi3OK) s->at = saved->at, s->t = saved->t, s->forged = saved->forged;
}

static void drop(Fuzz* z, Subject* s) {
    Saved* saved = &s->saved[random_below(&z->random, STATES)];
    if (judge(z, s, "fmi3FreeFMUState", ANY, z->f.FreeFMUState(s->c, &saved->state)) == fmi3OK && saved->state)
        broken("fmi3FreeFMUState", "left a pointer", 0);
}

/* Through bytes and back, as they are or damaged. */
static void through_bytes(Fuzz* z, Subject* s) {
    Random* r = &z->random;
    const Saved* saved = &s->saved[random_below(r, STATES)];
    fmi3FMUState copy = NULL;
    fmi3Byte* bytes;
    fmi3Status status;
    Checksum checksums[4];
    size_t size = 0;
    int mended = 0, spoilt = random_chance(r, 2);
    if (saved->state == NULL || z->f.SerializedFMUStateSize(s->c, saved->state, &size) != fmi3OK) return;
    bytes = tool_memory(size, 1);
    if (z->f.SerializeFMUState(s->c, saved->state, bytes, size) != fmi3OK) broken("fmi3SerializeFMUState", "failed", 0);
    if (spoilt) {
        mended = z->forge && random_chance(r, 2) ? checksums_find(bytes, size, checksums, 4) : 0;
        damage(r, bytes, size);
        checksums_mend(bytes, checksums, mended);
    }
    status = judge(z, s, "fmi3DeserializeFMUState", ANY, z->f.DeserializeFMUState(s->c, bytes, size, &copy));
    if (!spoilt && saved->at != UNKNOWN && status != fmi3OK) broken("fmi3DeserializeFMUState", "refused a sound state", (int)status);
    if (status == fmi3OK) {
        const fmi3Status set_status = judge(z, s, "fmi3SetFMUState", ANY, z->f.SetFMUState(s->c, copy));
        if (spoilt && !mended && set_status <= fmi3Discard) broken("fmi3SetFMUState", "took a damaged state", (int)set_status);
        s->at = set_status == fmi3OK && !spoilt ? saved->at : UNKNOWN;
        s->forged = spoilt || saved->forged;
        s->t = saved->t;
        if (z->f.FreeFMUState(s->c, &copy) != fmi3OK) broken("fmi3FreeFMUState", "failed", 0);
    }
    free(bytes);
}
