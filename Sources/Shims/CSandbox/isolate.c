#define _GNU_SOURCE
#include "CSandbox.h"

#include "namespaces.h"
#include "processes.h"
#include "supervise.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/memfd.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/// Returns whether this process may capture on its network.
static bool may_capture(void) {
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3];
    memset(sets, 0, sizeof sets);
    return syscall(SYS_capget, &header, sets) == 0
        && (sets[0].effective & (1U << CAP_NET_RAW)) != 0;
}

static struct conform_outcome *outcome(struct conform_isolation_result *result, unsigned kind) {
    switch (kind) {
    case CONFORM_NAMESPACE_USER: return &result->user;
    case CONFORM_NAMESPACE_NETWORK: return &result->network;
    case CONFORM_NAMESPACE_MOUNT: return &result->mount;
    default: return &result->process;
    }
}

static const unsigned every_kind[] = {
    CONFORM_NAMESPACE_USER,
    CONFORM_NAMESPACE_NETWORK,
    CONFORM_NAMESPACE_MOUNT,
    CONFORM_NAMESPACE_PROCESS,
};

/// Leaves out the user namespace if it would take away the right to capture: a process in a new
/// user namespace has no privilege over a network that belongs to the old one.
static unsigned without_harm(unsigned kinds, struct conform_isolation_result *result) {
    if ((kinds & CONFORM_NAMESPACE_NETWORK) != 0 || !may_capture()) return kinds;
    if (kinds & CONFORM_NAMESPACE_USER) result->user = (struct conform_outcome){0};
    return kinds & ~(unsigned)CONFORM_NAMESPACE_USER;
}

/// Returns the kinds among `wanted` that are allowed, each tested together with those before it.
static unsigned allowed_kinds(unsigned wanted, struct conform_isolation_result *result) {
    unsigned kinds = 0;
    for (size_t index = 0; index < 4; index++) {
        unsigned kind = every_kind[index];
        struct refusal refusal;
        if ((wanted & kind) == 0) continue;
        if (conform_allows_namespaces(kinds | kind, &refusal)) {
            kinds |= kind;
        } else {
            *outcome(result, kind) =
                (struct conform_outcome){CONFORM_REFUSED, refusal.error, refusal.step};
        }
    }
    unsigned harmless = without_harm(kinds, result);
    return harmless == kinds ? kinds : allowed_kinds(harmless, result);
}

static unsigned wanted_kinds(
    const struct conform_isolation *request, struct conform_isolation_result *result) {
    unsigned wanted = 0;
    for (size_t index = 0; index < 4; index++) {
        unsigned kind = every_kind[index];
        if (kind == CONFORM_NAMESPACE_NETWORK && request->shares_network) continue;
        if (request->refused & kind) {
            *outcome(result, kind) =
                (struct conform_outcome){CONFORM_REFUSED, EPERM, "refused on request"};
        } else {
            wanted |= kind;
        }
    }
    return without_harm(wanted, result);
}

/// Mounts a /proc for the new process namespace.
static void mount_proc(unsigned kinds, struct conform_isolation_result *result) {
    unsigned needed = CONFORM_NAMESPACE_MOUNT | CONFORM_NAMESPACE_PROCESS;
    if ((kinds & needed) != needed) return;
    unsigned long flags = MS_NOSUID | MS_NODEV | MS_NOEXEC;
    if (mount("proc", "/proc", "proc", flags, NULL) == 0) {
        result->proc.state = CONFORM_OBTAINED;
    } else {
        result->proc = (struct conform_outcome){CONFORM_REFUSED, errno, "mount /proc"};
    }
}

static const char shared_memory_path[] = "/dev/shm";

/// Shows the folders of the covered file system in the one that was mounted over it.
static void keep_folders(DIR *covered) {
    struct dirent *entry;
    while ((entry = readdir(covered)) != NULL) {
        struct stat status;
        bool is_folder = strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0
            && fstatat(dirfd(covered), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) == 0
            && S_ISDIR(status.st_mode);
        if (!is_folder) continue;
        char source[320], target[320];
        snprintf(source, sizeof source, "/proc/self/fd/%d/%s", dirfd(covered), entry->d_name);
        snprintf(target, sizeof target, "%s/%s", shared_memory_path, entry->d_name);
        if (mkdir(target, 0700) == 0) mount(source, target, NULL, MS_BIND | MS_REC, NULL);
    }
}

