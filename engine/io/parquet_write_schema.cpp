#include "io/parquet_write_schema.h"

#include "base/error.h"

#include <arrow/type.h>
#include <parquet/types.h>

namespace accelerant::io {

using parquet::LogicalType;
using parquet::schema::GroupNode;
using parquet::schema::NodeVector;
using types::DataType;
using types::Field;
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
    case TypeId::Null:
    case TypeId::Boolean:
    case TypeId::Int:
    case TypeId::Long:
    case TypeId::Float:
    case TypeId::Double:
    case TypeId::Binary:
    case TypeId::DayTimeInterval:
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
  return LogicalType::None();
}

parquet::schema::NodePtr parquet_field(const Field& field, const ParquetWriteOptions& options);

parquet::Repetition::type repetition_of(const Field& field) {
  return field.nullable ? parquet::Repetition::OPTIONAL : parquet::Repetition::REQUIRED;
}

NodeVector parquet_fields(const std::vector<Field>& fields, const ParquetWriteOptions& options) {
  NodeVector nodes;
  for (const Field& field : fields) nodes.push_back(parquet_field(field, options));
  return nodes;
}

/// Makes a list or a map: a group around a repeated group of elements, or of keys and values.
parquet::schema::NodePtr repeated_field(const Field& field, const char* name,
                                        const std::shared_ptr<const LogicalType>& annotation,
                                        const ParquetWriteOptions& options) {
  const auto repeated =
      GroupNode::Make(name, parquet::Repetition::REPEATED, parquet_fields(field.type.fields(), options));
  return GroupNode::Make(field.name, repetition_of(field), {repeated}, annotation);
}

parquet::schema::NodePtr parquet_field(const Field& field, const ParquetWriteOptions& options) {
  if (field.type.is(TypeId::Array)) return repeated_field(field, "list", LogicalType::List(), options);
  if (field.type.is(TypeId::Map)) return repeated_field(field, "key_value", LogicalType::Map(), options);
  if (field.type.is(TypeId::Struct)) {
    return GroupNode::Make(field.name, repetition_of(field), parquet_fields(field.type.fields(), options));
  }
  const auto storage = storage_of(field.type, options);
  if (!storage) throw_unsupported("writing column " + field.name + " of type " + field.type.to_string());
  const int num_bytes =
      *storage == ValueStorage::DecimalBytes ? arrow::DecimalType::DecimalSize(field.type.precision()) : -1;
  return parquet::schema::PrimitiveNode::Make(field.name, repetition_of(field), annotation(field.type, *storage),
                                              stored_type(*storage), num_bytes);
}

/// Adds the leaves below a type, in the order of the schema's nodes.
void add_leaves(const DataType& type, size_t column, const ParquetWriteOptions& options,
                std::vector<WriteLeaf>& leaves) {
  if (!type.is_nested()) {
    leaves.push_back({"", type, *storage_of(type, options), column});
    return;
  }
  for (const Field& field : type.fields()) add_leaves(field.type, column, options, leaves);
}

}  // namespace

std::shared_ptr<GroupNode> parquet_schema(const std::vector<WriteColumn>& columns, const ParquetWriteOptions& options) {
  std::vector<Field> fields;
  for (const WriteColumn& column : columns) fields.push_back({column.name, column.type, column.nullable});
  return std::static_pointer_cast<GroupNode>(
      GroupNode::Make("spark_schema", parquet::Repetition::REQUIRED, parquet_fields(fields, options)));
}

std::vector<WriteLeaf> leaves_of(const std::shared_ptr<GroupNode>& schema, const std::vector<WriteColumn>& columns,
                                 const ParquetWriteOptions& options) {
  std::vector<WriteLeaf> leaves;
  for (size_t i = 0; i < columns.size(); ++i) add_leaves(columns[i].type, i, options, leaves);
  parquet::SchemaDescriptor descriptor;
  descriptor.Init(std::static_pointer_cast<parquet::schema::Node>(schema));
  for (size_t i = 0; i < leaves.size(); ++i) {
    leaves[i].path = descriptor.Column(static_cast<int>(i))->path()->ToDotString();
  }
  return leaves;
}

}  // namespace accelerant::io
