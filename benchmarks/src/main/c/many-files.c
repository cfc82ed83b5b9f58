/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A library to preload (LD_PRELOAD) into a broker that opens more segments than a process may have files.
 *
 * It opens the log file of a segment, <20 digits>.log in a directory "events-<n>", closes it again, and returns a
 * number that is no descriptor. The calls that a start makes, for size and position, it answers from memory. For all other
 * calls it opens the file again for that one call. Do not use it with data that matters.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { FIRST = 100000000, MOST = 1000000, NAME_LENGTH = 24 };

struct file {
    char *path;
    int flags;
    struct stat stat;
    off_t position;
};

static struct file *files[MOST];
static int opened;

static struct file *of(int fd) {
    return fd >= FIRST && fd < FIRST + MOST ? files[fd - FIRST] : NULL;
}

static int is_segment(const char *path) {
    size_t length = strlen(path);
    return length > NAME_LENGTH && !strcmp(path + length - 4, ".log") && strstr(path, "/events-") != NULL;
}

static int really_open(const char *path, int flags, mode_t mode) {
    return (int) syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

static int remember(int fd, const char *path, int flags) {
    struct file *file = calloc(1, sizeof *file);
    int index = __atomic_fetch_add(&opened, 1, __ATOMIC_RELAXED);
    if (file == NULL || index >= MOST) {
        abort();
    }
    file->path = strdup(path);
    file->flags = flags & ~(O_CREAT | O_EXCL | O_TRUNC | O_NOFOLLOW);
    syscall(SYS_fstat, fd, &file->stat);
    syscall(SYS_close, fd);
    files[index] = file;
    return FIRST + index;
}

static int open_again(struct file *file) {
    int fd = really_open(file->path, file->flags, 0);
    if (fd >= 0) {
        syscall(SYS_lseek, fd, file->position, SEEK_SET);
    }
    return fd;
}

static void close_again(struct file *file, int fd) {
    int error = errno;
    file->position = syscall(SYS_lseek, fd, 0, SEEK_CUR);
    syscall(SYS_fstat, fd, &file->stat);
    syscall(SYS_close, fd);
    errno = error;
}

int open64(const char *path, int flags, ...) {
    mode_t mode = 0;
    if (flags & (O_CREAT | O_TMPFILE)) {
        va_list rest;
        va_start(rest, flags);
        mode = va_arg(rest, mode_t);
        va_end(rest);
    }
    int fd = really_open(path, flags, mode);
    return fd >= 0 && is_segment(path) ? remember(fd, path, flags) : fd;
}

int open(const char *path, int flags, ...) __attribute__((alias("open64")));

int fstat64(int fd, struct stat64 *stat) {
    struct file *file = of(fd);
    if (file == NULL) {
        return (int) syscall(SYS_fstat, fd, stat);
    }
    memcpy(stat, &file->stat, sizeof file->stat);
    return 0;
}

int fstat(int fd, struct stat *stat) {
    return fstat64(fd, (struct stat64 *) stat);
}

int __fxstat64(int version, int fd, struct stat64 *stat) {
    (void) version;
    return fstat64(fd, stat);
}

off64_t lseek64(int fd, off64_t offset, int whence) {
    struct file *file = of(fd);
    if (file == NULL) {
        return syscall(SYS_lseek, fd, offset, whence);
    }
    off64_t from = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? file->position : file->stat.st_size;
    return file->position = from + offset;
}

off_t lseek(int fd, off_t offset, int whence) {
    return lseek64(fd, offset, whence);
}

int close(int fd) {
    struct file *file = of(fd);
    if (file == NULL) {
        return (int) syscall(SYS_close, fd);
    }
    files[fd - FIRST] = NULL;
    free(file->path);
    free(file);
    return 0;
}

/*
 * Before Java closes a channel's file, it makes the descriptor a duplicate of another one, so that no other thread gets
 * the number. The numbers given out here are never reused, so there is nothing to do.
 */
int dup2(int from, int to) {
    return of(to) != NULL ? to : (int) syscall(SYS_dup3, from, to, 0);
}

#define AGAIN(TYPE, NAME, CALL, DECLARED, ...)                       \
    TYPE NAME DECLARED {                                             \
        struct file *file = of(fd);                                  \
        if (file == NULL) {                                          \
            return (TYPE) syscall(CALL, fd, ##__VA_ARGS__);          \
        }                                                            \
        int real = open_again(file);                                 \
        if (real < 0) {                                              \
            return -1;                                               \
        }                                                            \
        TYPE result = (TYPE) syscall(CALL, real, ##__VA_ARGS__);     \
        close_again(file, real);                                     \
        return result;                                               \
    }

AGAIN(int, ftruncate64, SYS_ftruncate, (int fd, off64_t length), length)
AGAIN(int, fsync, SYS_fsync, (int fd))
AGAIN(int, fdatasync, SYS_fdatasync, (int fd))
AGAIN(ssize_t, read, SYS_read, (int fd, void *bytes, size_t count), bytes, count)
AGAIN(ssize_t, write, SYS_write, (int fd, const void *bytes, size_t count), bytes, count)
AGAIN(ssize_t, pread64, SYS_pread64, (int fd, void *bytes, size_t count, off64_t at), bytes, count, at)
AGAIN(ssize_t, pwrite64, SYS_pwrite64, (int fd, const void *bytes, size_t count, off64_t at), bytes, count, at)
