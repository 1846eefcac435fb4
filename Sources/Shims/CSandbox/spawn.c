#define _GNU_SOURCE
#include "CSandbox.h"

#include "start.h"
#include "view.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <linux/close_range.h>
#include <sched.h>
#include <signal.h>
#include <stdalign.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

// Everything between clone and exec is async-signal-safe: the caller may have threads.

/// What the child reports to its parent if it cannot continue.
struct launch_failure {
    enum conform_launch_step step;
    int error;
    size_t entry;
};

void conform_reset_signals(void) {
    // These are direct system calls, because the C library reserves two signals, which a caller may
    // have inherited as ignored. All zero is the default action without flags, and the empty set.
    enum { set_size = 8, action_size = 64 };
    static const char zeros[action_size];
    for (int number = 1; number < NSIG; number++) {
        syscall(SYS_rt_sigaction, number, zeros, NULL, set_size);
    }
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, zeros, NULL, set_size);
}

/// Marks every descriptor from `first` on as closed on exec.
static void close_on_exec_from(unsigned first) {
    if (syscall(SYS_close_range, first, ~0U, CLOSE_RANGE_CLOEXEC) == 0) return;
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur > 1 << 20) limit.rlim_cur = 1 << 20;
    for (rlim_t number = first; number < limit.rlim_cur; number++) {
        fcntl((int)number, F_SETFD, FD_CLOEXEC);
    }
}

int conform_place_descriptors(int *sources, int count) {
    for (int number = 0; number < count; number++) {
        int source = sources[number];
        if (source < 0) source = open("/dev/null", O_RDWR | O_CLOEXEC);
        if (source < 0) return errno;
        sources[number] = fcntl(source, F_DUPFD_CLOEXEC, 10);
        if (sources[number] < 0) return errno;
    }
    for (int number = 0; number < count; number++) {
        if (dup2(sources[number], number) < 0) return errno;
    }
    return 0;
}

/// Moves the wanted descriptors to 0, 1, 2 and up to 6; exec closes all others.
static int place_descriptors(const struct conform_spawn_options *options, int *report) {
    int sources[] = {
        options->stdin_fd, options->stdout_fd, options->stderr_fd, options->extra_fds[0],
        options->extra_fds[1], options->extra_fds[2], options->extra_fds[3]};
    int count = 3;
    while (count < 7 && sources[count] > 0) count++;
    *report = fcntl(*report, F_DUPFD_CLOEXEC, 10);
    if (*report < 0) return errno;
    int error = conform_place_descriptors(sources, count);
    if (error == 0) close_on_exec_from((unsigned)count);
    return error;
}

/// Lowers one limit; a lower hard limit is kept.
static int limit(int resource, uint64_t soft, uint64_t slack) {
    struct rlimit present;
    if (getrlimit((__rlimit_resource_t)resource, &present) != 0) return errno;
    rlim_t hard = soft + slack < present.rlim_max ? soft + slack : present.rlim_max;
    struct rlimit wanted = {soft < hard ? soft : hard, hard};
    return setrlimit((__rlimit_resource_t)resource, &wanted) == 0 ? 0 : errno;
}

static int set_limits(const struct conform_spawn_options *options) {
    const struct {
        int resource;
        uint64_t value, slack;
    } limits[] = {
        // The kernel sends XCPU at the soft limit and KILL at the hard one.
        {RLIMIT_CPU, options->cpu_seconds, 2},     {RLIMIT_AS, options->address_space, 0},
        {RLIMIT_NPROC, options->processes, 0},     {RLIMIT_FSIZE, options->file_size, 0},
        {RLIMIT_NOFILE, options->open_files, 0},
    };
    for (size_t index = 0; index < sizeof limits / sizeof limits[0]; index++) {
        if (limits[index].value == 0) continue;
        int error = limit(limits[index].resource, limits[index].value, limits[index].slack);
        if (error != 0) return error;
    }
    return limit(RLIMIT_CORE, 0, 0);
}

/// Becomes a user and the group with the same number, without further groups.
static int become(uid_t user) {
    // These are direct system calls, because the C library would change all threads.
    if (syscall(SYS_setgroups, 0, NULL) != 0) return errno;
    if (syscall(SYS_setresgid, user, user, user) != 0) return errno;
    return syscall(SYS_setresuid, user, user, user) == 0 ? 0 : errno;
}

/// Gives up every capability, even those that user id 0 would regain by exec.
static void drop_privileges(void) {
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3];
    memset(none, 0, sizeof none);
    syscall(SYS_capset, &header, none);
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

/// Joins a new, empty session keyring, because that of the user may contain secrets; a kernel
/// without keyrings refuses.
static void leave_session_keyring(void) {
    enum { join_session_keyring = 1 };
    (void)syscall(SYS_keyctl, join_session_keyring, NULL);
}

/// Prevents programs from regaining capabilities; only a process that has capabilities can do this.
static void drop_bounds(void) {
    for (unsigned long number = 0; number < 64; number++) prctl(PR_CAPBSET_DROP, number, 0, 0, 0);
}

/// Returns the PATH of an environment.
static const char *search_path(char *const *environment) {
    for (; *environment != NULL; environment++) {
        if (strncmp(*environment, "PATH=", 5) == 0) return *environment + 5;
    }
    return "/usr/local/bin:/usr/bin:/bin";
}

