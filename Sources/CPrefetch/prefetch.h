// Telling the processor what will be read soon.
#pragma once

/// Fetches the line of the cache in which an address lies, if it can be read; does nothing otherwise.
static inline void cprefetch(const void *_Nullable address) { __builtin_prefetch(address); }
