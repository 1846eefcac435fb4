#pragma once
#include <poll.h>
#include <stdbool.h>
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

/// What a worker requests.
struct conform_isolation {
    /// 0: a network of its own with only a loopback interface; else the network it already has.
    int shares_network;
    /// Read end of a pipe whose write end only the main process holds; its end of file means that
    /// the main process has ended. -1 if there is none. The worker does not keep it: it is closed,
    /// and becomes /dev/null if it is standard input.
    int lifeline;
    /// Kinds that are treated as if the system had refused them, to test a fallback.
    unsigned refused;
    /// Not 0: the guard returns from the call too, once no process of the case is left; else it
    /// exits.
    int guard_returns;
};

/// The state of one requested item.
enum conform_outcome_state {
    /// It was not requested, or it would take away a privilege that is needed.
    CONFORM_NOT_WANTED,
    CONFORM_OBTAINED,
    CONFORM_REFUSED
};

/// The outcome of one requested item, with the reason of a refusal.
struct conform_outcome {
    enum conform_outcome_state state;
    /// The errno value of a refusal, else 0.
    int error;
    /// The call or file that refused, such as "uid_map"; a string literal, or null.
    const char *step;
};

/// What a worker obtained.
struct conform_isolation_result {
    struct conform_outcome user;
    struct conform_outcome network;
    struct conform_outcome mount;
    struct conform_outcome process;
    /// A /proc that shows only the new process namespace.
    struct conform_outcome proc;
    /// A /dev/shm without the shared memory and semaphores of other cases.
    struct conform_outcome shared_memory;
    /// In the guard: the worker's exit status, 128 + n after signal n. In the worker: -1.
    int worker_status;
};

/// Isolates the calling process in new namespaces and continues in a grandchild of it.
///
/// Call it first of all, with one thread. The calling process stays outside as the guard. Its child
/// is the init of the new namespaces. The worker, the child of init, returns from this function
/// with 0 and the result filled; the guard returns after it if the request says so. Guard and init
/// pass TERM, INT, HUP and QUIT on, and exit with the worker's status (128 + n after signal n). If
/// the main process, guard, init or worker dies, by any signal, every process below it dies too.
///
/// Returns an errno value, in the calling process, if no process could be created at all. A
/// namespace that cannot be obtained is not an error: the worker runs without it, and the result
/// says so.
int conform_worker_isolate(
    const struct conform_isolation *request, struct conform_isolation_result *result);

/// Tests which namespaces `conform_worker_isolate` would get; leaves the calling process unchanged.
void conform_probe_isolation(
    const struct conform_isolation *request, struct conform_isolation_result *result);

/// Prevents other processes of the same user from reading and writing this process's memory and
/// descriptors (PR_SET_DUMPABLE); programs that it starts are not affected.
void conform_protect_memory(void);

/// Makes processes that lose their parent children of this process (PR_SET_CHILD_SUBREAPER).
void conform_adopt_orphans(void);

/// Kills and reaps every child except the `count` ones in `kept`, and their children as they are
/// adopted.
void conform_end_orphans(const pid_t *kept, size_t count);

/// Returns the user id for devices of a worker that is root: a user that owns nothing; 0 if this
/// process cannot become such a user. If `shared` is not 0, other cases may use that user at the
/// same time.
uid_t conform_device_user(int shared);

/// Creates a file in memory without a name, closed on exec; -1 and errno on failure.
int conform_memory_file(const char *name);

// MARK: - This program

/// The words with which this program was started, even without /proc; null-terminated.
char *const *conform_arguments(void);

/// The path with which the kernel started this program.
const char *conform_program_path(void);

// MARK: - Processes

