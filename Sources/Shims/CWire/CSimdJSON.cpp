#include "CSimdJSON.h"

#include <cstring>
#include <simdjson.h>
#include <vector>

namespace {

using simdjson::dom::element;
using simdjson::dom::element_type;

struct Visitor {
    void *context;
    int (*visit)(void *, const cjson_event *);

    bool emit(cjson_kind kind) const {
        cjson_event event{};
        event.kind = kind;
        return visit(context, &event) != 0;
    }

    bool emit(cjson_kind kind, std::string_view text) const {
        cjson_event event{};
        event.kind = kind;
        event.text = text.data();
        event.length = text.size();
        return visit(context, &event) != 0;
    }

    bool walk(element value) const {
        cjson_event event{};
        switch (value.type()) {
        case element_type::NULL_VALUE: return emit(CJSON_NULL);
        case element_type::BOOL: return emit(bool(value) ? CJSON_TRUE : CJSON_FALSE);
        case element_type::STRING: return emit(CJSON_STRING, std::string_view(value));
        case element_type::INT64:
            event.kind = CJSON_INT64;
            event.integer = int64_t(value);
            return visit(context, &event) != 0;
        case element_type::UINT64:
            event.kind = CJSON_UINT64;
            event.unsigned_integer = uint64_t(value);
            return visit(context, &event) != 0;
        case element_type::DOUBLE:
            event.kind = CJSON_DOUBLE;
            event.number = double(value);
            return visit(context, &event) != 0;
        case element_type::ARRAY:
            if (!emit(CJSON_BEGIN_ARRAY)) return false;
            for (element child : simdjson::dom::array(value)) {
                if (!walk(child)) return false;
            }
            return emit(CJSON_END_ARRAY);
        case element_type::OBJECT:
            if (!emit(CJSON_BEGIN_OBJECT)) return false;
            for (auto field : simdjson::dom::object(value)) {
                if (!emit(CJSON_KEY, field.key) || !walk(field.value)) return false;
            }
            return emit(CJSON_END_OBJECT);
        }
        return false;
    }
};

/// Finds parts of documents that are known to be valid, and reads no further than needed.
class ObjectReader {
    simdjson::ondemand::parser parser;
    /// The document, followed by padding.
    std::vector<uint8_t> padded;

public:
    /// Finds the text of the part that a pointer names. Returns NO_SUCH_FIELD only if there is no
    /// such part; any other error leaves that open. Names are compared as they are written in the
    /// document, so neither the document nor the pointer may contain an escape.
    simdjson::error_code find(
        const uint8_t *bytes, size_t length, std::string_view pointer, std::string_view &part) {
        bool has_escapes =
            std::memchr(bytes, '\\', length) || pointer.find_first_of("\\\"") != pointer.npos;
        if (has_escapes) return simdjson::STRING_ERROR;
        if (padded.size() < length + simdjson::SIMDJSON_PADDING) {
            padded.resize(length + simdjson::SIMDJSON_PADDING);
        }
        std::memcpy(padded.data(), bytes, length);
        simdjson::ondemand::document document;
        simdjson::ondemand::value value;
        auto error = parser.iterate(padded.data(), length, padded.size()).get(document);
        if (error == simdjson::SUCCESS) error = document.at_pointer(pointer).get(value);
        return error == simdjson::SUCCESS ? simdjson::to_json_string(value).get(part) : error;
    }
};

}  // namespace

extern "C" int cjson_parse(
    const uint8_t *bytes, size_t length, void *context,
    int (*visit)(void *context, const cjson_event *event)) {
    thread_local simdjson::dom::parser parser;
    element document;
    auto error = parser.parse(bytes, length, true).get(document);
    if (error == simdjson::SUCCESS) Visitor{context, visit}.walk(document);
    return error;
}

extern "C" int cjson_parse_at(
    const uint8_t *bytes, size_t length, const char *pointer, size_t pointer_length, void *context,
    int (*visit)(void *context, const cjson_event *event)) {
    thread_local simdjson::dom::parser parser;
    element document;
    auto error = parser.parse(bytes, length, true).get(document);
    if (error != simdjson::SUCCESS) return error;
    element part;
    if (document.at_pointer(std::string_view(pointer, pointer_length)).get(part) == simdjson::SUCCESS) {
        Visitor{context, visit}.walk(part);
    }
    return 0;
}

extern "C" int cjson_parse_in_object(
    const uint8_t *bytes, size_t length, const char *pointer, size_t pointer_length, void *context,
    int (*visit)(void *context, const cjson_event *event)) {
    thread_local ObjectReader reader;
    std::string_view part;
    switch (reader.find(bytes, length, std::string_view(pointer, pointer_length), part)) {
    case simdjson::SUCCESS:
        return cjson_parse(
            reinterpret_cast<const uint8_t *>(part.data()), part.size(), context, visit);
    case simdjson::NO_SUCH_FIELD: return 0;
    default: return cjson_parse_at(bytes, length, pointer, pointer_length, context, visit);
    }
}

extern "C" const char *cjson_error_text(int code) {
    return simdjson::error_message(simdjson::error_code(code));
}
