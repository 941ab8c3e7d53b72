#pragma once

#include "execution/context.h"

#include <cstdint>

namespace accelerant::io {

/// Returns how many rows the batches of a scan have at most.
inline int64_t most_batch_rows(const execution::OperatorContext& ctx) {
  constexpr int64_t kByDefault = 16 * 1024;
  return ctx.batch_rows > 0 ? ctx.batch_rows : kByDefault;
}

}  // namespace accelerant::io
