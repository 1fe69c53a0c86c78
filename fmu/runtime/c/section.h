/* Sections of kernels: each is compiled by itself and linked behind the runtime, each with a marker ahead of its code.

   A marker is a text in the code, so that the build finds in the library, whatever its format, where a section begins.
   Of a section with no kernel that an FMU needs, the export makes zeros, marker and all: see stored.py. */

#define KB_TEXT_OF(x) #x
#define KB_TEXT(x) KB_TEXT_OF(x)
#define KB_SYMBOL(name) KB_TEXT(__USER_LABEL_PREFIX__) "kb_marker_" #name

#if defined(_WIN32)
#define KB_INSIDE
#define KB_HIDDEN(name)
#else
#define KB_INSIDE __attribute__((visibility("hidden"))) /* found at a distance, without a table */
#if defined(__APPLE__)
#define KB_HIDDEN(name) ".private_extern " KB_SYMBOL(name) "\n"
#else
#define KB_HIDDEN(name) ".hidden " KB_SYMBOL(name) "\n"
#endif
#endif

/* What loops over lanes take, see wide_paths.h: the runtime has it, and chooses it for all sections. */
#ifndef KB_PATH
#define KB_PATH extern KB_INSIDE int
#endif

/* For a section: its marker, and where the runtime finds its kernels. */
#define KB_MARKER(name) \
    __asm__(".text\n.p2align 4\n.globl " KB_SYMBOL(name) "\n" KB_HIDDEN(name) KB_SYMBOL(name) ":\n" \
        ".ascii \"keelblocks section " #name ";\"\n.p2align 4\n");
#define KB_KERNELS(name) \
    int kb_kernels_of_##name(char const *s, KernelEntry *k); \
    int kb_kernels_of_##name(char const *s, KernelEntry *k) { return find_kernel(s, k); }

/* For the runtime: what it sees of a section, and whether that is there and has a kernel. */
#define KB_SECTION(name) \
    extern KB_INSIDE unsigned char const volatile kb_marker_##name[]; \
    KB_INSIDE int kb_kernels_of_##name(char const *, KernelEntry *);
#define KB_IS_THERE(name) (kb_marker_##name[0] != 0)
#define KB_HAS(name, s, k) (KB_IS_THERE(name) && kb_kernels_of_##name(s, k))
