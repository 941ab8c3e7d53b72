#pragma once

#include <cstdint>
#include <vector>

namespace accelerant::plan {

/// Appends a number as messages have it: seven bits a byte, the lowest first, with a mark but on the last.
inline void append_varint(uint64_t value, std::vector<uint8_t>& out) {
  for (; value >= 0x80; value >>= 7) out.push_back(static_cast<uint8_t>(value | 0x80));
  out.push_back(static_cast<uint8_t>(value));
}

}  // namespace accelerant::plan