/// Calls exec with a lookup in the program's own PATH; returns only if it fails.
static int execute(const struct conform_spawn_options *options) {
    const char *name = options->argv[0];
    char *const *environment = options->envp != NULL ? options->envp : environ;
    if (name == NULL || *name == 0) return ENOENT;
    if (strchr(name, '/') != NULL) {
        execve(name, options->argv, environment);
        return errno;
    }
    int error = ENOENT;
    for (const char *folder = search_path(environment);; folder++) {
        size_t length = strcspn(folder, ":"), rest = strlen(name);
        char path[4096];
        if (length + rest + 2 <= sizeof path) {
            memcpy(path, folder, length);
            if (length > 0) path[length] = '/';
            memcpy(path + length + (length > 0), name, rest + 1);
            execve(path, options->argv, environment);
            if (errno != ENOENT && errno != ENOTDIR) error = errno;
        }
        folder += length;
        if (*folder == 0) return error;
    }
}

/// What the child of a launch needs.
struct launch {
    const struct conform_spawn_options *options;
    pid_t parent;
    int report;
};

static int run_child(void *context) {
    struct launch *launch = context;
    const struct conform_spawn_options *options = launch->options;
    int report = launch->report;
    struct launch_failure failure = {CONFORM_LAUNCH_DESCRIPTORS, 0, 0};
    setsid();
    umask(022);
    failure.error = place_descriptors(options, &report);
    if (failure.error == 0 && options->view_count > 0) {
        failure.step = CONFORM_LAUNCH_VIEW;
        failure.entry = options->view_count;
        failure.error = conform_enter_view(options->view, options->view_count, &failure.entry);
        if (failure.entry < options->view_count) failure.step = CONFORM_LAUNCH_VIEW_ENTRY;
    }
    if (failure.error == 0 && options->confined) {
        leave_session_keyring();
        drop_bounds();
    }
    if (failure.error == 0 && options->user != 0) {
        failure.step = CONFORM_LAUNCH_USER;
        failure.error = become(options->user);
    }
    if (failure.error == 0) {
        failure.step = CONFORM_LAUNCH_DIRECTORY;
        if (options->cwd != NULL && chdir(options->cwd) != 0) failure.error = errno;
    }
    if (failure.error == 0) {
        failure.step = CONFORM_LAUNCH_LIMITS;
        failure.error = set_limits(options);
    }
    if (failure.error == 0) {
        if (options->confined) drop_privileges();
        if (options->dies_with_parent) {
            prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
            if (getppid() != launch->parent) _exit(128 + SIGKILL);
        }
        conform_reset_signals();
        failure.step = CONFORM_LAUNCH_EXECUTE;
        failure.error = execute(options);
    }
    ssize_t written = write(report, &failure, sizeof failure);
    (void)written;
    _exit(127);
}

/// Starts a child that uses the memory of the caller, which waits until the child has executed a
/// program or has ended; -1 and errno on failure.
///
/// To copy the page tables of a worker and to free them again takes longer than all else of a launch.
static pid_t start_in_place(int (*body)(void *), void *context) {
    alignas(16) char stack[1 << 15];
    // The whole stack is there before the child limits its address space.
    *(volatile char *)stack = 0;
    // A child that becomes another user changes this for the memory that it uses.
    int dumpable = prctl(PR_GET_DUMPABLE, 0, 0, 0, 0);
    pid_t process = clone(body, stack + sizeof stack, CLONE_VM | CLONE_VFORK | SIGCHLD, context);
    int error = errno;
    if (dumpable == 1) prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
    errno = error;
    return process;
}

int conform_spawn(const struct conform_spawn_options *options, struct conform_child *child) {
    struct launch_failure failure = {CONFORM_LAUNCH_FORK, 0, 0};
    int report[2];
    *child = (struct conform_child){-1, -1, CONFORM_LAUNCH_FORK, 0};
    if (pipe2(report, O_CLOEXEC) != 0) return errno;

    // A handler of the caller must not run in the child before dispositions are reset.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    struct launch launch = {options, getpid(), report[1]};
    pid_t process = start_in_place(run_child, &launch);
    int error = errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    close(report[1]);
    if (process < 0) {
        close(report[0]);
        return error;
    }

    ssize_t count;
    do {
        count = read(report[0], &failure, sizeof failure);
    } while (count < 0 && errno == EINTR);
    close(report[0]);
    if (count == 0) {
        child->pid = process;
        child->pidfd = (int)syscall(SYS_pidfd_open, process, 0);
        if (child->pidfd >= 0) {
            child->failed_step = CONFORM_LAUNCH_DONE;
            return 0;
        }
        failure.error = errno;
        kill(process, SIGKILL);
    }
    child->pid = -1;
    child->failed_step = failure.step;
    child->failed_entry = failure.entry;
    while (waitpid(process, NULL, 0) < 0 && errno == EINTR) continue;
    return failure.error != 0 ? failure.error : EIO;
}

static int try_to_become(void *user) { _exit(become(*(uid_t *)user) == 0 ? 0 : 1); }

/// Returns whether this process could become a user, tested by a child that does nothing else.
static bool can_become(uid_t user) {
    pid_t process = start_in_place(try_to_become, &user);
    int status = 1;
    while (process > 0 && waitpid(process, &status, 0) < 0 && errno == EINTR) continue;
    return process > 0 && status == 0;
}

uid_t conform_device_user(int shared) {
    // The first is "nobody" everywhere. The second range is assigned to nothing in systemd's table
    // of users, and has room for the largest process id.
    enum { nobody = 65534, first_free = 1879048192 };
    if (geteuid() != 0) return 0;
    uid_t own = first_free + (uid_t)getpid();
    if (!shared && can_become(own)) return own;
    return can_become(nobody) ? nobody : 0;
}
