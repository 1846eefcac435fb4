#pragma once
#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

/// Makes ready for `conform_supervise`: orphans come to this process, and the signals that it
/// passes on wait until it reads them. `mask` receives the signal mask as it was.
void conform_begin_supervision(sigset_t *mask);

/// Looks after a child until it ends, then exits with its status (128 + n after signal n).
///
/// TERM, INT, HUP and QUIT go on to the child, orphans are reaped. When the other end of
/// `lifeline` or `leash` (-1 for none) is closed, the child is killed. With `sweeps` no
/// descendant is left when this process exits.
_Noreturn void conform_supervise(pid_t child, int lifeline, int leash, bool sweeps);

/// Looks after a child as `conform_supervise` does, and returns the status with which that exits once
/// no descendant is left. When the lifeline is closed, it ends everything and exits.
int conform_guard(pid_t child, int lifeline);
