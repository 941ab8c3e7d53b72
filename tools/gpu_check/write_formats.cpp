#include "io/write_format.h"

namespace accelerant::io {

/// Knows no format, as no captured plan writes files; the engine's own list brings Arrow along.
const WriteFormat* find_write_format(std::string_view) { return nullptr; }

}  // namespace accelerant::io
