#pragma once

#include "types/type_list.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace accelerant::types {

/// Spark's data types. Dates are days since 1970-01-01, timestamps microseconds since then: with a session's time zone
/// in UTC, without (Ntz) in no zone. Intervals are microseconds or months.
#define ACC_NAME_TYPE(name, code, ...) name = code,
enum class TypeId : uint8_t { ACC_TYPES_OF_VALUES(ACC_NAME_TYPE) ACC_TYPES_WITHOUT_VALUES(ACC_NAME_TYPE) };
#undef ACC_NAME_TYPE

/// How values lie in memory. Boolean is one byte (0 or 1) inside the engine, bits in Arrow's C data interface.
enum class PhysicalType : uint8_t {
  Null,
  Bool,
  Int8,
  Int16,
  Int32,
  Int64,
  Int128,
  Float32,
  Float64,
  String,  ///< 16-byte views, for string and binary
  Array,   ///< int32 offsets and one child
  Map,     ///< int32 offsets and two children: keys, values
  Struct,  ///< children
};

/// Returns the bytes a value takes in a flat values buffer (offset width for Array and Map; 0 for Null and Struct).
int width_of(PhysicalType physical);
/// Returns the physical type's name, e.g. "int64".
const char* to_string(PhysicalType physical);

class DataType;

/// A named member of a struct type.
struct Field;

/// One of Spark's types with its parameters. A small value; nested types share their members.
class DataType {
 public:
  DataType() : DataType(TypeId::Null) {}
  explicit DataType(TypeId id) : id_(id) {}

  static DataType decimal(int precision, int scale);
  static DataType array(DataType element, bool contains_null);
  static DataType map(DataType key, DataType value, bool value_contains_null);
  static DataType structure(std::vector<Field> fields);
  static DataType interval(TypeId id, int start_field, int end_field);
  /// A string with a collation other than UTF8_BINARY, or any type known by name only.
  static DataType other(std::string name);

  TypeId id() const { return id_; }
  bool is(TypeId id) const { return id_ == id; }
  bool is_decimal() const { return id_ == TypeId::Decimal; }
  bool is_nested() const { return id_ == TypeId::Array || id_ == TypeId::Map || id_ == TypeId::Struct; }
  /// Byte, Short, Int or Long.
  bool is_integral() const { return id_ >= TypeId::Byte && id_ <= TypeId::Long; }
  bool is_floating() const { return id_ == TypeId::Float || id_ == TypeId::Double; }

  int precision() const { return a_; }    ///< Decimal
  int scale() const { return b_; }        ///< Decimal
  int start_field() const { return a_; }  ///< intervals
  int end_field() const { return b_; }    ///< intervals
  /// Members of a struct; "element" of an array; "key" and "value" of a map.
  const std::vector<Field>& fields() const;

  /// Returns the physical type that holds every value of this type; decimals up to 18 digits are Int64, wider ones
  /// Int128.
  PhysicalType physical() const;
  /// Returns Spark's SQL spelling in lower case, e.g. "decimal(15,2)", "array<int>".
  std::string to_string() const;
  /// Returns the format in Arrow's C data interface, e.g. "d:15,2", "+l"; empty where there is none.
  std::string arrow_format() const;

  friend bool operator==(const DataType& a, const DataType& b);

 private:
  TypeId id_;
  int16_t a_ = 0;
  int16_t b_ = 0;
  std::shared_ptr<const std::vector<Field>> fields_;
  std::shared_ptr<const std::string> name_;
};

struct Field {
  std::string name;
  DataType type;
  bool nullable = true;

  friend bool operator==(const Field& a, const Field& b) {
    return a.name == b.name && a.type == b.type && a.nullable == b.nullable;
  }
};

inline constexpr int kMaxDecimalPrecision = 38;
/// Decimals with at most this many digits fit int64.
inline constexpr int kMaxLongDecimalPrecision = 18;

}  // namespace accelerant::types
