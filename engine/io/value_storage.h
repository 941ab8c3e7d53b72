#pragma once

#include "io/parquet_write_options.h"
#include "types/data_type.h"

#include <cstdint>
#include <optional>

namespace accelerant::io {

/// How a column's values become a file's.
enum class ValueStorage : uint8_t {
  Boolean,
  Int8,  ///< as 32 bits, like Int16
  Int16,
  Int32,
  Int64,
  Float,
  Double,
  Bytes,
  DecimalInt32,
  DecimalInt64,
  DecimalBytes,  ///< big-endian two's complement of the fewest bytes that hold the precision
  TimestampInt96,
  TimestampMillis,
};

/// Returns how values of a type are stored, as Spark's ParquetWriteSupport stores them; nothing for a type that is not
/// written.
std::optional<ValueStorage> storage_of(const types::DataType& type, const ParquetWriteOptions& options);

/// Says whether values of a type can be written, those of what it is made of included.
bool is_storable(const types::DataType& type);

}  // namespace accelerant::io
