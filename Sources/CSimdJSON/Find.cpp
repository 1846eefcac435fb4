#include "CSimdJSON.h"

#include <cstring>
#include <string_view>

namespace {

enum class Search { found, absent, undecided };

/// Reads a document that is known to be sound, and any other without leaving its bytes.
struct Reader {
    const uint8_t *next;
    const uint8_t *end;

    /// The next byte that is no blank; 0 behind the last one.
    uint8_t peek() {
        while (next < end && (*next == ' ' || *next == '\t' || *next == '\n' || *next == '\r')) ++next;
        return next < end ? *next : 0;
    }

    bool take(uint8_t byte) {
        if (peek() != byte) return false;
        ++next;
        return true;
    }

    /// Takes a string without its quotes, as it is written.
    bool take_string(std::string_view &text) {
        if (!take('"')) return false;
        const uint8_t *start = next;
        while (auto quote = static_cast<const uint8_t *>(std::memchr(next, '"', size_t(end - next)))) {
            const uint8_t *before = quote;
            while (before > start && before[-1] == '\\') --before;
            next = quote + 1;
            if ((quote - before) % 2 == 0) {
                text = {reinterpret_cast<const char *>(start), size_t(quote - start)};
                return true;
            }
        }
        return false;
    }

    bool skip_value() {
        std::string_view text;
        size_t depth = 0;
        do {
            switch (peek()) {
            case 0: return false;
            case '"':
                if (!take_string(text)) return false;
                break;
            case '{': case '[': ++depth; ++next; break;
            case '}': case ']':
                if (depth == 0) return false;
                --depth; ++next;
                break;
            case ',': case ':':
                if (depth == 0) return false;
                ++next;
                break;
            default: skip_word();
            }
        } while (depth > 0);
        return true;
    }

    /// Skips a number, `true`, `false` or `null`.
    void skip_word() {
        const uint8_t *start = next;
        while (next < end && (*next > ' ' && *next != ',' && *next != '}' && *next != ']')) ++next;
        if (next == start) next = end;
    }

    /// Leads from an object to the value of the first member of that name.
    Search enter(std::string_view name) {
        if (!take('{')) return Search::undecided;
        if (take('}')) return Search::absent;
        do {
            std::string_view key;
            if (!take_string(key) || key.find('\\') != key.npos || !take(':')) return Search::undecided;
            if (key == name) return Search::found;
            if (!skip_value()) return Search::undecided;
        } while (take(','));
        return take('}') ? Search::absent : Search::undecided;
    }

    bool take_scalar(cjson_event &event) {
        std::string_view text;
        switch (peek()) {
        case '"':
            if (!take_string(text) || text.find('\\') != text.npos) return false;
            event.kind = CJSON_STRING;
            event.text = text.data();
            event.length = text.size();
            return true;
        case 't': event.kind = CJSON_TRUE; return true;
        case 'f': event.kind = CJSON_FALSE; return true;
        case 'n': event.kind = CJSON_NULL; return true;
        default: return take_integer(event);
        }
    }

    bool take_integer(cjson_event &event) {
        constexpr ptrdiff_t length_max = 18;
        bool is_negative = take('-');
        const uint8_t *start = next;
        int64_t number = 0;
        for (; next < end && *next >= '0' && *next <= '9'; ++next) {
            if (next - start == length_max) return false;
            number = 10 * number + (*next - '0');
        }
        uint8_t behind = peek();
        if (next == start || (behind != ',' && behind != '}')) return false;
        event.kind = CJSON_INT64;
        event.integer = is_negative ? -number : number;
        return true;
    }
};

}  // namespace

extern "C" int cjson_find(
    const uint8_t *bytes, size_t length, const char *pointer, size_t pointer_length,
    cjson_event *scalar) {
    Reader reader{bytes, bytes + length};
    std::string_view rest(pointer, pointer_length);
    if (rest.empty() || rest.find('~') != rest.npos) return -1;
    while (!rest.empty()) {
        rest.remove_prefix(1);
        std::string_view name = rest.substr(0, rest.find('/'));
        switch (reader.enter(name)) {
        case Search::found: break;
        case Search::absent: return 0;
        case Search::undecided: return -1;
        }
        rest.remove_prefix(name.size());
    }
    return reader.take_scalar(*scalar) ? 1 : -1;
}
