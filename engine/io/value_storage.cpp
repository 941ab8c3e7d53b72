#include "io/value_storage.h"

#include <algorithm>

namespace accelerant::io {

using types::DataType;
using types::TypeId;

namespace {

/// Decimals of more digits do not fit the integer.
constexpr int kMaxInt32Digits = 9;
constexpr int kMaxInt64Digits = 18;

ValueStorage storage_of_decimal(const DataType& type, const ParquetWriteOptions& options) {
  if (options.legacy_decimals || type.precision() > kMaxInt64Digits) return ValueStorage::DecimalBytes;
  return type.precision() > kMaxInt32Digits ? ValueStorage::DecimalInt64 : ValueStorage::DecimalInt32;
}

ValueStorage storage_of_timestamp(const ParquetWriteOptions& options) {
  switch (options.timestamps) {
    case TimestampStorage::Int96:
      return ValueStorage::TimestampInt96;
    case TimestampStorage::Micros:
      return ValueStorage::Int64;
    case TimestampStorage::Millis:
      break;
  }
  return ValueStorage::TimestampMillis;
}

}  // namespace

bool is_storable(const DataType& type) {
  if (!type.is_nested()) return storage_of(type, ParquetWriteOptions()).has_value();
  // Parquet has no groups without fields.
  return !type.fields().empty() &&
         std::ranges::all_of(type.fields(), [](const types::Field& field) { return is_storable(field.type); });
}

std::optional<ValueStorage> storage_of(const DataType& type, const ParquetWriteOptions& options) {
  switch (type.id()) {
    case TypeId::Boolean:
      return ValueStorage::Boolean;
    case TypeId::Byte:
      return ValueStorage::Int8;
    case TypeId::Short:
      return ValueStorage::Int16;
    case TypeId::Int:
    case TypeId::Date:
    case TypeId::YearMonthInterval:
      return ValueStorage::Int32;
    case TypeId::Long:
    case TypeId::TimestampNtz:
    case TypeId::DayTimeInterval:
      return ValueStorage::Int64;
    case TypeId::Float:
      return ValueStorage::Float;
    case TypeId::Double:
      return ValueStorage::Double;
    case TypeId::String:
    case TypeId::Binary:
      return ValueStorage::Bytes;
    case TypeId::Decimal:
      return storage_of_decimal(type, options);
    case TypeId::Timestamp:
      return storage_of_timestamp(options);
    case TypeId::Null:
    case TypeId::CalendarInterval:
    case TypeId::Array:
    case TypeId::Map:
    case TypeId::Struct:
    case TypeId::Char:
    case TypeId::Varchar:
    case TypeId::Other:
      break;
  }
  return std::nullopt;
}

}  // namespace accelerant::io
