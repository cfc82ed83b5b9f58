/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A library to preload (LD_PRELOAD) into a process, below whose directory SLOW_FSYNC_DIR each fsync shall take
 * SLOW_FSYNC_MS longer, one after the other, as on a hard disk. So does each msync, whatever it writes: Kafka's indexes
 * are the only files that a broker maps.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t disk = PTHREAD_MUTEX_INITIALIZER;

static void wait_for_disk(void) {
    const char *ms = getenv("SLOW_FSYNC_MS");
    long nanos = (ms == NULL ? 0 : atol(ms)) * 1000000L;
    struct timespec time = {nanos / 1000000000L, nanos % 1000000000L};
    pthread_mutex_lock(&disk);
    nanosleep(&time, NULL);
    pthread_mutex_unlock(&disk);
}

static int is_on_disk(int fd) {
    const char *dir = getenv("SLOW_FSYNC_DIR");
    char link[64];
    char path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (dir == NULL || length < 0) {
        return 0;
    }
    path[length] = '\0';
    return strncmp(path, dir, strlen(dir)) == 0;
}

int fsync(int fd) {
    if (is_on_disk(fd)) {
        wait_for_disk();
    }
    return (int) syscall(SYS_fsync, fd);
}

int fdatasync(int fd) {
    if (is_on_disk(fd)) {
        wait_for_disk();
    }
    return (int) syscall(SYS_fdatasync, fd);
}

int msync(void *address, size_t length, int flags) {
    wait_for_disk();
    return (int) syscall(SYS_msync, address, length, flags);
}
