#pragma once

#include "device/kernels/generate.h"
#include "device/stream.h"

#include <cstdint>
#include <vector>

namespace accelerant::device {

using kernels::RandomColumn;

/// Enqueues: `to` = the first values of a random column, which has the same ones on every machine.
/// @param value_bytes 4 or 8
/// @param to device memory, aligned to `value_bytes`
void generate(DeviceStream& stream, const RandomColumn& column, int64_t num_rows, int32_t value_bytes, void* to);

/// Does the same on the host, as plainly as can be.
template <class Value>
std::vector<Value> generate_on_host(const RandomColumn& column, int64_t num_rows) {
  std::vector<Value> values;
  for (int64_t row = 0; row < num_rows; ++row) values.push_back(static_cast<Value>(column.at(row)));
  return values;
}

}  // namespace accelerant::device
