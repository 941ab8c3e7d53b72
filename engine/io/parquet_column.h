#pragma once

#include "types/data_type.h"

#include <cstdint>
#include <memory>
#include <string>

namespace accelerant::io {

/// How a Parquet file's stored values become a scan's values. The stored type comes first.
enum class ValueKind : uint8_t {
  Boolean,
  Int32ToInt8,
  Int32ToInt16,
  Int32ToInt32,
  Int32ToInt64,
  Int32ToInt128,
  Int32ToDouble,
  UInt32ToInt64,
  Int64ToInt64,
  Int64ToInt128,
  Int64MillisToMicros,
  UInt64ToInt128,
  Int96ToMicros,
  Float,
  FloatToDouble,
  Double,
  Bytes,
  BytesToInt128,  ///< big-endian decimals
  FixedBytes,
  FixedBytesToInt64,   ///< big-endian decimals
  FixedBytesToInt128,  ///< big-endian decimals
};

/// What a decimal takes at most: one of 38 digits.
inline constexpr int32_t kMaxDecimalBytes = 16;

struct NestedColumn;

/// Where a scan's column lies in one file.
struct FileColumn {
  std::string name;  ///< as the scan calls it, for messages
  types::DataType type;
  int leaf = -1;  ///< position among the file's leaf columns; -1: it is nested, or `is_missing`
  std::shared_ptr<const NestedColumn> nested = nullptr;
  ValueKind kind = ValueKind::Boolean;
  bool is_optional = false;   ///< has definition levels
  int stored_bytes = 0;       ///< of a stored value; of a FIXED_LEN_BYTE_ARRAY as the file says, 0 for BYTE_ARRAY
  bool is_row_index = false;  ///< of rows in the file: in no chunk

  bool is_nested() const { return nested != nullptr; }
  /// Says whether no chunk has it: every row is null, or it is a row index.
  bool is_missing() const { return leaf < 0 && !nested; }
  /// Returns the physical type of the columns read from the file.
  types::PhysicalType physical() const { return type.physical(); }
};

}  // namespace accelerant::io
