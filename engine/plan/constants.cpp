#include "plan/constants.h"

#include "base/error.h"
#include "columns/string_heap.h"
#include "memory/plan_budget.h"
#include "plan/nested_constants.h"
#include "plan/refuse_literal.h"
#include "types/integers.h"

#include <algorithm>
#include <limits>

namespace accelerant::plan {

using columns::ColumnPtr;
using columns::FlatBuilder;
using types::DataType;
using types::PhysicalType;
using types::TypeId;

namespace {

template <class T>
T integer_of(const FieldValue& value, const DataType& type) {
  const auto* integer = value.get_if<int64_t>();
  if (!integer || *integer < std::numeric_limits<T>::min() || *integer > std::numeric_limits<T>::max())
    refuse_literal(value, type);
  return static_cast<T>(*integer);
}

template <class T>
T floating_of(const FieldValue& value, const DataType& type) {
  const auto* floating = value.get_if<double>();
  if (!floating) refuse_literal(value, type);
  return static_cast<T>(*floating);
}

uint8_t boolean_of(const FieldValue& value, const DataType& type) {
  const auto* flag = value.get_if<bool>();
  if (!flag) refuse_literal(value, type);
  return *flag;
}

int128 power_of_ten(int exponent) {
  int128 power = 1;
  for (int i = 0; i < exponent; ++i) power *= 10;
  return power;
}

/// Returns the unscaled value at the type's scale; it must be exact and fit the type's precision.
int128 decimal_of(const FieldValue& value, const DataType& type) {
  const auto* decimal = value.get_if<Decimal>();
  if (!decimal) refuse_literal(value, type);
  uint128 bits = (decimal->unscaled[0] & 0x80) ? ~uint128{0} : 0;
  for (const char byte : decimal->unscaled) bits = (bits << 8) | static_cast<uint8_t>(byte);
  auto unscaled = static_cast<int128>(bits);
  const int surplus = decimal->scale - type.scale();
  const int128 bound = surplus >= 0 ? power_of_ten(type.precision()) : power_of_ten(type.precision() + surplus);
  if (surplus > 0) {
    if (unscaled % power_of_ten(surplus) != 0) refuse_literal(value, type);
    unscaled /= power_of_ten(surplus);
  }
  if (unscaled >= bound || unscaled <= -bound) refuse_literal(value, type);
  return surplus < 0 ? unscaled * power_of_ten(-surplus) : unscaled;
}

std::string_view bytes_of(const FieldValue& value, const DataType& type) {
  const auto* bytes = value.get_if<Bytes>();
  if (!bytes || bytes->bytes.size() > static_cast<size_t>(std::numeric_limits<int32_t>::max()))
    refuse_literal(value, type);
  return bytes->bytes;
}

template <class T, class Read>
void fill(FlatBuilder& builder, std::span<const FieldValue* const> values, const DataType& type, Read read) {
  T* out = builder.values<T>();
  for (size_t i = 0; i < values.size(); ++i) {
    if (values[i]->is_null()) {
      out[i] = T();
      bits::clear(builder.validity(), static_cast<int64_t>(i));
    } else {
      out[i] = read(*values[i], type);
    }
  }
}

void fill_strings(FlatBuilder& builder, std::span<const FieldValue* const> values, const DataType& type) {
  int64_t long_bytes = 0;
  for (const FieldValue* value : values) {
    const auto* bytes = value->get_if<Bytes>();
    if (bytes && bytes->bytes.size() > types::StringView::kMaxInlineBytes)
      long_bytes += static_cast<int64_t>(bytes->bytes.size());
  }
  columns::StringHeap heap(long_bytes, memory::plan_budget());
  fill<types::StringView>(builder, values, type, [&heap](const FieldValue& value, const DataType& value_type) {
    const std::string_view bytes = bytes_of(value, value_type);
    const types::StringRef text{bytes.data(), static_cast<int32>(bytes.size())};
    return text.length <= types::StringView::kMaxInlineBytes ? types::inline_view(text) : heap.add(text);
  });
  builder.set_heap(heap.finish());
}

void fill_values(FlatBuilder& builder, std::span<const FieldValue* const> values, const DataType& type) {
  switch (type.physical()) {
    case PhysicalType::Bool:
      return fill<uint8_t>(builder, values, type, boolean_of);
    case PhysicalType::Int8:
      return fill<int8_t>(builder, values, type, integer_of<int8_t>);
    case PhysicalType::Int16:
      return fill<int16_t>(builder, values, type, integer_of<int16_t>);
    case PhysicalType::Int32:
      return fill<int32_t>(builder, values, type, integer_of<int32_t>);
    case PhysicalType::Int64:
      if (!type.is_decimal()) return fill<int64_t>(builder, values, type, integer_of<int64_t>);
      return fill<int64_t>(builder, values, type, [](const FieldValue& value, const DataType& value_type) {
        return static_cast<int64_t>(decimal_of(value, value_type));
      });
    case PhysicalType::Int128:
      return fill<int128>(builder, values, type, decimal_of);
    case PhysicalType::Float32:
      return fill<float>(builder, values, type, floating_of<float>);
    case PhysicalType::Float64:
      return fill<double>(builder, values, type, floating_of<double>);
    case PhysicalType::String:
      return fill_strings(builder, values, type);
    case PhysicalType::Null:
    case PhysicalType::Array:
    case PhysicalType::Map:
    case PhysicalType::Struct:
      throw_unsupported("literal of type " + type.to_string());
  }
}

}  // namespace

bool is_implemented(const DataType& type) {
  switch (type.id()) {
    case TypeId::Null:
    case TypeId::Boolean:
    case TypeId::Byte:
    case TypeId::Short:
    case TypeId::Int:
    case TypeId::Long:
    case TypeId::Float:
    case TypeId::Double:
    case TypeId::Decimal:
    case TypeId::String:
    case TypeId::Binary:
    case TypeId::Date:
    case TypeId::Timestamp:
    case TypeId::TimestampNtz:
    case TypeId::DayTimeInterval:
    case TypeId::YearMonthInterval:
      return true;
    case TypeId::Array:
    case TypeId::Map:
    case TypeId::Struct:
    case TypeId::Char:
    case TypeId::Varchar:
    case TypeId::CalendarInterval:
    case TypeId::Other:
      return false;
  }
  return false;
}

bool is_carried(const DataType& type) {
  if (!type.is_nested()) return is_implemented(type);
  return std::ranges::all_of(type.fields(), [](const types::Field& field) { return is_carried(field.type); });
}

bool may_be_key(const DataType& type) {
  if (!type.is_nested()) return true;
  if (type.is(TypeId::Map)) return false;
  return std::ranges::all_of(type.fields(), [](const types::Field& field) { return may_be_key(field.type); });
}

bool has_floats(const DataType& type) {
  if (!type.is_nested()) return type.is_floating();
  return std::ranges::any_of(type.fields(), [](const types::Field& field) { return has_floats(field.type); });
}

bool may_be_grouped(const DataType& type) {
  if (!type.is_nested()) return true;
  if (type.is(TypeId::Map) && has_floats(type.fields().front().type)) return false;
  return std::ranges::all_of(type.fields(), [](const types::Field& field) { return may_be_grouped(field.type); });
}

ColumnPtr make_constants(std::span<const FieldValue* const> values, const DataType& type) {
  if (!is_carried(type)) throw_unsupported("literal of type " + type.to_string());
  if (type.is_nested()) return make_nested_constants(values, type);
  const auto length = static_cast<int64_t>(values.size());
  if (type.is(TypeId::Null)) {
    for (const FieldValue* value : values) {
      if (!value->is_null()) refuse_literal(*value, type);
    }
    columns::FlatParts parts;
    parts.type = type;
    parts.physical = PhysicalType::Null;
    parts.length = length;
    return columns::Column::flat(std::move(parts));
  }
  FlatBuilder builder(type, type.physical(), length, memory::plan_budget());
  fill_values(builder, values, type);
  return builder.finish();
}

}  // namespace accelerant::plan
