#define _GNU_SOURCE
#include "processes.h"

#include "CSandbox.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/// Reads /proc/NAME/stat; returns false if the process has ended.
static bool read_entry(int proc, const char *name, struct process_entry *entry) {
    char path[32], text[1024];
    struct stat status;
    snprintf(path, sizeof path, "%s/stat", name);
    int file = openat(proc, path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return false;
    ssize_t count = read(file, text, sizeof text - 1);
    int known = fstat(file, &status);
    close(file);
    if (count <= 0 || known != 0) return false;
    text[count] = 0;
    // The name of the program is in parentheses and may contain any character.
    const char *rest = strrchr(text, ')');
    int parent, group, session;
    unsigned long threads;
    if (rest == NULL
        || sscanf(rest + 1,
               " %c %d %d %d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %lu",
               &entry->state, &parent, &group, &session, &threads)
            != 5) {
        return false;
    }
    entry->process = (pid_t)atoi(name);
    entry->parent = parent;
    entry->session = session;
    entry->threads = (unsigned)threads;
    entry->user = status.st_uid;
    return true;
}

/// Visits each process; sets `vanished` to whether one ended after it was listed.
static bool each_process(
    void (*visit)(const struct process_entry *entry, void *context), void *context,
    bool *vanished) {
    *vanished = false;
    char self[16];
    ssize_t count = readlink("/proc/self", self, sizeof self - 1);
    if (count <= 0) return false;
    self[count] = 0;
    if (atoi(self) != getpid()) return false;
    DIR *proc = opendir("/proc");
    if (proc == NULL) return false;
    for (struct dirent *item = readdir(proc); item != NULL; item = readdir(proc)) {
        if (item->d_name[0] < '1' || item->d_name[0] > '9' || strlen(item->d_name) > 10) continue;
        struct process_entry entry;
        if (read_entry(dirfd(proc), item->d_name, &entry)) {
            visit(&entry, context);
        } else {
            *vanished = true;
        }
    }
    closedir(proc);
    return true;
}

bool conform_each_process(
    void (*visit)(const struct process_entry *entry, void *context), void *context) {
    bool vanished;
    return each_process(visit, context, &vanished);
}

struct member_search {
    pid_t session;
    const char *mark;
    int signal;
    /// Whether those whose parent has ended count, whatever their session and environment.
    bool adopts;
    size_t found;
    /// The sum of the ids of those that have ended and are not released.
    uint64_t ended;
    /// Whether one ended while it was examined.
    bool vanished;
};

/// Whether a process was started with this variable in its environment (proc(5)).
static bool is_marked(pid_t process, const char *mark) {
    char path[32];
    snprintf(path, sizeof path, "/proc/%d/environ", process);
    FILE *file = fopen(path, "re");
    if (file == NULL) return false;
    char *variable = NULL;
    size_t size = 0;
    bool found = false;
    while (!found && getdelim(&variable, &size, 0, file) > 0) found = strcmp(variable, mark) == 0;
    free(variable);
    fclose(file);
    return found;
}

/// Whether this process is in the PID namespace of a case.
static bool is_in_namespace_of_case(void) {
    char name[32] = "";
    int file = open("/proc/1/comm", O_RDONLY | O_CLOEXEC);
    if (file < 0) return false;
    ssize_t count = read(file, name, sizeof name - 1);
    close(file);
    return count > 0 && strcmp(name, CONFORM_INIT_NAME "\n") == 0;
}

static void signal_member(const struct process_entry *entry, void *context) {
    struct member_search *search = context;
    if (entry->process == getpid()) return;
    if (entry->state == 'Z' || entry->state == 'X') {
        search->ended += (uint64_t)entry->process;
        return;
    }
    if (entry->session != search->session
        && (search->mark == NULL || !is_marked(entry->process, search->mark))
        && !(search->adopts && entry->parent == 1)) {
        if (kill(entry->process, 0) != 0 && errno == ESRCH) search->vanished = true;
        return;
    }
    if (search->signal != 0) kill(entry->process, search->signal);
    search->found++;
}

bool conform_has_members(pid_t session, const char *mark) {
    // A process that ended since the last pass may have started one that is not listed.
    uint64_t ended = 0;
    bool adopts = is_in_namespace_of_case();
    for (int pass = 0; pass < 100; pass++) {
        struct member_search search = {session, mark, 0, adopts, 0, 0, false};
        bool vanished = false;
        if (!each_process(signal_member, &search, &vanished)) return false;
        if (search.found > 0) return true;
        if (!vanished && !search.vanished && search.ended == ended) return false;
        ended = search.ended;
    }
    return false;
}

size_t conform_kill_members(pid_t session, const char *mark) {
    size_t total = 0;
    // A member may fork while it is being killed; the new one is found in the next pass. One that
    // executes another program has no environment for a moment.
    int empty = 0;
    for (int pass = 0; pass < 100 && empty < 2; pass++) {
        struct member_search search = {session, mark, SIGKILL, false, 0, 0, false};
        if (!conform_each_process(signal_member, &search)) break;
        empty = search.found == 0 ? empty + 1 : 0;
        total += search.found;
        nanosleep(&(struct timespec){0, 500000}, NULL);
    }
    return total;
}

static void count_threads(const struct process_entry *entry, void *context) {
    if (entry->user == geteuid()) *(size_t *)context += entry->threads;
}

size_t conform_user_threads(void) {
    size_t total = 0;
    conform_each_process(count_threads, &total);
    return total;
}

int conform_ended(pid_t process, int reaps, struct conform_exit *result) {
    siginfo_t info;
    memset(&info, 0, sizeof info);
    int options = WEXITED | WNOHANG | (reaps ? 0 : WNOWAIT);
    int outcome;
    do {
        outcome = waitid(P_PID, (id_t)process, &info, options);
    } while (outcome != 0 && errno == EINTR);
    if (outcome != 0) return -1;
    if (info.si_pid == 0) return 0;
    result->status = info.si_status;
    result->signalled = info.si_code != CLD_EXITED;
    return 1;
}

int conform_signal_descriptor(const int *numbers, int count) {
    sigset_t set;
    sigemptyset(&set);
    for (int index = 0; index < count; index++) sigaddset(&set, numbers[index]);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

int conform_signal_next(int descriptor) {
    struct signalfd_siginfo info;
    ssize_t count = read(descriptor, &info, sizeof info);
    return count == sizeof info ? (int)info.ssi_signo : 0;
}

unsigned conform_processor_count(void) {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) return (unsigned)CPU_COUNT(&set);
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? (unsigned)count : 1;
}

int conform_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

ssize_t conform_write(int descriptor, const void *bytes, size_t count) {
    sigset_t pipe_only, before, pending;
    sigemptyset(&pipe_only);
    sigaddset(&pipe_only, SIGPIPE);
    sigpending(&pending);
    bool was_pending = sigismember(&pending, SIGPIPE) == 1;
    pthread_sigmask(SIG_BLOCK, &pipe_only, &before);
    ssize_t written = write(descriptor, bytes, count);
    int error = errno;
    if (written < 0 && error == EPIPE && !was_pending) {
        sigtimedwait(&pipe_only, NULL, &(struct timespec){0, 0});
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return written < 0 ? -error : written;
}
