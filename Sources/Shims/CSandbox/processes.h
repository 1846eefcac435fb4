#pragma once
#include <stdbool.h>
#include <sys/types.h>

/// The name of the first process of a case, to which those of its namespace are handed over.
#define CONFORM_INIT_NAME "conform-init"

/// The data about a process in /proc.
struct process_entry {
    pid_t process, parent, session;
    char state;
    unsigned threads;
    uid_t user;
};

/// Calls `visit` for every process in /proc; returns false, without any call, if /proc is absent or
/// belongs to another process namespace.
bool conform_each_process(
    void (*visit)(const struct process_entry *entry, void *context), void *context);
