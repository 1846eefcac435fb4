#define _GNU_SOURCE
#include "CSandbox.h"

#include "start.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { file_count = 7 };
_Static_assert(sizeof(struct conform_worker_files) == file_count * sizeof(int), "descriptors only");

/// A request: one byte, with the descriptors as ancillary data.
struct question {
    char byte;
    struct iovec text;
    struct msghdr message;
    union {
        char space[CMSG_SPACE(sizeof(struct conform_worker_files))];
        struct cmsghdr aligned;
    } ancillary;
};

static void prepare(struct question *question) {
    memset(question, 0, sizeof *question);
    question->text = (struct iovec){&question->byte, 1};
    question->message.msg_iov = &question->text;
    question->message.msg_iovlen = 1;
    question->message.msg_control = question->ancillary.space;
    question->message.msg_controllen = sizeof question->ancillary.space;
}

static void close_files(const struct conform_worker_files *files) {
    int numbers[file_count];
    memcpy(numbers, files, sizeof numbers);
    for (int index = 0; index < file_count; index++) close(numbers[index]);
}

int conform_connection(int ends[2]) {
    return socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends);
}

int conform_poll(struct pollfd *descriptors, size_t count, int64_t nanoseconds) {
    const struct timespec most = {nanoseconds / 1000000000, nanoseconds % 1000000000};
    return ppoll(descriptors, count, &most, NULL);
}

int conform_process_descriptor(pid_t process) { return (int)syscall(SYS_pidfd_open, process, 0); }

pid_t conform_ask_for_worker(int connection, const struct conform_worker_files *files) {
    struct question question;
    prepare(&question);
    struct cmsghdr *header = CMSG_FIRSTHDR(&question.message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof *files);
    memcpy(CMSG_DATA(header), files, sizeof *files);
    ssize_t count;
    do {
        count = sendmsg(connection, &question.message, MSG_NOSIGNAL);
    } while (count < 0 && errno == EINTR);
    if (count < 0) return -errno;
    pid_t answer = 0;
    do {
        count = recv(connection, &answer, sizeof answer, 0);
    } while (count < 0 && errno == EINTR);
    if (count < 0) return errno == ECONNRESET ? -EPIPE : -errno;
    return count == sizeof answer ? answer : -EPIPE;
}

int conform_next_worker(int connection, struct conform_worker_files *files) {
    struct question question;
    prepare(&question);
    ssize_t count;
    do {
        count = recvmsg(connection, &question.message, MSG_CMSG_CLOEXEC);
    } while (count < 0 && errno == EINTR);
    struct cmsghdr *header = count > 0 ? CMSG_FIRSTHDR(&question.message) : NULL;
    if (header == NULL || header->cmsg_len != CMSG_LEN(sizeof *files)) return 0;
    memcpy(files, CMSG_DATA(header), sizeof *files);
    return 1;
}

/// Closes every descriptor from `first` on.
static void close_from(unsigned first) {
    if (syscall(SYS_close_range, first, ~0U, 0) == 0) return;
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur > 1 << 20) limit.rlim_cur = 1 << 20;
    for (rlim_t number = first; number < limit.rlim_cur; number++) close((int)number);
}

/// Gives the forked process the state of a newly started program.
static void begin(const struct conform_worker_files *files) {
    int sources[file_count];
    memcpy(sources, files, sizeof sources);
    setsid();
    umask(022);
    conform_reset_signals();
    // The id maps of a process that is not dumpable cannot be written.
    prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
    if (conform_place_descriptors(sources, file_count) != 0) _exit(126);
    close_from(file_count);
}

pid_t conform_fork_worker(int connection, const struct conform_worker_files *files) {
    // The parent of this process waits for the worker, as it does for its other children.
    pid_t worker = (pid_t)syscall(SYS_clone, CLONE_PARENT | SIGCHLD, NULL, NULL, NULL, NULL);
    if (worker == 0) {
        begin(files);
        return 0;
    }
    pid_t answer = worker < 0 ? -errno : worker;
    send(connection, &answer, sizeof answer, MSG_NOSIGNAL);
    close_files(files);
    return answer;
}
