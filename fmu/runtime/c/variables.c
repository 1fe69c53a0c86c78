/* resources/variables.bin: which numbers of a plan are variables of the FMU, what may be done with them, and names.

   Stored, little-endian, one section after the other; `fmu/exporting/resources.py` writes it:

       VariablesHeader
       double  limits[limits][2]            lower and upper limit
       double  nominals[states]             nominal value of every continuous state
       int     ranges[ranges][6]            see the RANGE_… constants; in rising order of their places
       int     arrays[arrays][6]            see the ARRAY_… constants; in FMI 3 a value reference is a row of them
       int     unknowns[unknowns][4]        see the UNKNOWN_… constants: what FMI 3 variables depend on
       int     links[links][4]              see the LINK_… constants
       int     faults[faults][3]            block, number of the fault, place of its text in strings
       char    strings[strings]             each ended by 0

   A range is a port, parameter or state: neighbouring values with one name. Values may have several: the output of one
   block can be an element of another's, or a state. In FMI 2 a value reference is a place among the plan's values. */

#define VARIABLES_VERSION 2

enum {
    RANGE_PLACE = 0,            /* of the first element among the plan's values: its value reference */
    RANGE_WIDTH = 1,
    RANGE_COLUMNS = 2,          /* of a matrix; 0: a vector; -1: a single number */
    RANGE_KIND = 3,             /* of KIND_… */
    RANGE_LIMITS = 4,           /* number of its limits, or -1 */
    RANGE_NAME = 5,             /* place in strings of the name that messages use */
    RANGE_FIELDS = 6
};

enum {
    ARRAY_PLACE = 0,            /* of the first element among the plan's values, or as its kind says */
    ARRAY_WIDTH = 1,            /* how many elements there is room for */
    ARRAY_KIND = 2,
    ARRAY_LIMITS = 3,
    ARRAY_SIZE = 4,             /* value reference of the size that scales its first dimension; 0: its size is fixed */
    ARRAY_NAME = 5,
    ARRAY_FIELDS = 6
};

enum {
    UNKNOWN_REFERENCE = 0,
    UNKNOWN_PHASE = 1,          /* 0: in initialization, 1: while the model runs */
    UNKNOWN_LINKS = 2,          /* the first of its links, then how many */
    UNKNOWN_FIELDS = 4,
    LINK_ELEMENT = 0,           /* of the unknown, from 1 */
    LINK_REFERENCE = 1,         /* what it depends on */
    LINK_INDEPENDENT = 2,       /* which element of that, from 1; 0: all */
    LINK_KIND = 3,              /* as fmi3DependencyKind */
    LINK_FIELDS = 4
};

enum {
    KIND_REAL = 1,
    KIND_INTEGER = 2,
    KIND_BOOLEAN = 4,
    KIND_ENUMERATION = 8,       /* an integer too, one more than the number stored */
    KIND_INPUT = 16,            /* may be set at any time */
    KIND_TUNABLE = 32,          /* a parameter that may be set at any time */
    KIND_FIXED = 64,            /* a parameter that may be set until initialization ends */
    KIND_ABOVE = 128,           /* the lower limit is itself not allowed */
    KIND_BELOW = 256,           /* the upper limit is itself not allowed */
    KIND_LIMITED = 512,
    KIND_STATE = 1024,          /* a continuous state */
    KIND_DERIVATIVE = 2048,     /* of a continuous state */
    KIND_TIME = 4096,           /* the independent variable; has no place */
    KIND_CLOCK = 8192,          /* its place is the number of a sample rate, from 0 */
    KIND_SIZE = 16384,          /* a structural parameter; its place is one among the plan's numbers */
    KIND_TYPES = KIND_REAL | KIND_INTEGER | KIND_BOOLEAN,
    KIND_PARAMETER = KIND_TUNABLE | KIND_FIXED
};

