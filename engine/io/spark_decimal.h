#pragma once

#include "base/error.h"
#include "types/data_type.h"
#include "types/string_view.h"

#include <cstddef>
#include <cstdint>
#include <string>

/// How rows and caches of Spark's hold decimals.
namespace accelerant::io {

/// Returns the physical type of the values that Spark holds for a type: of a decimal of at most 18 digits a long.
inline types::PhysicalType spark_physical(const types::DataType& type) {
  constexpr int kMostLongDigits = 18;
  if (!type.is_decimal()) return type.physical();
  return type.precision() <= kMostLongDigits ? types::PhysicalType::Int64 : types::PhysicalType::Int128;
}

/// Reads an unscaled value of two's complement with its highest byte first, as java.math.BigInteger writes it.
/// @throws Error Internal for none and for more than 16 bytes
inline __int128 read_unscaled(types::StringRef digits) {
  if (digits.length < 1 || digits.length > 16) throw Error(ErrorKind::Internal, "a decimal of Spark's has no value");
  unsigned __int128 value = static_cast<int8_t>(digits.data[0]) < 0 ? ~static_cast<unsigned __int128>(0) : 0;
  for (int32_t i = 0; i < digits.length; ++i) value = value << 8 | static_cast<uint8_t>(digits.data[i]);
  return static_cast<__int128>(value);
}

/// Returns the bytes that `read_unscaled` reads, as few as there may be.
inline std::string unscaled_bytes(__int128 value) {
  std::string bytes;
  for (int shift = 120; shift >= 0; shift -= 8) bytes.push_back(static_cast<char>(value >> shift));
  const auto is_spare = [&](size_t i) {
    const auto byte = static_cast<int8_t>(bytes[i]);
    const auto next = static_cast<int8_t>(bytes[i + 1]);
    return byte == (next < 0 ? -1 : 0);
  };
  size_t start = 0;
  while (start + 1 < bytes.size() && is_spare(start)) ++start;
  return bytes.substr(start);
}

}  // namespace accelerant::io
