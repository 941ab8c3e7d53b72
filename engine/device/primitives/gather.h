#pragma once

#include "device/stream.h"

#include <cstdint>
#include <span>
#include <vector>

namespace accelerant::device {

/// Enqueues: to[i] = from[rows[i]]; where rows[i] is below 0, to[i] stays as it is. Values have 1, 2, 4, 8 or 16 bytes
/// and are aligned to that. All is device memory.
void gather(DeviceStream& stream, int32_t value_bytes, const void* from, const int32_t* rows, int64_t num_rows,
            void* to);

/// Enqueues: bit i of `to` = bit rows[i] of `from`, or 0 where rows[i] is below 0. `from` may be null: all its bits are
/// set. Bit i is bit i % 8 of byte i / 8. `to` has room for whole words of 32 bits, whose bits past the end become 0.
void gather_bits(DeviceStream& stream, const uint8_t* from, const int32_t* rows, int64_t num_rows, uint32_t* to);

/// Does the same on the host, as plainly as can be; `to` as long as `rows`.
template <class Value>
void gather_on_host(std::span<const Value> from, std::span<const int32_t> rows, std::span<Value> to) {
  for (size_t i = 0; i < rows.size(); ++i) {
    if (rows[i] >= 0) to[i] = from[static_cast<size_t>(rows[i])];
  }
}
std::vector<uint32_t> gather_bits_on_host(const uint8_t* from, std::span<const int32_t> rows);

}  // namespace accelerant::device
