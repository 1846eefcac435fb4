#include "CSimdJSON.h"

#include <array>
#include <cstring>
#include <simdjson.h>

// simdjson's first stage finds where the tokens of a document begin, outside of strings. It ensures
// that the document is UTF-8, that strings are closed and that they have no control characters.
// simdjson's second stage copies everything to a tape; here the tokens are only traversed. What the
// traversal does not accept for certain, such as numbers with exponents, the second stage decides.

namespace {

constexpr size_t depth_max = 100;
constexpr size_t capacity_min = 64 * 1024;
/// No number with at most this many characters and without an exponent is too large.
constexpr ptrdiff_t number_length_max = 18;

bool is_digit(uint8_t character) { return uint8_t(character - '0') < 10; }

bool is_hex_digit(uint8_t character) {
    return is_digit(character) || uint8_t((character | 0x20) - 'a') < 6;
}

bool ends_scalar(uint8_t character) {
    switch (character) {
    case ',': case ']': case '}': case ' ': case '\t': case '\n': case '\r': return true;
    default: return false;
    }
}

bool is_number(const uint8_t *bytes) {
    const uint8_t *next = bytes;
    if (*next == '-') ++next;
    if (!is_digit(*next)) return false;
    if (*next == '0') {
        ++next;
    } else {
        while (is_digit(*next)) ++next;
    }
    if (*next == '.') {
        ++next;
        if (!is_digit(*next)) return false;
        while (is_digit(*next)) ++next;
    }
    return next - bytes <= number_length_max && ends_scalar(*next);
}

template <size_t size>
bool is_word(const char (&word)[size], const uint8_t *bytes, const uint8_t *end) {
    constexpr size_t length = size - 1;
    return size_t(end - bytes) > length && std::memcmp(bytes, word, length) == 0 &&
           ends_scalar(bytes[length]);
}

bool is_scalar(const uint8_t *bytes, const uint8_t *end) {
    switch (*bytes) {
    case '"': return true;
    case 't': return is_word("true", bytes, end);
    case 'f': return is_word("false", bytes, end);
    case 'n': return is_word("null", bytes, end);
    default: return is_number(bytes);
    }
}

/// Traverses the tokens of a document whose first token is an opening brace and whose last token is
/// a closing brace. As it accepts each token only where it is allowed, it cannot run past the last
/// one.
bool has_sound_tokens(const uint8_t *bytes, size_t length, const uint32_t *token, size_t count) {
    const uint8_t *end = bytes + length;
    const uint32_t *behind = token + count;
    std::array<bool, depth_max> is_array;
    size_t depth = 0;
    ++token;

begin_object:
    if (bytes[*token] == '}') {
        ++token;
        goto behind_container;
    }
    if (++depth >= depth_max) return false;
    is_array[depth] = false;
member:
    if (bytes[token[0]] != '"' || bytes[token[1]] != ':') return false;
    token += 2;
value:
    switch (bytes[*token]) {
    case '{': ++token; goto begin_object;
    case '[': ++token; goto begin_array;
    default:
        if (!is_scalar(bytes + *token, end)) return false;
        ++token;
    }
behind_value:
    switch (bytes[*token++]) {
    case ',': if (is_array[depth]) goto value; else goto member;
    case ']': if (is_array[depth--]) goto behind_container; else return false;
    case '}': if (is_array[depth--]) return false; else goto behind_container;
    default: return false;
    }
begin_array:
    if (bytes[*token] == ']') {
        ++token;
        goto behind_container;
    }
    if (++depth >= depth_max) return false;
    is_array[depth] = true;
    goto value;
behind_container:
    if (depth == 0) return token == behind;
    if (token == behind) return false;
    goto behind_value;
}

/// Returns whether all escapes in the strings of a document with valid tokens are valid, and none
/// of them is part of a surrogate pair.
bool has_sound_escapes(const uint8_t *bytes, size_t length) {
    const uint8_t *end = bytes + length;
    const uint8_t *next = bytes;
    while (auto found = std::memchr(next, '\\', size_t(end - next))) {
        next = static_cast<const uint8_t *>(found) + 1;
        switch (*next++) {
        case '"': case '\\': case '/': case 'b': case 'f': case 'n': case 'r': case 't': break;
        case 'u': {
            const uint8_t *digits = next;
            for (; next < digits + 4; ++next) {
                if (!is_hex_digit(*next)) return false;
            }
            bool is_surrogate = (digits[0] | 0x20) == 'd' && digits[1] >= '8';
            if (is_surrogate) return false;
            break;
        }
        default: return false;
        }
    }
    return true;
}

/// Short documents that were found to be objects: simple responses recur byte by byte.
class Recurring {
    static constexpr size_t length_max = 128;
    struct Document {
        size_t length = 0;
        std::array<uint8_t, length_max> bytes;
    };
    std::array<Document, 16> documents;

    Document &place(size_t length) { return documents[length % documents.size()]; }

public:
    bool contains(const uint8_t *bytes, size_t length) {
        const Document &known = place(length);
        return known.length == length && std::memcmp(known.bytes.data(), bytes, length) == 0;
    }

    void add(const uint8_t *bytes, size_t length) {
        if (length > length_max) return;
        Document &document = place(length);
        document.length = length;
        std::memcpy(document.bytes.data(), bytes, length);
    }
};

/// The state that a thread keeps from one document to the next.
struct Stages {
    simdjson::dom::parser parser;
    Recurring recurring;
    /// Whether the first stage reads only the document: the fallback implementation reads beyond
    /// its end.
    const bool keeps_to_bytes = simdjson::get_active_implementation()->name() != "fallback";

    bool reserve(size_t length) {
        if (parser.max_depth() == depth_max && parser.capacity() >= length) return true;
        size_t capacity = length < capacity_min ? capacity_min : length;
        return parser.allocate(capacity, depth_max) == simdjson::SUCCESS;
    }

    bool walk(const uint8_t *bytes, size_t length) {
        auto &first = *parser.implementation;
        auto error = first.stage1(bytes, length, simdjson::stage1_mode::regular);
        const uint32_t *tokens = first.structural_indexes.get();
        size_t count = first.n_structural_indexes;
        return error == simdjson::SUCCESS && count > 1 && bytes[tokens[0]] == '{' &&
               bytes[tokens[count - 1]] == '}' && has_sound_tokens(bytes, length, tokens, count) &&
               has_sound_escapes(bytes, length);
    }

    bool parse(const uint8_t *bytes, size_t length) {
        simdjson::dom::element document;
        auto error = parser.parse(bytes, length, true).get(document);
        return error == simdjson::SUCCESS && document.is_object();
    }

    bool is_object(const uint8_t *bytes, size_t length) {
        if (!reserve(length)) return false;
        if (!(keeps_to_bytes && walk(bytes, length)) && !parse(bytes, length)) return false;
        recurring.add(bytes, length);
        return true;
    }
};

}  // namespace

extern "C" int cjson_is_object(const uint8_t *bytes, size_t length) {
    thread_local Stages stages;
    return length > 0 && stages.recurring.contains(bytes, length) ||
           stages.is_object(bytes, length);
}
