#include <bson/bson.h>

/// Size in bytes of `bson_iter_t`, whose alignment keeps it from being imported as a value.
static inline size_t cbson_iter_size(void) { return sizeof(bson_iter_t); }
