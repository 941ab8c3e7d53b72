#pragma once

#include <cstdint>

namespace accelerant::io {

/// How large messages are: of at most `max_rows` rows and, but for single rows, `max_bytes` each; where a limit is not
/// positive there is none.
struct MessageLimits {
  int64_t max_rows;
  int64_t max_bytes;
};

}  // namespace accelerant::io
