#pragma once

#include "columns/batch.h"

#include <cstdint>

namespace accelerant::columns {

/// Returns the bytes of all buffers that a batch's columns reach, each counted once per reference.
inline int64_t memory_bytes(const Batch& batch) {
  int64_t num_bytes = 0;
  for (const ColumnPtr& column : batch.columns) num_bytes += column->memory_bytes();
  return num_bytes;
}

}  // namespace accelerant::columns
