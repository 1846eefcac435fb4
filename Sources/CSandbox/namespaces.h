#pragma once
#include <stdbool.h>
#include <sys/types.h>

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

/// Makes a process in new namespaces and lets it furnish them.
///
/// Returns twice on success: in the caller with the process's id, in the new process with id 0.
/// On a refusal it returns once with id -1. The kernel makes the namespaces together with the
/// process, so the caller itself changes nothing that it could not take back.
struct attempt conform_enter_namespaces(unsigned kinds, struct refusal *refusal);

/// Whether these kinds of namespaces can be had together.
bool conform_allows_namespaces(unsigned kinds, struct refusal *refusal);
