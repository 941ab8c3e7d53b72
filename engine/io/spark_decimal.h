#pragma once

#include "base/error.h"
#include "types/data_type.h"
#include "types/string_view.h"

#include <cstdint>

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

}  // namespace accelerant::io
