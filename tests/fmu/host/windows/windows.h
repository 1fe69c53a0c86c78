/* As much of the Windows header as resources.c uses, so that its way of reading locations can be tried elsewhere. */

#include <stdio.h>
#include <wchar.h>

enum { CP_UTF8 = 65001, MB_ERR_INVALID_CHARS = 8 };

/* What would be opened, in UTF-16 or UTF-32 as the compiler has it. */
static wchar_t windows_opened[32768];

/* ASCII, Latin and the other letters of two bytes, which is enough for a test. */
static int MultiByteToWideChar(unsigned page, unsigned flags, const char* text, int length, wchar_t* wide, int room) {
    int n = 0;
    (void)page, (void)flags, (void)length;
    for (; *text && n + 1 < room; text++) {
        const unsigned char c = (unsigned char)*text;
        wide[n++] = c < 0x80 ? c : (wchar_t)((c & 0x1f) << 6 | (*++text & 0x3f));
    }
    wide[n++] = 0;
    return n;
}

static FILE* _wfopen(const wchar_t* path, const wchar_t* mode) {
    (void)mode;
    wcscpy(windows_opened, path);
    return NULL;
}
