#pragma once
#include <poll.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

// MARK: - Isolation of a worker process

/// Kinds of namespaces, as bits.
enum {
    CONFORM_NAMESPACE_USER = 1,
    CONFORM_NAMESPACE_NETWORK = 2,
    CONFORM_NAMESPACE_MOUNT = 4,
    CONFORM_NAMESPACE_PROCESS = 8
};

/// What a worker asks for.
struct conform_isolation {
    /// 0: a network of its own with only a loopback interface; else the network it already has.
    int shares_network;
    /// Read end of a pipe whose write end only the main process holds; its end of file means that
    /// the main process is gone. -1 if there is none. The worker does not keep it: it is closed,
    /// and becomes /dev/null if it is standard input.
    int lifeline;
    /// Kinds that are treated as if the system had refused them, so that a fallback can be tried.
    unsigned refused;
    /// Not 0: the guard returns from the call too, once nothing of the case is left; else it exits.
    int guard_returns;
};

/// What became of one thing that was asked for.
enum conform_outcome_state {
    /// Nobody asked for it, or it would take away a privilege that is needed.
    CONFORM_NOT_WANTED,
    CONFORM_OBTAINED,
    CONFORM_REFUSED
};

/// What became of one thing that was asked for, and why.
struct conform_outcome {
    enum conform_outcome_state state;
    /// The errno value of a refusal, else 0.
    int error;
    /// The call or file that refused, such as "uid_map"; a string literal, or null.
    const char *step;
};

/// What a worker got.
struct conform_isolation_result {
    struct conform_outcome user;
    struct conform_outcome network;
    struct conform_outcome mount;
    struct conform_outcome process;
    /// A /proc that shows the new process namespace only.
    struct conform_outcome proc;
    /// A /dev/shm in which no other case's shared memory and semaphores are.
    struct conform_outcome shared_memory;
    /// In the guard: the worker's exit status, 128 + n after signal n. In the worker: -1.
    int worker_status;
};

/// Isolates the calling process in new namespaces and continues in a grandchild of it.
///
/// Call it first of all, with one thread. The calling process stays outside as the guard; its
/// child is the init of the new namespaces; only the worker, the child of init, returns from this
/// function, with 0 and the result filled, and after it the guard if it asked for that. Guard and init pass TERM, INT, HUP and QUIT on, and exit
/// with the worker's status (128 + n after signal n). Whichever of the main process, guard, init
/// and worker dies, by whatever signal, every process below dies too.
///
/// Returns an errno value, in the calling process, if no process could be made at all. A kind of
/// namespace that cannot be had is no error: the worker goes without it, and the result says so.
int conform_worker_isolate(
    const struct conform_isolation *request, struct conform_isolation_result *result);

/// Tries which namespaces `conform_worker_isolate` would get, and leaves the calling process as it is.
void conform_probe_isolation(
    const struct conform_isolation *request, struct conform_isolation_result *result);

/// Keeps other processes of the same user from reading and writing this one's memory and
/// descriptors (PR_SET_DUMPABLE); a program that it starts is as any other.
void conform_protect_memory(void);

/// Makes processes that lose their parent children of this process (PR_SET_CHILD_SUBREAPER).
void conform_adopt_orphans(void);

/// Kills and reaps every child but the `count` ones in `kept`, and theirs, as they become children.
void conform_end_orphans(const pid_t *kept, size_t count);

/// The user as whom a device runs if its worker is root: one that owns nothing; 0 if there is none
/// that this process could become. `shared` is one that other cases may use at the same time.
uid_t conform_device_user(int shared);

/// A file that lives in memory and has no name, closed on exec; -1 and errno on failure.
int conform_memory_file(const char *name);

// MARK: - This program

/// The words with which this program was started, also where there is no /proc; null-terminated.
char *const *conform_arguments(void);

/// The path by which this program was started, as the kernel was given it.
const char *conform_program_path(void);

// MARK: - Processes

/// Steps of a launch that can fail.
enum conform_launch_step {
    CONFORM_LAUNCH_DONE,
    CONFORM_LAUNCH_FORK,
    CONFORM_LAUNCH_DESCRIPTORS,
    CONFORM_LAUNCH_LIMITS,
    /// The files that it is to see cannot be arranged at all.
    CONFORM_LAUNCH_VIEW,
    /// One entry of the view cannot be had: the one at `failed_entry`.
    CONFORM_LAUNCH_VIEW_ENTRY,
    CONFORM_LAUNCH_USER,
    CONFORM_LAUNCH_DIRECTORY,
    CONFORM_LAUNCH_EXECUTE
};

/// What a program finds at a path.
enum conform_view_kind {
    /// An empty folder, read-only.
    CONFORM_VIEW_EMPTY,
    /// An empty folder in memory, in which everybody may write.
    CONFORM_VIEW_SCRATCH,
    /// A file or folder, read-only.
    CONFORM_VIEW_READ,
    /// A file or folder that may be written.
    CONFORM_VIEW_WRITE
};

