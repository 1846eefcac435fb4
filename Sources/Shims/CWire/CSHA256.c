#include "CSHA256.h"

#include <string.h>

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#include <stdatomic.h>
#endif

static const uint32_t constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t turned(uint32_t word, int count) { return word >> count | word << (32 - count); }

static void take_plain(uint32_t *state, const uint8_t *block) {
    uint32_t words[64], work[8];
    for (int index = 0; index < 16; index++) {
        const uint8_t *part = block + 4 * index;
        words[index] = (uint32_t)part[0] << 24 | (uint32_t)part[1] << 16 | (uint32_t)part[2] << 8
            | part[3];
    }
    for (int index = 16; index < 64; index++) {
        uint32_t early = words[index - 15], late = words[index - 2];
        words[index] = words[index - 16] + words[index - 7]
            + (turned(early, 7) ^ turned(early, 18) ^ early >> 3)
            + (turned(late, 17) ^ turned(late, 19) ^ late >> 10);
    }
    memcpy(work, state, sizeof work);
    for (int index = 0; index < 64; index++) {
        uint32_t first = work[7] + (turned(work[4], 6) ^ turned(work[4], 11) ^ turned(work[4], 25))
            + ((work[4] & work[5]) ^ (~work[4] & work[6])) + constants[index] + words[index];
        uint32_t second = (turned(work[0], 2) ^ turned(work[0], 13) ^ turned(work[0], 22))
            + ((work[0] & work[1]) ^ (work[0] & work[2]) ^ (work[1] & work[2]));
        memmove(work + 1, work, 7 * sizeof *work);
        work[4] += first;
        work[0] = first + second;
    }
    for (int index = 0; index < 8; index++) state[index] += work[index];
}

#if defined(__x86_64__)
/// Processes one block with the processor's own instructions, which keep the state as A B E F and C
/// D G H.
__attribute__((target("sha,sse4.1,ssse3"))) static void take_fast(
    uint32_t *state, const uint8_t *block) {
    const __m128i big_endian = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
    __m128i low = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)state), 0xb1);
    __m128i high = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)(state + 4)), 0x1b);
    __m128i abef = _mm_alignr_epi8(low, high, 8), cdgh = _mm_blend_epi16(high, low, 0xf0);
    const __m128i first = abef, second = cdgh;
    __m128i words[4];
    for (int group = 0; group < 16; group++) {
        __m128i *own = &words[group % 4];
        if (group < 4) {
            *own = _mm_shuffle_epi8(
                _mm_loadu_si128((const __m128i *)(block + 16 * group)), big_endian);
        } else {
            const __m128i last = words[(group + 3) % 4];
            const __m128i middle = _mm_alignr_epi8(last, words[(group + 2) % 4], 4);
            const __m128i early = _mm_sha256msg1_epu32(*own, words[(group + 1) % 4]);
            *own = _mm_sha256msg2_epu32(_mm_add_epi32(early, middle), last);
        }
        const __m128i sum = _mm_add_epi32(
            *own, _mm_loadu_si128((const __m128i *)(constants + 4 * group)));
        cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);
        abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sum, 0x0e));
    }
    abef = _mm_shuffle_epi32(_mm_add_epi32(abef, first), 0x1b);
    cdgh = _mm_shuffle_epi32(_mm_add_epi32(cdgh, second), 0xb1);
    _mm_storeu_si128((__m128i *)state, _mm_blend_epi16(abef, cdgh, 0xf0));
    _mm_storeu_si128((__m128i *)(state + 4), _mm_alignr_epi8(cdgh, abef, 8));
}

static int has_instructions(void) {
    unsigned int a, b, c, d;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_SSE4_1) || !(c & bit_SSSE3)) return 0;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & 1u << 29) != 0;
}

/// Returns whether the processor has the instructions; queried once, because a virtual machine
/// answers slowly.
static int is_fast(void) {
    static atomic_int answer = -1;
    int known = atomic_load_explicit(&answer, memory_order_relaxed);
    if (known < 0) {
        known = has_instructions();
        atomic_store_explicit(&answer, known, memory_order_relaxed);
    }
    return known;
}
#endif

/// Processes whole blocks.
static void take(uint32_t *state, const uint8_t *blocks, size_t count) {
    void (*one)(uint32_t *, const uint8_t *) = take_plain;
#if defined(__x86_64__)
    if (is_fast()) one = take_fast;
#endif
    for (size_t index = 0; index < count; index++) one(state, blocks + 64 * index);
}

void conform_sha256_begin(struct conform_sha256 *hash) {
    static const uint32_t start[8] = {
        0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab,
        0x5be0cd19};
    memcpy(hash->state, start, sizeof start);
    hash->count = 0;
}

void conform_sha256_add(struct conform_sha256 *hash, const void *bytes, size_t count) {
    const uint8_t *rest = bytes;
    while (count > 0) {
        size_t filled = hash->count % 64, room = 64 - filled;
        size_t part = count < room ? count : room;
        if (filled == 0 && part == 64) {
            part = count / 64 * 64;
            take(hash->state, rest, part / 64);
        } else {
            memcpy(hash->pending + filled, rest, part);
            if (part == room) take(hash->state, hash->pending, 1);
        }
        hash->count += part;
        rest += part;
        count -= part;
    }
}

void conform_sha256_end(struct conform_sha256 *hash, uint8_t *result) {
    uint64_t bits = hash->count * 8;
    static const uint8_t padding[64] = {0x80};
    size_t filled = hash->count % 64;
    conform_sha256_add(hash, padding, filled < 56 ? 56 - filled : 120 - filled);
    uint8_t length[8];
    for (int index = 0; index < 8; index++) length[index] = (uint8_t)(bits >> (56 - 8 * index));
    conform_sha256_add(hash, length, sizeof length);
    for (int index = 0; index < 32; index++) {
        result[index] = (uint8_t)(hash->state[index / 4] >> (24 - 8 * (index % 4)));
    }
}
