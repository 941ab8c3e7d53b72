#include "io/parquet_schema.h"

#include "base/error.h"
#include "io/file_fields.h"
#include "io/nested_schema.h"
#include "io/parquet_calendar.h"

#include <optional>
#include <string_view>
#include <utility>

namespace accelerant::io {

using parquet::ColumnDescriptor;
using parquet::LogicalType;
using types::DataType;
using types::TypeId;

namespace {

/// What a stored type's annotation says, as far as it matters here.
struct Annotation {
  const LogicalType& logical;

  bool is_plain() const { return logical.is_none(); }
  /// No annotation, or a signed integer of at most `bits` bits.
  bool is_signed(int bits) const {
    if (is_plain()) return true;
    if (!logical.is_int()) return false;
    const auto& type = static_cast<const parquet::IntLogicalType&>(logical);
    return type.is_signed() && type.bit_width() <= bits;
  }
  bool is_unsigned(int bits) const {
    if (!logical.is_int()) return false;
    const auto& type = static_cast<const parquet::IntLogicalType&>(logical);
    return !type.is_signed() && type.bit_width() == bits;
  }
  /// A decimal of the same scale and no more digits, as Spark's isDecimalTypeMatched.
  bool fits_decimal(const DataType& wanted) const {
    if (!wanted.is_decimal() || !logical.is_decimal()) return false;
    const auto& type = static_cast<const parquet::DecimalLogicalType&>(logical);
    return type.scale() == wanted.scale() && type.precision() <= wanted.precision();
  }
};

std::optional<ValueKind> kind_of_int32(const Annotation& stored, const DataType& wanted) {
  if (stored.fits_decimal(wanted)) {
    return wanted.physical() == types::PhysicalType::Int64 ? ValueKind::Int32ToInt64 : ValueKind::Int32ToInt128;
  }
  const bool is_small = stored.is_signed(32) || stored.is_unsigned(8) || stored.is_unsigned(16);
  switch (wanted.id()) {
    case TypeId::Byte:
      if (stored.is_signed(32)) return ValueKind::Int32ToInt8;
      break;
    case TypeId::Short:
      if (stored.is_signed(32) || stored.is_unsigned(8)) return ValueKind::Int32ToInt16;
      break;
    case TypeId::Int:
      if (is_small) return ValueKind::Int32ToInt32;
      break;
    case TypeId::Long:
      if (stored.is_unsigned(32)) return ValueKind::UInt32ToInt64;
      if (is_small) return ValueKind::Int32ToInt64;
      break;
    case TypeId::Double:
      if (stored.is_signed(32)) return ValueKind::Int32ToDouble;
      break;
    case TypeId::Date:
      if (stored.logical.is_date()) return ValueKind::Int32ToInt32;
      break;
    case TypeId::YearMonthInterval:
      if (stored.is_plain()) return ValueKind::Int32ToInt32;
      break;
    case TypeId::Null:
    case TypeId::Boolean:
    case TypeId::Float:
    case TypeId::Decimal:
    case TypeId::String:
    case TypeId::Binary:
    case TypeId::Timestamp:
    case TypeId::TimestampNtz:
    case TypeId::DayTimeInterval:
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

std::optional<ValueKind> kind_of_timestamp(const LogicalType& stored, const DataType& wanted) {
  if (!stored.is_timestamp()) return std::nullopt;
  const auto& type = static_cast<const parquet::TimestampLogicalType&>(stored);
  if (type.is_adjusted_to_utc() != wanted.is(TypeId::Timestamp)) return std::nullopt;
  switch (type.time_unit()) {
    case LogicalType::TimeUnit::MICROS:
      return ValueKind::Int64ToInt64;
    case LogicalType::TimeUnit::MILLIS:
      return ValueKind::Int64MillisToMicros;
    case LogicalType::TimeUnit::NANOS:
    case LogicalType::TimeUnit::UNKNOWN:
      break;
  }
  return std::nullopt;
}

std::optional<ValueKind> kind_of_int64(const Annotation& stored, const DataType& wanted) {
  if (stored.fits_decimal(wanted)) {
    return wanted.physical() == types::PhysicalType::Int64 ? ValueKind::Int64ToInt64 : ValueKind::Int64ToInt128;
  }
  switch (wanted.id()) {
    case TypeId::Long:
      if (stored.is_signed(64)) return ValueKind::Int64ToInt64;
      break;
    case TypeId::Decimal:
      if (stored.is_unsigned(64) && wanted == DataType::decimal(20, 0)) return ValueKind::UInt64ToInt128;
      break;
    case TypeId::Timestamp:
    case TypeId::TimestampNtz:
      return kind_of_timestamp(stored.logical, wanted);
    case TypeId::DayTimeInterval:
      if (stored.is_plain()) return ValueKind::Int64ToInt64;
      break;
    case TypeId::Null:
    case TypeId::Boolean:
    case TypeId::Byte:
    case TypeId::Short:
    case TypeId::Int:
    case TypeId::Float:
    case TypeId::Double:
    case TypeId::String:
    case TypeId::Binary:
    case TypeId::Date:
    case TypeId::YearMonthInterval:
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

std::optional<ValueKind> kind_of_bytes(const Annotation& stored, const DataType& wanted) {
  // Of fewer digits than 19, Spark's reader of batches refuses them.
  if (stored.fits_decimal(wanted) && wanted.physical() == types::PhysicalType::Int128) return ValueKind::BytesToInt128;
  const LogicalType& logical = stored.logical;
  const bool is_text = stored.is_plain() || logical.is_string() || logical.is_enum() || logical.is_JSON();
  if (wanted.is(TypeId::String) && is_text) return ValueKind::Bytes;
  if (wanted.is(TypeId::Binary) && (is_text || logical.is_BSON())) return ValueKind::Bytes;
  return std::nullopt;
}

std::optional<ValueKind> kind_of_fixed(const Annotation& stored, const DataType& wanted, int num_bytes) {
  if (num_bytes < 1) return std::nullopt;
  if (stored.fits_decimal(wanted) && num_bytes <= kMaxDecimalBytes) {
    return wanted.physical() == types::PhysicalType::Int64 ? ValueKind::FixedBytesToInt64
                                                           : ValueKind::FixedBytesToInt128;
  }
  if (wanted.is(TypeId::Binary) && stored.is_plain()) return ValueKind::FixedBytes;
  return std::nullopt;
}

}  // namespace

std::optional<ValueKind> kind_of(const ColumnDescriptor& descriptor, const DataType& wanted) {
  const Annotation stored{*descriptor.logical_type()};
  switch (descriptor.physical_type()) {
    case parquet::Type::BOOLEAN:
      if (wanted.is(TypeId::Boolean)) return ValueKind::Boolean;
      break;
    case parquet::Type::INT32:
      return kind_of_int32(stored, wanted);
    case parquet::Type::INT64:
      return kind_of_int64(stored, wanted);
    case parquet::Type::INT96:
      if (wanted.is(TypeId::Timestamp)) return ValueKind::Int96ToMicros;
      break;
    case parquet::Type::FLOAT:
      if (wanted.is(TypeId::Float)) return ValueKind::Float;
      if (wanted.is(TypeId::Double)) return ValueKind::FloatToDouble;
      break;
    case parquet::Type::DOUBLE:
      if (wanted.is(TypeId::Double)) return ValueKind::Double;
      break;
    case parquet::Type::BYTE_ARRAY:
      return kind_of_bytes(stored, wanted);
    case parquet::Type::FIXED_LEN_BYTE_ARRAY:
      return kind_of_fixed(stored, wanted, descriptor.type_length());
    case parquet::Type::UNDEFINED:
      break;
  }
  return std::nullopt;
}

namespace {

FileColumn map_column(const ScanColumn& wanted, const FileFields& fields, const ScanSpec& spec,
                      const parquet::FileMetaData& metadata) {
  FileColumn column{wanted.name, wanted.type};
  if (wanted.partition_index >= 0) return column;
  column.is_row_index = wanted.is_row_index;
  if (column.is_row_index) return column;
  const auto* field = fields.find(wanted.name);
  if (!field) return column;
  if (wanted.type.is_nested() || !wanted.members.empty()) {
    column.nested = find_nested_column(metadata, *field, wanted, spec);
    return column;
  }
  if (!field->is_primitive() || field->is_repeated()) {
    throw_unsupported("reading a nested column as " + wanted.type.to_string());
  }
  column.leaf = metadata.schema()->ColumnIndex(*field);
  const ColumnDescriptor& descriptor = *metadata.schema()->Column(column.leaf);
  const auto kind = kind_of(descriptor, wanted.type);
  if (!kind) {
    throw_unsupported("reading " + parquet::TypeToString(descriptor.physical_type()) + " (" +
                      descriptor.logical_type()->ToString() + ") as " + wanted.type.to_string());
  }
  column.kind = *kind;
  column.is_optional = descriptor.max_definition_level() > 0;
  column.stored_bytes =
      descriptor.physical_type() == parquet::Type::FIXED_LEN_BYTE_ARRAY ? descriptor.type_length() : 0;
  check_calendar(metadata, column.leaf, column.kind, column.type);
  return column;
}

}  // namespace

std::vector<FileColumn> map_columns(const ScanSpec& spec, const parquet::FileMetaData& metadata,
                                    const std::string& uri) {
  const FileFields fields(*metadata.schema()->group_node(), spec.case_sensitive);
  std::vector<FileColumn> columns;
  for (const ScanColumn& wanted : spec.columns) {
    try {
      columns.push_back(map_column(wanted, fields, spec, metadata));
      check_version(spec, wanted, columns.back(), metadata);
    } catch (Error& error) {
      error.with_context("column " + wanted.name + " of " + uri);
      throw;
    }
  }
  return columns;
}

}  // namespace accelerant::io