typedef struct VariablesHeader {
    char magic[8];                      /* "KEELVARS" */
    unsigned long long checksum;        /* FNV-1a of everything after this field */
    unsigned long long plan;            /* checksum of the plan that these are the variables of */
    int version;
    int size;
    int limits;
    int ranges;
    int faults;
    int arrays;
    int unknowns;
    int links;
    int states;
    int strings;
    char token[64];                     /* GUID or instantiation token of the model description, ended by 0 */
} VariablesHeader;

typedef struct Variables {
    VariablesHeader header;
    const double* limits;
    const double* nominals;
    const int* ranges;
    const int* arrays;
    const int* unknowns;
    const int* links;
    const int* faults;
    const char* strings;
} Variables;

static int variables_text_is_sound(const Variables* v, int place) {
    return place >= 0 && place < v->header.strings;
}

static int variables_limits_are_sound(const Variables* v, int kind, int limits) {
    return limits < v->header.limits && (!(kind & KIND_LIMITED) || limits >= 0);
}

static int variables_range_is_sound(const Variables* v, int number, long long values) {
    const int* r = v->ranges + (size_t)number * RANGE_FIELDS;
    const int before = number ? r[RANGE_PLACE - RANGE_FIELDS] : 0;
    return r[RANGE_PLACE] >= before && r[RANGE_WIDTH] >= 0 && r[RANGE_COLUMNS] >= -1
        && (long long)r[RANGE_PLACE] + r[RANGE_WIDTH] <= values && variables_text_is_sound(v, r[RANGE_NAME])
        && variables_limits_are_sound(v, r[RANGE_KIND], r[RANGE_LIMITS]);
}

static int variables_array_is_sound(const Variables* v, int number, const Plan* plan, long long values) {
    const int* a = v->arrays + (size_t)number * ARRAY_FIELDS;
    if (a[ARRAY_PLACE] < 0 || a[ARRAY_WIDTH] < 0 || !variables_text_is_sound(v, a[ARRAY_NAME])
        || !variables_limits_are_sound(v, a[ARRAY_KIND], a[ARRAY_LIMITS])
        || a[ARRAY_SIZE] < 0 || a[ARRAY_SIZE] >= v->header.arrays) return 0;
    if (a[ARRAY_SIZE] && !(v->arrays[(size_t)a[ARRAY_SIZE] * ARRAY_FIELDS + ARRAY_KIND] & KIND_SIZE)) return 0;
    if (a[ARRAY_KIND] & KIND_TIME) return number == 0;
    if (a[ARRAY_KIND] & KIND_CLOCK) return a[ARRAY_PLACE] < plan->header.rates && a[ARRAY_WIDTH] == 1;
    if (a[ARRAY_KIND] & KIND_SIZE) {    /* between 1 and as many as there is room for */
        return a[ARRAY_PLACE] < plan->header.numbers && a[ARRAY_WIDTH] == 1 && a[ARRAY_KIND] & KIND_LIMITED
            && v->limits[2 * (size_t)a[ARRAY_LIMITS]] >= 1.0
            && v->limits[2 * (size_t)a[ARRAY_LIMITS] + 1] >= (double)plan->numbers[a[ARRAY_PLACE]];
    }
    return (long long)a[ARRAY_PLACE] + a[ARRAY_WIDTH] <= values;
}

static int variables_links_are_sound(const Variables* v) {
    const VariablesHeader* h = &v->header;
    int i;
    for (i = 0; i < h->unknowns; i++) {
        const int* u = v->unknowns + (size_t)i * UNKNOWN_FIELDS;
        if (u[UNKNOWN_REFERENCE] < 0 || u[UNKNOWN_REFERENCE] >= h->arrays || u[UNKNOWN_LINKS] < 0
            || u[UNKNOWN_LINKS + 1] < 0 || (long long)u[UNKNOWN_LINKS] + u[UNKNOWN_LINKS + 1] > h->links) return 0;
    }
    for (i = 0; i < h->links; i++) {
        const int* l = v->links + (size_t)i * LINK_FIELDS;
        if (l[LINK_ELEMENT] < 1 || l[LINK_INDEPENDENT] < 0 || l[LINK_REFERENCE] < 0 || l[LINK_REFERENCE] >= h->arrays)
            return 0;
    }
    return 1;
}

