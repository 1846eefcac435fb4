#pragma once
#include <stdbool.h>
#include <sys/types.h>

/// What /proc says of a process.
struct process_entry {
    pid_t process, parent, session;
    char state;
    unsigned threads;
    uid_t user;
};

/// Shows every process in /proc to `visit`; false if /proc is absent or belongs to another
/// process namespace, and then nothing was shown.
bool conform_each_process(
    void (*visit)(const struct process_entry *entry, void *context), void *context);
