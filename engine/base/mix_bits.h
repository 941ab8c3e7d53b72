#pragma once

#include <cstdint>

namespace accelerant {

/// Spreads a number over all 64 bits: whoever takes only some of them, low or high, finds other numbers elsewhere.
constexpr uint64_t mix_bits(uint64_t number) {
  number ^= number >> 32;
  number *= 0xd6e8feb86659fd93;
  number ^= number >> 32;
  number *= 0xd6e8feb86659fd93;
  return number ^ (number >> 32);
}

}  // namespace accelerant