/* Look at stored variables of a plan, which must live as long as `v`. NULL, or what is wrong with them. */
static const char* variables_open(Variables* v, const unsigned char* bytes, size_t size, const Plan* plan) {
    const VariablesHeader* h = &v->header;
    const long long values = plan->scratch - plan->values;
    size_t needed;
    int i;
    if (size < sizeof(VariablesHeader)) return "the file is truncated";
    memcpy(&v->header, bytes, sizeof(VariablesHeader));
    if (h->version != VARIABLES_VERSION) return "the file was written by another version";
    if (h->size < 0 || (size_t)h->size > size) return "the file is truncated";
    if (h->limits < 0 || h->ranges < 0 || h->faults < 0 || h->arrays < 0 || h->unknowns < 0 || h->links < 0 || h->states < 0
        || h->strings < 1 || h->token[63] != 0) return "the file is damaged";
    needed = sizeof(VariablesHeader) + ((size_t)h->limits * 2 + (size_t)h->states) * sizeof(double)
        + ((size_t)h->ranges * RANGE_FIELDS + (size_t)h->arrays * ARRAY_FIELDS + (size_t)h->unknowns * UNKNOWN_FIELDS
            + (size_t)h->links * LINK_FIELDS + (size_t)h->faults * 3) * sizeof(int)
        + (size_t)h->strings;
    if (needed != size || (size_t)h->size != size || bytes[size - 1] != 0) return "the file is damaged";
    if (fnv1a(bytes + 16, size - 16) != h->checksum) return "the file is damaged";
    if (h->plan != plan->header.checksum) return "the file belongs to another plan.bin";
    if (h->states != plan->states) return "the file is damaged";
    v->limits = (const double*)(const void*)(bytes + sizeof(VariablesHeader));
    v->nominals = v->limits + 2 * (size_t)h->limits;
    v->ranges = (const int*)(const void*)(v->nominals + h->states);
    v->arrays = v->ranges + (size_t)h->ranges * RANGE_FIELDS;
    v->unknowns = v->arrays + (size_t)h->arrays * ARRAY_FIELDS;
    v->links = v->unknowns + (size_t)h->unknowns * UNKNOWN_FIELDS;
    v->faults = v->links + (size_t)h->links * LINK_FIELDS;
    v->strings = (const char*)(v->faults + 3 * (size_t)h->faults);
    for (i = 0; i < h->ranges; i++)
        if (!variables_range_is_sound(v, i, values)) return "the file is damaged";
    for (i = 0; i < h->arrays; i++)
        if (!variables_array_is_sound(v, i, plan, values)) return "the file is damaged";
    if (!variables_links_are_sound(v)) return "the file is damaged";
    for (i = 0; i < h->faults; i++)
        if (!variables_text_is_sound(v, v->faults[3 * i + 2])) return "the file is damaged";
    return NULL;
}

/* How many elements a variable of FMI 3 has at present. */
static inline long long variables_count(const Variables* v, const Plan* plan, unsigned int reference) {
    const int* a = v->arrays + (size_t)reference * ARRAY_FIELDS;
    const int* size;
    if (a[ARRAY_SIZE] == 0) return a[ARRAY_WIDTH];
    size = v->arrays + (size_t)a[ARRAY_SIZE] * ARRAY_FIELDS;
    return a[ARRAY_WIDTH] / (long long)v->limits[2 * (size_t)size[ARRAY_LIMITS] + 1] * plan->numbers[size[ARRAY_PLACE]];
}

/* Write the kind of every value into `kinds`, one for each value of the plan; 0 where there is no variable. */
static void variables_fill_kinds(const Variables* v, unsigned short* kinds) {
    int i, j;
    for (i = 0; i < v->header.ranges; i++) {
        const int* r = v->ranges + (size_t)i * RANGE_FIELDS;
        for (j = 0; j < r[RANGE_WIDTH]; j++) kinds[r[RANGE_PLACE] + j] |= (unsigned short)r[RANGE_KIND];
    }
}

