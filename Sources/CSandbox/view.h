#pragma once
#include "CSandbox.h"

/// Gives the calling process mounts of its own in which it sees only what the entries say.
///
/// Returns 0 or an errno value; `failed` is then the entry that cannot be had, or stays as it is if
/// nothing of this can be. It calls nothing that is not safe between fork and exec.
int conform_enter_view(
    const struct conform_view_entry *entries, size_t count, size_t *failed);