/// One place in what a program sees of the files; what no entry names is seen read-only.
struct conform_view_entry {
    enum conform_view_kind kind;
    const char *path;
    /// Not 0: one that is not there is left out; an empty folder always is.
    int optional;
};

/// A program to start. All zero but `argv` and the descriptors is a program without limits.
struct conform_spawn_options {
    /// Null-terminated; the first without a slash is looked up in the PATH of `envp`.
    char **argv;
    /// Null-terminated `NAME=value` strings: all that the program gets; null for the caller's.
    char **envp;
    /// Its working directory; null for the present one.
    const char *cwd;
    /// Its standard input, output and error; a negative one stands for /dev/null.
    int stdin_fd, stdout_fd, stderr_fd;
    /// Descriptors that it gets as numbers 3 to 6; 0 for none. Every other one is closed.
    int extra_fds[4];
    /// Not 0: no capabilities and no way to gain any (no_new_privs).
    int confined;
    /// Not 0: it is killed when the thread that starts it ends; for single-threaded callers only.
    int dies_with_parent;
    /// Limits of setrlimit; 0 leaves one as it is. Core dumps are always off.
    uint64_t cpu_seconds, address_space, processes, file_size, open_files;
    /// The files that it sees, those above before those below; at most 256. Without entries it sees
    /// what the caller sees. It takes the right to mount.
    const struct conform_view_entry *view;
    size_t view_count;
    /// The user and group that it runs as; 0 for the caller's.
    uid_t user;
};

/// A process that was started.
struct conform_child {
    /// Its id, also that of its session and process group.
    pid_t pid;
    /// A descriptor that is readable once it has ended; it belongs to the caller.
    int pidfd;
    /// The step that failed.
    enum conform_launch_step failed_step;
    /// The entry of the view that failed.
    size_t failed_entry;
};

/// Starts a program in a session of its own, with default signal handling and umask 022.
///
/// Returns 0 once the program runs, or the errno value of what failed, and then there is no child.
int conform_spawn(const struct conform_spawn_options *options, struct conform_child *child);

/// How a process ended.
struct conform_exit {
    /// The exit code, or the number of the signal that ended it.
    int status;
    /// Not 0 if a signal ended it.
    int signalled;
};

/// Whether a child has ended: 1 and how, 0 while it runs, -1 if it is not a child (any more).
///
/// With `reaps` not 0 an ended child is released, and its id may be used again by the system.
int conform_ended(pid_t process, int reaps, struct conform_exit *exit);

/// Kills every process of a session, whatever its process group; returns how many were found.
///
/// It does nothing where /proc shows other process ids than this process uses.
size_t conform_kill_session(pid_t session);

/// How many threads run under the caller's user id, as far as /proc shows them.
size_t conform_user_threads(void);

/// Blocks signals for the calling thread, and returns a descriptor that is readable when one of
/// them has come; -1 and errno on failure.
int conform_signal_descriptor(const int *numbers, int count);

/// The number of the next signal of such a descriptor; 0 if none has come.
int conform_signal_next(int descriptor);

/// A pipe, reading end first, both ends closed on exec; -1 and errno on failure.
int conform_pipe(int ends[2]);

/// poll(2) that waits at most so many nanoseconds, where poll waits for whole milliseconds.
int conform_poll(struct pollfd *descriptors, size_t count, int64_t nanoseconds);

/// A descriptor that is readable once a child has ended, closed on exec; -1 and errno on failure.
int conform_process_descriptor(pid_t process);

// MARK: - Workers of one server

/// Descriptors that a worker starts with; it gets them as numbers 0 to 6.
struct conform_worker_files {
    int stdin_fd, stdout_fd, stderr_fd;
    int extra_fds[4];
};

/// A connection between a program and its server of workers, both ends closed on exec; -1 and errno
/// on failure.
int conform_connection(int ends[2]);

/// Asks a server for a worker with copies of these descriptors; returns its process id, or a negated
/// errno value: -EPIPE if there is no server any more.
pid_t conform_ask_for_worker(int connection, const struct conform_worker_files *files);

/// Waits for the next question; the descriptors belong to the caller. 0 when no more will come.
int conform_next_worker(int connection, struct conform_worker_files *files);

/// Forks a worker whose parent is that of the caller, answers the question with its process id, and
/// closes the descriptors.
///
/// Call it with one thread. It returns 0 in the worker, where the descriptors have the numbers 0 to 6,
/// every other one is closed, and session, signals and umask are those of a program that was just
/// started; and its process id, or a negated errno value, in the server.
pid_t conform_fork_worker(int connection, const struct conform_worker_files *files);

/// write(2) that gives EPIPE instead of raising SIGPIPE; a negative result is a negated errno.
ssize_t conform_write(int descriptor, const void *bytes, size_t count);

#ifdef __cplusplus
}
#endif