static int variables_belongs(const char* name, const char* owner) {
    const size_t length = strlen(owner);
    return strncmp(name, owner, length) == 0 && name[length] == '.';
}

/* The range of one of these kinds (0: of any) that a value belongs to, of several rather one of the block `owner`. */
static const int* variables_range(const Variables* v, long long place, int kinds, const char* owner) {
    const int* found = NULL;
    int low = 0, high = v->header.ranges;
    while (low < high) {                /* to the first range that begins after the place */
        int middle = low + (high - low) / 2;
        if (v->ranges[(size_t)middle * RANGE_FIELDS + RANGE_PLACE] <= place) low = middle + 1;
        else high = middle;
    }
    while (low-- > 0) {
        const int* r = v->ranges + (size_t)low * RANGE_FIELDS;
        if (place >= (long long)r[RANGE_PLACE] + r[RANGE_WIDTH] || (kinds && !(r[RANGE_KIND] & kinds))) continue;
        if (owner == NULL || variables_belongs(v->strings + r[RANGE_NAME], owner)) return r;
        if (found == NULL) found = r;
    }
    return found;
}

/* "nu[3]" for a value of the block `owner`, else with its whole name, "plant.vessel.nu[3]"; for messages. */
static void variables_name(const Variables* v, long long place, const char* owner, char* text, size_t room) {
    const int* r = variables_range(v, place, owner ? 0 : KIND_TYPES, owner);
    const char* name = r ? v->strings + r[RANGE_NAME] : NULL;
    if (r == NULL) {
        snprintf(text, room, "value reference %lld", place);
        return;
    }
    if (owner && variables_belongs(name, owner)) name += strlen(owner) + 1;
    if (r[RANGE_COLUMNS] < 0) {
        snprintf(text, room, "%s", name);
    } else {
        const int element = (int)(place - r[RANGE_PLACE]), columns = r[RANGE_COLUMNS];
        if (columns) snprintf(text, room, "%s[%d,%d]", name, element / columns + 1, element % columns + 1);
        else snprintf(text, room, "%s[%d]", name, element + 1);
    }
}

/* The declared message of a block's fault. */
static const char* variables_fault(const Variables* v, int block, int fault) {
    int i;
    for (i = 0; i < v->header.faults; i++)
        if (v->faults[3 * i] == block && v->faults[3 * i + 1] == fault) return v->strings + v->faults[3 * i + 2];
    return "the block cannot go on";
}

/* Whether a value lies within limits; the kind of the variable says whether they are allowed themselves. */
static inline int limits_hold(const double* limits, int kind, double value) {
    if (kind & KIND_ABOVE ? !(value > limits[0]) : !(value >= limits[0])) return 0;
    return kind & KIND_BELOW ? value < limits[1] : value <= limits[1];
}

/* "> 0 and <= 1", for messages. */
static void limits_text(const double* limits, int kind, char* text, size_t room) {
    const char* above = kind & KIND_ABOVE ? ">" : ">=";
    const char* below = kind & KIND_BELOW ? "<" : "<=";
    if (limits[0] < -1.7e308) snprintf(text, room, "%s %.9g", below, limits[1]);
    else if (limits[1] > 1.7e308) snprintf(text, room, "%s %.9g", above, limits[0]);
    else snprintf(text, room, "%s %.9g and %s %.9g", above, limits[0], below, limits[1]);
}

/* Whether a value lies within the limits of the variable at a place. */
static int variables_within(const Variables* v, long long place, double value) {
    const int* r = variables_range(v, place, KIND_LIMITED, NULL);
    return r == NULL || limits_hold(v->limits + 2 * (size_t)r[RANGE_LIMITS], r[RANGE_KIND], value);
}

static void variables_limits_text(const Variables* v, long long place, char* text, size_t room) {
    const int* r = variables_range(v, place, KIND_LIMITED, NULL);
    limits_text(v->limits + 2 * (size_t)r[RANGE_LIMITS], r[RANGE_KIND], text, room);
}
