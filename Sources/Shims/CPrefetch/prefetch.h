// Tells the processor which memory will be read soon.
#pragma once

/// Fetches the cache line of an address, if the address can be read; does nothing otherwise.
static inline void cprefetch(const void *_Nullable address) { __builtin_prefetch(address); }
