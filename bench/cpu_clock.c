/* The clock of a process that counts its own CPU seconds, so that time limits mean the same on a machine that others use, too.
 *
 * Loaded before the C library (LD_PRELOAD). The monotonic clock stands for time limits in symsnap, and for how long a thread
 * waits; what waits gets the real clock back, or it would wait for its own work. CPU time is asked for at most 2,000
 * times a second: asking takes a system call. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <linux/futex.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <time.h>

#define SECOND 1000000000LL

static int real_clock(clockid_t id, struct timespec *to) {
    static int (*found)(clockid_t, struct timespec *);
    if (!found) found = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    return found(id, to);
}

static long long nanoseconds(const struct timespec *of) { return of->tv_sec * SECOND + of->tv_nsec; }

int clock_gettime(clockid_t id, struct timespec *to) {
    static _Thread_local struct timespec asked, cpu;
    struct timespec now;
    if (id != CLOCK_MONOTONIC) return real_clock(id, to);
    real_clock(id, &now);
    long long since = nanoseconds(&now) - nanoseconds(&asked);
    if (since > SECOND / 2000 || since < 0) {
        asked = now;
        real_clock(CLOCK_PROCESS_CPUTIME_ID, &cpu);
    }
    *to = cpu;
    return 0;
}

long syscall(long number, ...) {
    static long (*found)(long, ...);
    long arguments[6];
    struct timespec now, cpu, until;
    va_list given;
    if (!found) found = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
    va_start(given, number);
    for (int at = 0; at < 6; at++) arguments[at] = va_arg(given, long);
    va_end(given);
    if (number == SYS_futex && (arguments[1] & FUTEX_CMD_MASK) == FUTEX_WAIT_BITSET && arguments[3]) {
        real_clock(CLOCK_MONOTONIC, &now);
        clock_gettime(CLOCK_MONOTONIC, &cpu);
        long long wait = nanoseconds((struct timespec *)arguments[3]) - nanoseconds(&cpu);
        wait = (wait > SECOND / 1000 ? wait : SECOND / 1000) + nanoseconds(&now);
        until.tv_sec = wait / SECOND;
        until.tv_nsec = wait % SECOND;
        arguments[3] = (long)&until;
    }
    return found(number, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4], arguments[5]);
}
