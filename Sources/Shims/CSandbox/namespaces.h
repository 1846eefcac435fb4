#pragma once
#include <stdbool.h>
#include <sys/types.h>

/// The reason why an attempt fails; `error` is 0 if it succeeds.
struct refusal {
    int error;
    const char *step;
};

/// An attempt to create the init process: its id, and the socket that connects it to the guard.
struct attempt {
    pid_t process;
    int leash;
};

/// Creates a process in new namespaces and lets it set them up.
///
/// Returns twice on success: in the caller with the process's id, in the new process with id 0. On
/// a refusal it returns once with id -1. The kernel creates the namespaces together with the
/// process, so the caller changes nothing irreversible itself.
struct attempt conform_enter_namespaces(unsigned kinds, struct refusal *refusal);

/// Returns whether these kinds of namespaces are allowed together.
bool conform_allows_namespaces(unsigned kinds, struct refusal *refusal);
