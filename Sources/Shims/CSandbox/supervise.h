#pragma once
#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

/// Prepares for `conform_supervise`: orphans become children of this process, and the signals that
/// it passes on wait until it reads them. `mask` receives the previous signal mask.
void conform_begin_supervision(sigset_t *mask);

/// Supervises a child until it ends, then exits with its status (128 + n after signal n).
///
/// TERM, INT, HUP and QUIT are passed on to the child, orphans are reaped. When the other end of
/// `lifeline` or `leash` (-1 for none) is closed, the child is killed. With `sweeps` no descendant
/// is left when this process exits.
_Noreturn void conform_supervise(pid_t child, int lifeline, int leash, bool sweeps);

/// Supervises a child like `conform_supervise`, and returns its exit status once no descendant is
/// left. When the lifeline is closed, it ends everything and exits.
int conform_guard(pid_t child, int lifeline);
