#include "io/parquet_write_schema.h"

#include "base/error.h"

#include <arrow/type.h>
#include <parquet/types.h>

namespace accelerant::io {

using parquet::LogicalType;
using types::DataType;
using types::TypeId;

namespace {

parquet::Type::type stored_type(ValueStorage storage) {
  switch (storage) {
    case ValueStorage::Boolean:
      return parquet::Type::BOOLEAN;
    case ValueStorage::Int8:
    case ValueStorage::Int16:
    case ValueStorage::Int32:
    case ValueStorage::DecimalInt32:
      return parquet::Type::INT32;
    case ValueStorage::Int64:
    case ValueStorage::DecimalInt64:
    case ValueStorage::TimestampMillis:
      return parquet::Type::INT64;
    case ValueStorage::Float:
      return parquet::Type::FLOAT;
    case ValueStorage::Double:
      return parquet::Type::DOUBLE;
    case ValueStorage::Bytes:
      return parquet::Type::BYTE_ARRAY;
    case ValueStorage::DecimalBytes:
      return parquet::Type::FIXED_LEN_BYTE_ARRAY;
    case ValueStorage::TimestampInt96:
      break;
  }
  return parquet::Type::INT96;
}

std::shared_ptr<const LogicalType> timestamp_annotation(ValueStorage storage, bool is_utc) {
  if (storage == ValueStorage::TimestampInt96) return LogicalType::None();
  const auto unit =
      storage == ValueStorage::TimestampMillis ? LogicalType::TimeUnit::MILLIS : LogicalType::TimeUnit::MICROS;
  return LogicalType::Timestamp(is_utc, unit);
}

std::shared_ptr<const LogicalType> annotation(const DataType& type, ValueStorage storage) {
  switch (type.id()) {
    case TypeId::Byte:
      return LogicalType::Int(8, true);
    case TypeId::Short:
      return LogicalType::Int(16, true);
    case TypeId::Decimal:
      return LogicalType::Decimal(type.precision(), type.scale());
    case TypeId::String:
      return LogicalType::String();
    case TypeId::Date:
      return LogicalType::Date();
    case TypeId::Timestamp:
      return timestamp_annotation(storage, true);
    case TypeId::TimestampNtz:
      return timestamp_annotation(storage, false);
    default:
      return LogicalType::None();
  }
}

parquet::schema::NodePtr parquet_field(const WriteColumn& column, const ParquetWriteOptions& options) {
  const auto storage = storage_of(column.type, options);
  if (!storage) throw_unsupported("writing column " + column.name + " of type " + column.type.to_string());
  const int num_bytes =
      *storage == ValueStorage::DecimalBytes ? arrow::DecimalType::DecimalSize(column.type.precision()) : -1;
  return parquet::schema::PrimitiveNode::Make(
      column.name, column.nullable ? parquet::Repetition::OPTIONAL : parquet::Repetition::REQUIRED,
      annotation(column.type, *storage), stored_type(*storage), num_bytes);
}

}  // namespace

std::shared_ptr<parquet::schema::GroupNode> parquet_schema(const std::vector<WriteColumn>& columns,
                                                           const ParquetWriteOptions& options) {
  parquet::schema::NodeVector fields;
  for (const WriteColumn& column : columns) fields.push_back(parquet_field(column, options));
  return std::static_pointer_cast<parquet::schema::GroupNode>(
      parquet::schema::GroupNode::Make("spark_schema", parquet::Repetition::REQUIRED, fields));
}

}  // namespace accelerant::io
