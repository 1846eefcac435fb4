#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The kind of one step of a document.
typedef enum {
    CJSON_NULL,
    CJSON_TRUE,
    CJSON_FALSE,
    CJSON_INT64,
    CJSON_UINT64,
    CJSON_DOUBLE,
    CJSON_STRING,
    CJSON_KEY,
    CJSON_BEGIN_ARRAY,
    CJSON_END_ARRAY,
    CJSON_BEGIN_OBJECT,
    CJSON_END_OBJECT
} cjson_kind;

/// One step of a document, in document order; text is UTF-8 and not zero-terminated.
typedef struct {
    cjson_kind kind;
    int64_t integer;
    uint64_t unsigned_integer;
    double number;
    const char *text;
    size_t length;
} cjson_event;

/// Parses one JSON document and passes its steps to the visitor in order; a visitor that returns 0
/// stops it. Returns 0 on success, or simdjson's error code; the bytes need no padding.
int cjson_parse(
    const uint8_t *bytes, size_t length, void *context,
    int (*visit)(void *context, const cjson_event *event));

/// Parses one JSON document and passes on the steps of the part that a JSON pointer (RFC 6901)
/// names; none if there is no such part. Otherwise like cjson_parse.
int cjson_parse_at(
    const uint8_t *bytes, size_t length, const char *pointer, size_t pointer_length, void *context,
    int (*visit)(void *context, const cjson_event *event));

/// Like cjson_parse_at, for a document that cjson_is_object has accepted: it reads only as much of
/// it as is needed to reach the part.
int cjson_parse_in_object(
    const uint8_t *bytes, size_t length, const char *pointer, size_t pointer_length, void *context,
    int (*visit)(void *context, const cjson_event *event));

/// Returns whether the bytes are certainly one JSON document with an object as root, nested at most
/// 100 levels deep; for others cjson_parse gives the error. No steps are produced, and the bytes
/// need no padding.
int cjson_is_object(const uint8_t *bytes, size_t length);

/// Returns the text of an error code from cjson_parse.
const char *cjson_error_text(int code);

#ifdef __cplusplus
}
#endif