/// Gives the case its own shared memory and semaphores (shm_overview(7)), because programs name
/// them after process ids, which are the same in every process namespace. Both are files; folders
/// next to them, which may contain a program or a report, stay visible.
static void mount_shared_memory(unsigned kinds, struct conform_isolation_result *result) {
    if ((kinds & CONFORM_NAMESPACE_MOUNT) == 0) return;
    DIR *covered = opendir(shared_memory_path);
    if (covered == NULL) return;
    if (mount("tmpfs", shared_memory_path, "tmpfs", MS_NOSUID | MS_NODEV, "mode=1777") == 0) {
        result->shared_memory.state = CONFORM_OBTAINED;
        keep_folders(covered);
    } else {
        result->shared_memory = (struct conform_outcome){CONFORM_REFUSED, errno, "mount /dev/shm"};
    }
    closedir(covered);
}

/// Closes the lifeline in the worker; a standard descriptor must not become free for other files.
static void give_up(int lifeline) {
    int null = lifeline >= 0 && lifeline <= 2 ? open("/dev/null", O_RDWR | O_CLOEXEC) : -1;
    if (null >= 0) {
        dup2(null, lifeline);
        close(null);
    } else if (lifeline >= 0) {
        close(lifeline);
    }
}

static void note_obtained(unsigned kinds, struct conform_isolation_result *result) {
    for (size_t index = 0; index < 4; index++) {
        if (kinds & every_kind[index]) {
            outcome(result, every_kind[index])->state = CONFORM_OBTAINED;
        }
    }
}

/// Lets the guard die with the main process while it does other work than supervising its child:
/// the end of the lifeline sends SIGIO, which kills it.
static void go_on_with(int lifeline) {
    if (lifeline < 0) return;
    fcntl(lifeline, F_SETOWN, getpid());
    fcntl(lifeline, F_SETFL, fcntl(lifeline, F_GETFL) | O_ASYNC);
    struct pollfd end = {lifeline, 0, 0};
    if (poll(&end, 1, 0) > 0) _exit(128 + SIGKILL);
}

/// Continues as init; returns only in the worker that it forks.
static void become_init(
    unsigned kinds, int lifeline, int leash, const sigset_t *mask,
    struct conform_isolation_result *result) {
    bool owns_processes = (kinds & CONFORM_NAMESPACE_PROCESS) != 0;
    prctl(PR_SET_NAME, CONFORM_INIT_NAME, 0, 0, 0);
    if (owns_processes) {
        prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    } else {
        prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    }
    mount_proc(kinds, result);
    mount_shared_memory(kinds, result);
    pid_t init = getpid();
    pid_t worker = fork();
    if (worker < 0) _exit(126);
    conform_protect_memory();
    if (worker > 0) conform_supervise(worker, lifeline, leash, !owns_processes);
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    if (getppid() != init) _exit(128 + SIGKILL);
    close(leash);
    give_up(lifeline);
    sigprocmask(SIG_SETMASK, mask, NULL);
}

int conform_worker_isolate(
    const struct conform_isolation *request, struct conform_isolation_result *result) {
    memset(result, 0, sizeof *result);
    sigset_t mask;
    conform_begin_supervision(&mask);
    struct refusal refusal;
    unsigned kinds = wanted_kinds(request, result);
    struct attempt init = conform_enter_namespaces(kinds, &refusal);
    if (init.process < 0) {
        kinds = allowed_kinds(kinds, result);
        init = conform_enter_namespaces(kinds, &refusal);
    }
    if (init.process < 0) {
        sigprocmask(SIG_SETMASK, &mask, NULL);
        return refusal.error;
    }
    if (init.process > 0) {
        // The parent has written the id maps by now.
        conform_protect_memory();
        if (!request->guard_returns) conform_supervise(init.process, request->lifeline, -1, true);
        result->worker_status = conform_guard(init.process, request->lifeline);
        go_on_with(request->lifeline);
        sigprocmask(SIG_SETMASK, &mask, NULL);
        return 0;
    }
    note_obtained(kinds, result);
    become_init(kinds, request->lifeline, init.leash, &mask, result);
    result->worker_status = -1;
    return 0;
}

void conform_probe_isolation(
    const struct conform_isolation *request, struct conform_isolation_result *result) {
    memset(result, 0, sizeof *result);
    unsigned wanted = wanted_kinds(request, result);
    struct refusal refusal;
    // The id maps of a process that is not dumpable cannot be written.
    int dumpable = prctl(PR_GET_DUMPABLE, 0, 0, 0, 0);
    prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
    bool allowed = conform_allows_namespaces(wanted, &refusal);
    note_obtained(allowed ? wanted : allowed_kinds(wanted, result), result);
    prctl(PR_SET_DUMPABLE, dumpable, 0, 0, 0);
}

int conform_memory_file(const char *name) { return (int)syscall(SYS_memfd_create, name, MFD_CLOEXEC); }

void conform_protect_memory(void) { prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }
