/* A disk that fails: a library to be preloaded, which lets the n-th call of a kind fail for files below a folder.
 *
 *     disk_arm(folder, kind, n, error, full)   from now on; n counts from 1, 0 only counts; full: later calls fail too
 *     disk_calls()                             how many there were since
 *
 * A write that fails has written half of what it was given, as on a disk that runs full.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum { NONE, OPEN, WRITE, SYNC, CLOSE, RENAME };

static char folder[PATH_MAX];
static int armed = NONE, failure = EIO, keeps_failing;
static long calls, last;

void disk_arm(const char *where, int kind, long n, int error, int full) {
    strncpy(folder, where, sizeof folder - 1);
    armed = kind;
    calls = 0;
    last = n;
    failure = error;
    keeps_failing = full;
}

long disk_calls(void) { return calls; }

static int is_below(const char *path) {
    size_t length = strlen(folder);
    return strncmp(path, folder, length) == 0 && path[length] == '/';
}

static int is_open_below(int descriptor) {
    char link[64], path[PATH_MAX];
    ssize_t length;
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return is_below(path);
}

/* Whether this call, of the armed kind and in the folder, is one to fail. */
static int fails(void) {
    calls++;
    if (last == 0 || calls < last || (calls > last && !keeps_failing)) return 0;
    errno = failure;
    return 1;
}

static int fails_on(int kind, int descriptor) { return armed == kind && is_open_below(descriptor) && fails(); }

ssize_t write(int descriptor, const void *data, size_t size) {
    if (!fails_on(WRITE, descriptor)) return syscall(SYS_write, descriptor, data, size);
    if (calls == last) syscall(SYS_write, descriptor, data, size / 2);
    errno = failure;
    return -1;
}

ssize_t pwrite64(int descriptor, const void *data, size_t size, off_t at) {
    if (!fails_on(WRITE, descriptor)) return syscall(SYS_pwrite64, descriptor, data, size, at);
    if (calls == last) syscall(SYS_pwrite64, descriptor, data, size / 2, at);
    errno = failure;
    return -1;
}

ssize_t pwrite(int descriptor, const void *data, size_t size, off_t at) {
    return pwrite64(descriptor, data, size, at);
}

ssize_t writev(int descriptor, const struct iovec *parts, int count) {
    return fails_on(WRITE, descriptor) ? -1 : syscall(SYS_writev, descriptor, parts, count);
}

int fsync(int descriptor) { return fails_on(SYNC, descriptor) ? -1 : (int)syscall(SYS_fsync, descriptor); }
int fdatasync(int descriptor) { return fails_on(SYNC, descriptor) ? -1 : (int)syscall(SYS_fdatasync, descriptor); }

int close(int descriptor) {
    const int fail = fails_on(CLOSE, descriptor), error = errno, done = (int)syscall(SYS_close, descriptor);
    if (fail) errno = error;
    return fail ? -1 : done;
}

static int opened(int at, const char *path, int flags, mode_t mode) {
    if (armed == OPEN && (flags & (O_WRONLY | O_RDWR | O_CREAT)) && is_below(path) && fails()) return -1;
    return (int)syscall(SYS_openat, at, path, flags, mode);
}

#define OPENED(at)                                                                                                     \
    mode_t mode;                                                                                                       \
    va_list rest;                                                                                                      \
    va_start(rest, flags);                                                                                             \
    mode = flags & (O_CREAT | O_TMPFILE) ? (mode_t)va_arg(rest, unsigned) : 0;                                         \
    va_end(rest);                                                                                                      \
    return opened(at, path, flags, mode);

int open(const char *path, int flags, ...) { OPENED(AT_FDCWD) }
int open64(const char *path, int flags, ...) { OPENED(AT_FDCWD) }
int openat(int at, const char *path, int flags, ...) { OPENED(at) }
int openat64(int at, const char *path, int flags, ...) { OPENED(at) }

int rename(const char *from, const char *to) {
    if (armed == RENAME && is_below(to) && fails()) return -1;
    return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}
