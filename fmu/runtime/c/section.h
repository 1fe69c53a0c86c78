/* Sections of kernels: each is compiled by itself and linked behind the runtime, each with a marker ahead of its code.

   A marker is a text in the code, so that the build finds in the library, whatever its format, where a section begins.
   Of a section with no kernel that an FMU needs, the export makes zeros, marker and all: see stored.py. */

#define KB_TEXT_OF(x) #x
#define KB_TEXT(x) KB_TEXT_OF(x)
#define KB_SYMBOL(name) KB_TEXT(__USER_LABEL_PREFIX__) #name
#define KB_PLACED(symbol, content) \
    __asm__(".text\n.p2align 4\n.globl " symbol "\n" KB_HIDDEN(symbol) symbol ":\n" content ".p2align 4\n");

#if defined(_WIN32)
#define KB_INSIDE
#define KB_HIDDEN(symbol)
#else
#define KB_INSIDE __attribute__((visibility("hidden"))) /* found at a distance, without a table */
#if defined(__APPLE__)
#define KB_HIDDEN(symbol) ".private_extern " symbol "\n"
#else
#define KB_HIDDEN(symbol) ".hidden " symbol "\n"
#endif
#endif

/* What loops over lanes take, see wide_paths.h: the runtime has it, and chooses it for all sections. */
#ifndef KB_PATH
#define KB_PATH extern KB_INSIDE int
#endif

/* For a section: its marker, and where the runtime finds its kernels. */
#define KB_MARKER(name) KB_PLACED(KB_SYMBOL(kb_marker_##name), ".ascii \"keelblocks section " #name ";\"\n")
#define KB_KERNELS(name) \
    KB_INSIDE int kb_kernels_of_##name(char const *s, KernelEntry *k); \
    int kb_kernels_of_##name(char const *s, KernelEntry *k) { return find_kernel(s, k); }

/* A text in the section, where others would stand in a part that every FMU has. No quotes in it, no escapes. */
#define KB_SECTION_TEXT(name, text) \
    extern KB_INSIDE char const kb_text_##name[]; \
    KB_PLACED(KB_SYMBOL(kb_text_##name), ".asciz \"" text "\"\n")

/* For the runtime: what it sees of a section, and whether that is there. */
#define KB_SECTION(name) extern KB_INSIDE unsigned char const volatile kb_marker_##name[];
#define KB_IS_THERE(name) (kb_marker_##name[0] != 0)

/* All sections with kernels, and those without, which would not be linked if nothing named them: the build defines
   KB_SECTIONS(KERNELS, ALONE). A table of distances takes half the room of code that asks one after the other; Mach-O has
   none to what stands in other files. */
#if defined(__APPLE__)
#define KB_DECLARED(name) KB_SECTION(name) KB_INSIDE int kb_kernels_of_##name(char const *, KernelEntry *);
#define KB_TABLE KB_SECTIONS(KB_DECLARED, KB_SECTION)
#define KB_ASKED(name) if (KB_IS_THERE(name) && kb_kernels_of_##name(s, k)) return 1;
#define KB_NAMED(name) (void)KB_IS_THERE(name);
#define KB_ASK_SECTIONS(count, s, k) KB_SECTIONS(KB_ASKED, KB_NAMED)
#else
#define KB_DISTANCE(symbol) ".long " symbol " - .\n"
#define KB_DISTANCES(name) KB_DISTANCE(KB_SYMBOL(kb_marker_##name)) KB_DISTANCE(KB_SYMBOL(kb_kernels_of_##name))
#define KB_NAMED(name) KB_DISTANCE(KB_SYMBOL(kb_marker_##name))
#define KB_TABLE \
    extern KB_INSIDE int const kb_table[]; \
    KB_PLACED(KB_SYMBOL(kb_table), KB_SECTIONS(KB_DISTANCES, KB_NAMED))
#define KB_AT(i) ((char const *)&kb_table[i] + kb_table[i])
#define KB_ASK_SECTIONS(count, s, k) \
    int i; \
    for (i = 0; i < 2 * count; i += 2) { \
        if (*(unsigned char const volatile *)KB_AT(i) != 0 \
            && ((int (*)(char const *, KernelEntry *))(size_t)KB_AT(i + 1))(s, k)) return 1; \
    }
#endif
