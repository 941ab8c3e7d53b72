#include "types/data_type.h"

#include "base/error.h"

namespace accelerant::types {

int width_of(PhysicalType physical) {
  switch (physical) {
    case PhysicalType::Null:
    case PhysicalType::Struct:
      return 0;
    case PhysicalType::Bool:
    case PhysicalType::Int8:
      return 1;
    case PhysicalType::Int16:
      return 2;
    case PhysicalType::Int32:
    case PhysicalType::Float32:
    case PhysicalType::Array:
    case PhysicalType::Map:
      return 4;
    case PhysicalType::Int64:
    case PhysicalType::Float64:
      return 8;
    case PhysicalType::Int128:
    case PhysicalType::String:
      return 16;
  }
  return 0;
}

const char* to_string(PhysicalType physical) {
  static constexpr const char* kNames[] = {"null",  "bool",   "int8",   "int16", "int32", "int64", "int128",
                                           "float", "double", "string", "array", "map",   "struct"};
  return kNames[static_cast<int>(physical)];
}

DataType DataType::decimal(int precision, int scale) {
  ACC_CHECK(precision >= 1 && precision <= kMaxDecimalPrecision && scale >= 0 && scale <= precision);
  DataType type(TypeId::Decimal);
  type.a_ = static_cast<int16_t>(precision);
  type.b_ = static_cast<int16_t>(scale);
  return type;
}

DataType DataType::array(DataType element, bool contains_null) {
  DataType type(TypeId::Array);
  type.fields_ =
      std::make_shared<std::vector<Field>>(std::vector<Field>{{"element", std::move(element), contains_null}});
  return type;
}

DataType DataType::map(DataType key, DataType value, bool value_contains_null) {
  DataType type(TypeId::Map);
  type.fields_ = std::make_shared<std::vector<Field>>(
      std::vector<Field>{{"key", std::move(key), false}, {"value", std::move(value), value_contains_null}});
  return type;
}

DataType DataType::structure(std::vector<Field> fields) {
  DataType type(TypeId::Struct);
  type.fields_ = std::make_shared<std::vector<Field>>(std::move(fields));
  return type;
}

DataType DataType::interval(TypeId id, int start_field, int end_field) {
  DataType type(id);
  type.a_ = static_cast<int16_t>(start_field);
  type.b_ = static_cast<int16_t>(end_field);
  return type;
}

DataType DataType::other(std::string name) {
  DataType type(TypeId::Other);
  type.name_ = std::make_shared<std::string>(std::move(name));
  return type;
}

const std::vector<Field>& DataType::fields() const {
  static const std::vector<Field> kNone;
  return fields_ ? *fields_ : kNone;
}

PhysicalType DataType::physical() const {
  switch (id_) {
    case TypeId::Null:
      return PhysicalType::Null;
    case TypeId::Boolean:
      return PhysicalType::Bool;
    case TypeId::Byte:
      return PhysicalType::Int8;
    case TypeId::Short:
      return PhysicalType::Int16;
    case TypeId::Int:
    case TypeId::Date:
    case TypeId::YearMonthInterval:
      return PhysicalType::Int32;
    case TypeId::Long:
    case TypeId::Timestamp:
    case TypeId::TimestampNtz:
    case TypeId::DayTimeInterval:
      return PhysicalType::Int64;
    case TypeId::Float:
      return PhysicalType::Float32;
    case TypeId::Double:
      return PhysicalType::Float64;
    case TypeId::Decimal:
      return a_ <= kMaxLongDecimalPrecision ? PhysicalType::Int64 : PhysicalType::Int128;
    case TypeId::String:
    case TypeId::Binary:
    case TypeId::Char:
    case TypeId::Varchar:
      return PhysicalType::String;
    case TypeId::Array:
      return PhysicalType::Array;
    case TypeId::Map:
      return PhysicalType::Map;
    case TypeId::Struct:
      return PhysicalType::Struct;
    case TypeId::CalendarInterval:
    case TypeId::Other:
      break;
  }
  throw_unsupported("type " + to_string());
}

namespace {

std::string members_to_string(const DataType& type) {
  std::string text;
  for (const Field& field : type.fields()) {
    if (!text.empty()) text += ",";
    if (type.is(TypeId::Struct)) text += field.name + ":";
    text += field.type.to_string();
  }
  return text;
}

}  // namespace

std::string DataType::to_string() const {
  switch (id_) {
    case TypeId::Null:
      return "void";
    case TypeId::Boolean:
      return "boolean";
    case TypeId::Byte:
      return "tinyint";
    case TypeId::Short:
      return "smallint";
    case TypeId::Int:
      return "int";
    case TypeId::Long:
      return "bigint";
    case TypeId::Float:
      return "float";
    case TypeId::Double:
      return "double";
    case TypeId::Decimal:
      return "decimal(" + std::to_string(a_) + "," + std::to_string(b_) + ")";
    case TypeId::String:
      return "string";
    case TypeId::Binary:
      return "binary";
    case TypeId::Date:
      return "date";
    case TypeId::Timestamp:
      return "timestamp";
    case TypeId::TimestampNtz:
      return "timestamp_ntz";
    case TypeId::DayTimeInterval:
      return "interval day to second";
    case TypeId::YearMonthInterval:
      return "interval year to month";
    case TypeId::CalendarInterval:
      return "interval";
    case TypeId::Array:
      return "array<" + members_to_string(*this) + ">";
    case TypeId::Map:
      return "map<" + members_to_string(*this) + ">";
    case TypeId::Struct:
      return "struct<" + members_to_string(*this) + ">";
    case TypeId::Char:
      return "char";
    case TypeId::Varchar:
      return "varchar";
    case TypeId::Other:
      return *name_;
  }
  return "unknown";
}

bool operator==(const DataType& a, const DataType& b) {
  if (a.id_ != b.id_ || a.a_ != b.a_ || a.b_ != b.b_) return false;
  if (a.name_ && *a.name_ != *b.name_) return false;
  return a.fields() == b.fields();
}

}  // namespace accelerant::types
