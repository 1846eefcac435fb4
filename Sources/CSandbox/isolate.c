#define _GNU_SOURCE
#include "CSandbox.h"
#include "supervise.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <net/if.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/// What keeps an attempt from succeeding; `error` is 0 if nothing does.
struct refusal {
    int error;
    const char *step;
};

/// An attempt to make the init process: who it is, and the socket that ties it to the guard.
struct attempt {
    pid_t process;
    int leash;
};

static int write_file(const char *path, const char *text) {
    int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0) return errno;
    ssize_t count = write(file, text, strlen(text));
    int error = count < 0 ? errno : 0;
    close(file);
    return error;
}

/// Writes an id map in which every id that this process knows stands for itself; false if the
/// system does not allow that, which is so for all but root.
static bool write_whole_map(const char *path, const char *own_path) {
    char map[4096];
    size_t length = 0;
    FILE *own = fopen(own_path, "re");
    if (own == NULL) return false;
    unsigned long inside, outside, count;
    bool fits = true;
    while (fits && fscanf(own, "%lu %lu %lu", &inside, &outside, &count) == 3) {
        int added = snprintf(
            map + length, sizeof map - length, "%lu %lu %lu\n", inside, inside, count);
        length += (size_t)added;
        fits = length < sizeof map;
    }
    fclose(own);
    return fits && length > 0 && write_file(path, map) == 0;
}

/// Writes one id map of a process: all ids if allowed, else only this process's own.
static int write_map(pid_t process, const char *name, unsigned id) {
    char path[64], own_path[32], line[64];
    snprintf(path, sizeof path, "/proc/%d/%s", (int)process, name);
    snprintf(own_path, sizeof own_path, "/proc/self/%s", name);
    if (geteuid() == 0 && write_whole_map(path, own_path)) return 0;
    snprintf(line, sizeof line, "%u %u 1\n", id, id);
    return write_file(path, line);
}

/// Gives the ids of this process a meaning in the user namespace of `process`.
static struct refusal write_maps(pid_t process) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/setgroups", (int)process);
    int error = write_file(path, "deny");
    if (error != 0 && error != ENOENT) return (struct refusal){error, "setgroups"};
    error = write_map(process, "uid_map", geteuid());
    if (error != 0) return (struct refusal){error, "uid_map"};
    error = write_map(process, "gid_map", getegid());
    return (struct refusal){error, "gid_map"};
}

static struct refusal bring_loopback_up(void) {
    int socket_ = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (socket_ < 0) return (struct refusal){errno, "socket"};
    struct ifreq request;
    memset(&request, 0, sizeof request);
    strcpy(request.ifr_name, "lo");
    struct refusal refusal = {0, NULL};
    if (ioctl(socket_, SIOCGIFFLAGS, &request) != 0) {
        refusal = (struct refusal){errno, "SIOCGIFFLAGS lo"};
    } else {
        request.ifr_flags |= IFF_UP | IFF_RUNNING;
        if (ioctl(socket_, SIOCSIFFLAGS, &request) != 0) {
            refusal = (struct refusal){errno, "SIOCSIFFLAGS lo"};
        }
    }
    close(socket_);
    return refusal;
}

/// What the new process does inside its namespaces before it is of use.
static struct refusal furnish(unsigned kinds) {
    if ((kinds & CONFORM_NAMESPACE_MOUNT) != 0
        && mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0) {
        return (struct refusal){errno, "private mounts"};
    }
    if ((kinds & CONFORM_NAMESPACE_NETWORK) != 0) return bring_loopback_up();
    return (struct refusal){0, NULL};
}

static unsigned long clone_flags(unsigned kinds) {
    unsigned long flags = SIGCHLD;
    if (kinds & CONFORM_NAMESPACE_USER) flags |= CLONE_NEWUSER;
    if (kinds & CONFORM_NAMESPACE_NETWORK) flags |= CLONE_NEWNET;
    if (kinds & CONFORM_NAMESPACE_MOUNT) flags |= CLONE_NEWNS;
    if (kinds & CONFORM_NAMESPACE_PROCESS) flags |= CLONE_NEWPID;
    return flags;
}

