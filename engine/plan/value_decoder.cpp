#include "plan/value_decoder.h"

#include "base/error.h"

namespace accelerant::plan {

using types::DataType;
using types::TypeId;

namespace {

/// Tags of values; see docs/design/plan-message.md.
enum class Tag : uint8_t {
  Null,
  False,
  True,
  Integer,
  Floating,
  Text,
  List,
  Map,
  Node,
  Product,
  Type,
  Bytes,
  Decimal,
  Opaque
};

/// Fewest bytes of a field, a struct member, and a map entry.
constexpr size_t kMinFieldBytes = 2;
constexpr size_t kMinMemberBytes = 3;
constexpr size_t kMinEntryBytes = 2;

}  // namespace

std::string_view ValueDecoder::str() {
  const uint64_t index = reader_.varint();
  if (index >= strings_.size()) {
    reader_.fail("string " + std::to_string(index) + " of " + std::to_string(strings_.size()));
  }
  return strings_[index];
}

std::string ValueDecoder::copy(std::string_view text) {
  if (text.size() > copies_left_) reader_.fail("names repeat too often");
  copies_left_ -= text.size();
  return std::string(text);
}

DataType ValueDecoder::decimal_type() {
  const uint64_t precision = reader_.varint();
  const auto scale = static_cast<int64_t>(reader_.varint());
  if (precision >= 1 && precision <= types::kMaxDecimalPrecision && scale >= 0 &&
      scale <= static_cast<int64_t>(precision)) {
    return DataType::decimal(static_cast<int>(precision), static_cast<int>(scale));
  }
  return DataType::other("decimal(" + std::to_string(precision) + "," + std::to_string(scale) + ")");
}

DataType ValueDecoder::interval_type(TypeId id) {
  const uint8_t start = reader_.u8();
  const uint8_t end = reader_.u8();
  const uint8_t last = id == TypeId::DayTimeInterval ? 3 : 1;
  if (start > end || end > last)
    reader_.fail("an interval from field " + std::to_string(start) + " to " + std::to_string(end));
  return DataType::interval(id, start, end);
}

DataType ValueDecoder::string_type() {
  const std::string_view collation = str();
  return collation == "UTF8_BINARY" ? DataType(TypeId::String) : DataType::other("string collate " + copy(collation));
}

DataType ValueDecoder::struct_type(int depth) {
  const size_t count = reader_.count(kMinMemberBytes);
  std::vector<types::Field> fields;
  fields.reserve(count);
  for (size_t i = 0; i < count; ++i) {
    std::string name = copy(str());
    DataType member = type(reader_.u8(), depth + 1);
    fields.push_back({std::move(name), std::move(member), reader_.boolean()});
  }
  return DataType::structure(std::move(fields));
}

DataType ValueDecoder::type(uint8_t code, int depth) {
  if (depth > kMaxDepth) throw_unsupported("types nested deeper than " + std::to_string(kMaxDepth));
  const auto id = static_cast<TypeId>(code);
  switch (id) {
    case TypeId::Null:
    case TypeId::Boolean:
    case TypeId::Byte:
    case TypeId::Short:
    case TypeId::Int:
    case TypeId::Long:
    case TypeId::Float:
    case TypeId::Double:
    case TypeId::Binary:
    case TypeId::Date:
    case TypeId::Timestamp:
    case TypeId::TimestampNtz:
    case TypeId::CalendarInterval:
      return DataType(id);
    case TypeId::Decimal:
      return decimal_type();
    case TypeId::String:
      return string_type();
    case TypeId::DayTimeInterval:
    case TypeId::YearMonthInterval:
      return interval_type(id);
    case TypeId::Array: {
      DataType element = type(reader_.u8(), depth + 1);
      return DataType::array(std::move(element), reader_.boolean());
    }
    case TypeId::Map: {
      DataType key = type(reader_.u8(), depth + 1);
      DataType item = type(reader_.u8(), depth + 1);
      return DataType::map(std::move(key), std::move(item), reader_.boolean());
    }
    case TypeId::Struct:
      return struct_type(depth);
    case TypeId::Char:
      return DataType::other("char(" + std::to_string(reader_.varint()) + ")");
    case TypeId::Varchar:
      return DataType::other("varchar(" + std::to_string(reader_.varint()) + ")");
    case TypeId::Other:
      return DataType::other(copy(str()));
  }
  reader_.fail("type code " + std::to_string(code));
}

std::vector<FieldValue> ValueDecoder::items(size_t count, int num_nodes, int depth) {
  std::vector<FieldValue> result;
  result.reserve(count);
  for (size_t i = 0; i < count; ++i) result.push_back(value(num_nodes, depth + 1));
  return result;
}

std::vector<NamedValue> ValueDecoder::fields(int num_nodes, int depth) {
  const size_t count = reader_.count(kMinFieldBytes);
  std::vector<NamedValue> result;
  result.reserve(count);
  for (size_t i = 0; i < count; ++i) {
    const std::string_view name = str();
    result.push_back({name, value(num_nodes, depth + 1)});
  }
  return result;
}

Decimal ValueDecoder::decimal() {
  const uint64_t precision = reader_.varint();
  const auto scale = static_cast<int64_t>(reader_.varint());
  const std::string_view unscaled = reader_.text();
  if (precision > types::kMaxDecimalPrecision || scale < 0 || scale > types::kMaxDecimalPrecision || unscaled.empty() ||
      unscaled.size() > 16) {
    throw_unsupported("a decimal literal beyond 38 digits");
  }
  return {static_cast<int>(precision), static_cast<int>(scale), unscaled};
}

FieldValue ValueDecoder::value(int num_nodes, int depth) {
  if (depth > kMaxDepth) throw_unsupported("values nested deeper than " + std::to_string(kMaxDepth));
  const uint8_t tag = reader_.u8();
  switch (static_cast<Tag>(tag)) {
    case Tag::Null:
      return {};
    case Tag::False:
      return {false};
    case Tag::True:
      return {true};
    case Tag::Integer:
      return {reader_.svarint()};
    case Tag::Floating:
      return {reader_.f64()};
    case Tag::Text:
      return {Text{str()}};
    case Tag::List:
      return {List{items(reader_.count(), num_nodes, depth)}};
    case Tag::Map:
      return {Map{items(2 * reader_.count(kMinEntryBytes), num_nodes, depth)}};
    case Tag::Node: {
      const uint64_t index = reader_.varint();
      if (index >= static_cast<uint64_t>(num_nodes))
        reader_.fail("node " + std::to_string(index) + " is not written before");
      return {NodeReference{static_cast<int>(index)}};
    }
    case Tag::Product: {
      const std::string_view class_name = str();
      return {Product{class_name, fields(num_nodes, depth)}};
    }
    case Tag::Type:
      return {type()};
    case Tag::Bytes:
      return {Bytes{reader_.text()}};
    case Tag::Decimal:
      return {decimal()};
    case Tag::Opaque:
      return {Opaque{str()}};
  }
  reader_.fail("value tag " + std::to_string(tag));
}

}  // namespace accelerant::plan
