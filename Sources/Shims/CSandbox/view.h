#pragma once
#include "CSandbox.h"

/// Gives the calling process its own mounts, in which it sees only what the entries define.
///
/// Returns 0 or an errno value. `failed` is then the entry that cannot be set up; it is unchanged
/// if the whole view cannot be set up. All calls are safe between fork and exec.
int conform_enter_view(
    const struct conform_view_entry *entries, size_t count, size_t *failed);
