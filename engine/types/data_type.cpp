#include "types/data_type.h"

#include "base/error.h"
#include "types/logical.h"

#include <algorithm>
#include <array>
#include <optional>

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
  static const auto* const kNone = new std::vector<Field>;
  return fields_ ? *fields_ : *kNone;
}

namespace {

/// What the list says of a type.
struct TypeEntry {
  std::optional<PhysicalType> physical;
  const char* sql = "";
  const char* arrow = "";
};

#define ACC_CODE(name, code, ...) size_t{code},
constexpr size_t kMaxCode = std::max({ACC_TYPES_OF_VALUES(ACC_CODE) ACC_TYPES_WITHOUT_VALUES(ACC_CODE)});
#undef ACC_CODE

constexpr std::array<TypeEntry, kMaxCode + 1> make_entries() {
  std::array<TypeEntry, kMaxCode + 1> entries;
#define ACC_ADD_TYPE(name, code, physical, sql, arrow) entries[code] = {PhysicalType::physical, sql, arrow};
  ACC_TYPES_OF_VALUES(ACC_ADD_TYPE)
#undef ACC_ADD_TYPE
#define ACC_ADD_TYPE(name, code, sql) entries[code] = {std::nullopt, sql, ""};
  ACC_TYPES_WITHOUT_VALUES(ACC_ADD_TYPE)
#undef ACC_ADD_TYPE
  return entries;
}

const TypeEntry& entry_of(TypeId id) {
  static constexpr std::array kEntries = make_entries();
  return kEntries[static_cast<size_t>(id)];
}

// Signatures of functions name types for devices, too, by the same codes.
#define ACC_CHECK_TAG(name) static_assert(name##Type::kId == static_cast<uint8_t>(TypeId::name))
ACC_CHECK_TAG(Null);
ACC_CHECK_TAG(Boolean);
ACC_CHECK_TAG(Byte);
ACC_CHECK_TAG(Short);
ACC_CHECK_TAG(Int);
ACC_CHECK_TAG(Long);
ACC_CHECK_TAG(Float);
ACC_CHECK_TAG(Double);
ACC_CHECK_TAG(Decimal);
ACC_CHECK_TAG(String);
ACC_CHECK_TAG(Binary);
ACC_CHECK_TAG(Date);
ACC_CHECK_TAG(Timestamp);
ACC_CHECK_TAG(TimestampNtz);
ACC_CHECK_TAG(DayTimeInterval);
ACC_CHECK_TAG(YearMonthInterval);
ACC_CHECK_TAG(Array);
#undef ACC_CHECK_TAG

}  // namespace

PhysicalType DataType::physical() const {
  if (is_decimal() && a_ <= kMaxLongDecimalPrecision) return PhysicalType::Int64;
  const std::optional<PhysicalType> physical = entry_of(id_).physical;
  if (!physical) throw_unsupported("type " + to_string());
  return *physical;
}

std::string DataType::arrow_format() const {
  const std::string format = entry_of(id_).arrow;
  return is_decimal() ? format + std::to_string(a_) + "," + std::to_string(b_) : format;
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
  if (is(TypeId::Other)) return *name_;
  const std::string name = entry_of(id_).sql;
  if (is_decimal()) return name + "(" + std::to_string(a_) + "," + std::to_string(b_) + ")";
  return is_nested() ? name + "<" + members_to_string(*this) + ">" : name;
}

bool operator==(const DataType& a, const DataType& b) {
  if (a.id_ != b.id_ || a.a_ != b.a_ || a.b_ != b.b_) return false;
  if (a.name_ && *a.name_ != *b.name_) return false;
  return a.fields() == b.fields();
}

}  // namespace accelerant::types
