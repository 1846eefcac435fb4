#pragma once
#include <stddef.h>
#include <stdint.h>

/// An unfinished SHA-256 hash (FIPS 180-4); all members are private.
struct conform_sha256 {
    uint32_t state[8];
    uint64_t count;
    uint8_t pending[64];
};

/// Initialises a hash.
void conform_sha256_begin(struct conform_sha256 *hash);

/// Adds bytes.
void conform_sha256_add(struct conform_sha256 *hash, const void *bytes, size_t count);

/// Ends the hash; `result` has room for 32 bytes.
void conform_sha256_end(struct conform_sha256 *hash, uint8_t *result);