/// Steps of a launch that can fail.
enum conform_launch_step {
    CONFORM_LAUNCH_DONE,
    CONFORM_LAUNCH_FORK,
    CONFORM_LAUNCH_DESCRIPTORS,
    CONFORM_LAUNCH_LIMITS,
    /// The view of the files cannot be set up at all.
    CONFORM_LAUNCH_VIEW,
    /// One entry of the view cannot be set up: the one at `failed_entry`.
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

/// One path in the view that a program has of the files; paths without an entry are read-only.
struct conform_view_entry {
    enum conform_view_kind kind;
    const char *path;
    /// The file that is shown at the path in place of what is there, if that can be done; null for
    /// what is there.
    const char *source;
    /// Not 0: a missing path is left out; an empty folder always is.
    int optional;
};

/// A program to start. If all but `argv` and the descriptors is zero, it has no limits.
struct conform_spawn_options {
    /// Null-terminated; a first word without a slash is looked up in the PATH of `envp`.
    char **argv;
    /// Null-terminated `NAME=value` strings, the program's whole environment; null for the
    /// caller's.
    char **envp;
    /// Its working directory; null for the current one.
    const char *cwd;
    /// Its standard input, output and error; a negative one means /dev/null.
    int stdin_fd, stdout_fd, stderr_fd;
    /// Descriptors that it gets as numbers 3 to 6; 0 for none. All others are closed.
    int extra_fds[4];
    /// Not 0: no capabilities and no way to gain any (no_new_privs).
    int confined;
    /// Not 0: it is killed when the thread that starts it ends; for single-threaded callers only.
    int dies_with_parent;
    /// Limits of setrlimit; 0 leaves a limit unchanged. Core dumps are always off.
    uint64_t cpu_seconds, address_space, processes, file_size, open_files;
    /// The files that it sees, parents before children; at most 256. Without entries it sees the
    /// same as the caller. This needs the right to mount.
    const struct conform_view_entry *view;
    size_t view_count;
    /// The user and group that it runs as; 0 for the caller's.
    uid_t user;
};

/// A started process.
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

/// Returns whether a child has ended: 1 and how, 0 while it runs, -1 if it is not a child (any
/// more).
///
/// With `reaps` not 0 an ended child is released, and its id may be used again by the system.
int conform_ended(pid_t process, int reaps, struct conform_exit *exit);

/// Whether a process runs that is in a session or was started with a variable `NAME=value` in its
/// environment.
///
/// It finds none if /proc shows other process ids than this process uses.
bool conform_has_members(pid_t session, const char *mark);

/// Kills every such process, whatever its process group; returns how many were found.
///
/// Without a mark (NULL) only the session counts.
size_t conform_kill_members(pid_t session, const char *mark);

/// Returns how many threads run under the caller's user id, as far as /proc shows them.
size_t conform_user_threads(void);

/// Blocks signals for the calling thread, and returns a descriptor that is readable when one of
/// them has arrived; -1 and errno on failure.
int conform_signal_descriptor(const int *numbers, int count);

/// Returns the number of the next signal of such a descriptor; 0 if none has arrived.
int conform_signal_next(int descriptor);

/// Creates a pipe, reading end first, both ends closed on exec; -1 and errno on failure.
int conform_pipe(int ends[2]);

/// Returns how many processors the caller may use.
unsigned conform_processor_count(void);

/// poll(2) with a timeout in nanoseconds, where poll has whole milliseconds.
int conform_poll(struct pollfd *descriptors, size_t count, int64_t nanoseconds);

/// Returns a descriptor that is readable once a child has ended, closed on exec; -1 and errno on
/// failure.
int conform_process_descriptor(pid_t process);

// MARK: - Workers of one server

/// Descriptors that a worker starts with, as numbers 0 to 6.
struct conform_worker_files {
    int stdin_fd, stdout_fd, stderr_fd;
    int extra_fds[4];
};

/// Creates a connection between a program and its server of workers, both ends closed on exec; -1
/// and errno on failure.
int conform_connection(int ends[2]);

/// Requests a worker with copies of these descriptors from a server; returns its process id, or a
/// negated errno value: -EPIPE if the server has ended.
pid_t conform_ask_for_worker(int connection, const struct conform_worker_files *files);

/// Waits for the next request; the descriptors belong to the caller. 0 if no more will come.
int conform_next_worker(int connection, struct conform_worker_files *files);

/// Forks a worker whose parent is the caller's parent, answers the request with its process id, and
/// closes the descriptors.
///
/// Call it with one thread. In the worker it returns 0; the descriptors have the numbers 0 to 6,
/// all others are closed, and session, signals and umask are those of a newly started program. In
/// the server it returns the worker's process id, or a negated errno value.
pid_t conform_fork_worker(int connection, const struct conform_worker_files *files);

/// write(2) that returns EPIPE instead of raising SIGPIPE; a negative result is a negated errno.
ssize_t conform_write(int descriptor, const void *bytes, size_t count);

#ifdef __cplusplus
}
#endif