/// Makes a process in new namespaces and lets it furnish them.
///
/// Returns twice on success: in the caller with the process's id, in the new process with id 0.
/// On a refusal it returns once with id -1. The kernel makes the namespaces together with the
/// process, so the caller itself changes nothing that it could not take back.
static struct attempt enter(unsigned kinds, struct refusal *refusal) {
    struct attempt attempt = {-1, -1};
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
        *refusal = (struct refusal){errno, "socketpair"};
        return attempt;
    }
    long process = syscall(SYS_clone, clone_flags(kinds), NULL, NULL, NULL, 0);
    if (process == 0) {
        close(ends[0]);
        int mapped = 0;
        if (read(ends[1], &mapped, sizeof mapped) != sizeof mapped || !mapped) _exit(1);
        struct refusal own = furnish(kinds);
        if (write(ends[1], &own, sizeof own) != sizeof own || own.error != 0) _exit(1);
        return (struct attempt){0, ends[1]};
    }
    *refusal = (struct refusal){process < 0 ? errno : 0, "clone"};
    close(ends[1]);
    if (process > 0 && (kinds & CONFORM_NAMESPACE_USER) != 0) {
        *refusal = write_maps((pid_t)process);
    }
    int mapped = refusal->error == 0;
    if (mapped) {
        // String literals have the same addresses in both processes.
        if (write(ends[0], &mapped, sizeof mapped) != sizeof mapped
            || read(ends[0], refusal, sizeof *refusal) != sizeof *refusal) {
            *refusal = (struct refusal){ECHILD, "init"};
        }
    }
    if (refusal->error == 0) return (struct attempt){(pid_t)process, ends[0]};
    close(ends[0]);
    if (process > 0) {
        while (waitpid((pid_t)process, NULL, 0) < 0 && errno == EINTR) continue;
    }
    return attempt;
}

/// Whether these kinds of namespaces can be had together.
static bool is_allowed(unsigned kinds, struct refusal *refusal) {
    struct attempt attempt = enter(kinds, refusal);
    if (attempt.process == 0) _exit(0);
    if (attempt.process < 0) return false;
    close(attempt.leash);
    while (waitpid(attempt.process, NULL, 0) < 0 && errno == EINTR) continue;
    return true;
}

/// Whether this process may capture on the network that it is in.
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

/// Leaves the user namespace out where it would take away the right to capture: a process in a
/// new one holds no privilege over a network that belongs to the old one.
static unsigned without_harm(unsigned kinds, struct conform_isolation_result *result) {
    if ((kinds & CONFORM_NAMESPACE_NETWORK) != 0 || !may_capture()) return kinds;
    if (kinds & CONFORM_NAMESPACE_USER) result->user = (struct conform_outcome){0};
    return kinds & ~(unsigned)CONFORM_NAMESPACE_USER;
}

/// The kinds among `wanted` that can be had, each tried on top of those before it.
static unsigned allowed_kinds(unsigned wanted, struct conform_isolation_result *result) {
    unsigned kinds = 0;
    for (size_t index = 0; index < 4; index++) {
        unsigned kind = every_kind[index];
        struct refusal refusal;
        if ((wanted & kind) == 0) continue;
        if (is_allowed(kinds | kind, &refusal)) {
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

/// Shows the new process namespace in /proc.
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

/// Closes the lifeline in the worker; a standard descriptor must not become free for others.
static void give_up(int lifeline) {
    int null = lifeline >= 0 && lifeline <= 2 ? open("/dev/null", O_RDWR | O_CLOEXEC) : -1;
    if (null >= 0) {
        dup2(null, lifeline);
        close(null);
    } else if (lifeline >= 0) {
        close(lifeline);
    }
}

/// Goes on as init; returns only in the worker that it forks.
static void become_init(
    unsigned kinds, int lifeline, int leash, const sigset_t *mask,
    struct conform_isolation_result *result) {
    bool owns_processes = (kinds & CONFORM_NAMESPACE_PROCESS) != 0;
    prctl(PR_SET_NAME, "conform-init", 0, 0, 0);
    if (owns_processes) {
        prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    } else {
        prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    }
    mount_proc(kinds, result);
    pid_t init = getpid();
    pid_t worker = fork();
    if (worker < 0) _exit(126);
    if (worker > 0) supervise(worker, lifeline, leash, !owns_processes);
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
    begin_supervision(&mask);
    struct refusal refusal;
    unsigned kinds = wanted_kinds(request, result);
    struct attempt init = enter(kinds, &refusal);
    if (init.process < 0) {
        kinds = allowed_kinds(kinds, result);
        init = enter(kinds, &refusal);
    }
    if (init.process < 0) {
        sigprocmask(SIG_SETMASK, &mask, NULL);
        return refusal.error;
    }
    if (init.process > 0) supervise(init.process, request->lifeline, -1, true);
    for (size_t index = 0; index < 4; index++) {
        if (kinds & every_kind[index]) {
            outcome(result, every_kind[index])->state = CONFORM_OBTAINED;
        }
    }
    become_init(kinds, request->lifeline, init.leash, &mask, result);
    return 0;
}
