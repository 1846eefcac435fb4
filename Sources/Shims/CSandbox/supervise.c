#define _GNU_SOURCE
#include "supervise.h"

#include "processes.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/// How many milliseconds processes may take to die of SIGKILL. Only a process that waits for broken
/// hardware in the kernel takes longer than a few.
enum { sweep_limit = 10000 };

static void supervised_signals(sigset_t *set) {
    sigemptyset(set);
    sigaddset(set, SIGTERM);
    sigaddset(set, SIGINT);
    sigaddset(set, SIGHUP);
    sigaddset(set, SIGQUIT);
    sigaddset(set, SIGCHLD);
}

void conform_begin_supervision(sigset_t *mask) {
    sigset_t set;
    supervised_signals(&set);
    sigprocmask(SIG_BLOCK, &set, mask);
    // An ignored SIGCHLD would make the kernel reap children and drop their status.
    signal(SIGCHLD, SIG_DFL);
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    // A program with file capabilities is not dumpable, and its id maps could not be written.
    prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
}

static void kill_child(const struct process_entry *entry, void *context) {
    (void)context;
    if (entry->parent == getpid()) kill(entry->process, SIGKILL);
}

/// Kills children until there are none. Their orphans become children of this process, so at the
/// end there is no descendant either.
static void sweep(void) {
    for (int elapsed = 0; elapsed < sweep_limit; elapsed++) {
        pid_t reaped;
        do {
            reaped = waitpid(-1, NULL, WNOHANG);
        } while (reaped > 0 || (reaped < 0 && errno == EINTR));
        if (reaped < 0) return;
        conform_each_process(kill_child, NULL);
        nanosleep(&(struct timespec){0, 1000000}, NULL);
    }
    static const char text[] = "conform: some processes of a case do not die\n";
    ssize_t written = write(STDERR_FILENO, text, sizeof text - 1);
    (void)written;
}

_Noreturn static void finish(int status, bool sweeps) {
    if (sweeps) sweep();
    _exit(status);
}

static int exit_status(int status) {
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void pass_signals_on(int signals, pid_t child) {
    struct signalfd_siginfo info;
    while (read(signals, &info, sizeof info) == sizeof info) {
        if (info.ssi_signo != SIGCHLD) kill(child, (int)info.ssi_signo);
    }
}

/// Waits until the child has ended, and passes signals on in the meantime; returns -1 if the child
/// was killed because the other end of the lifeline or the leash was closed.
static int watch(pid_t child, int lifeline, int leash) {
    sigset_t set;
    supervised_signals(&set);
    int signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    // In a process with other threads, one of them may consume SIGCHLD; the descriptor is safe from
    // that.
    int ended = (int)syscall(SYS_pidfd_open, child, 0);
    struct pollfd watched[] = {
        {signals, POLLIN, 0}, {lifeline, 0, 0}, {leash, 0, 0}, {ended, POLLIN, 0}};
    if (signals < 0 || ended < 0) {
        kill(child, SIGKILL);
        finish(126, true);
    }
    int result = 0;
    for (bool goes_on = true; goes_on;) {
        poll(watched, 4, -1);
        if (watched[1].revents != 0 || watched[2].revents != 0) {
            kill(child, SIGKILL);
            result = -1;
            break;
        }
        pass_signals_on(signals, child);
        int status;
        pid_t reaped;
        do {
            reaped = waitpid(-1, &status, WNOHANG);
            if (reaped == child) {
                result = exit_status(status);
                goes_on = false;
            }
        } while (reaped > 0 && goes_on);
    }
    close(signals);
    close(ended);
    return result;
}

_Noreturn void conform_supervise(pid_t child, int lifeline, int leash, bool sweeps) {
    int status = watch(child, lifeline, leash);
    finish(status < 0 ? 128 + SIGKILL : status, sweeps);
}

int conform_guard(pid_t child, int lifeline) {
    int status = watch(child, lifeline, -1);
    if (status < 0) finish(128 + SIGKILL, true);
    sweep();
    return status;
}

void conform_adopt_orphans(void) { prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); }

struct orphan_search {
    const pid_t *kept;
    size_t count, found;
};

static void kill_orphan(const struct process_entry *entry, void *context) {
    struct orphan_search *search = context;
    if (entry->parent != getpid()) return;
    for (size_t index = 0; index < search->count; index++) {
        if (search->kept[index] == entry->process) return;
    }
    kill(entry->process, SIGKILL);
    waitpid(entry->process, NULL, WNOHANG);
    search->found++;
}

void conform_end_orphans(const pid_t *kept, size_t count) {
    for (int elapsed = 0; elapsed < sweep_limit; elapsed++) {
        struct orphan_search search = {kept, count, 0};
        if (!conform_each_process(kill_orphan, &search) || search.found == 0) return;
        nanosleep(&(struct timespec){0, 1000000}, NULL);
    }
}
