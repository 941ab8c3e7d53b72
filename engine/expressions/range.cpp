#include "expressions/range.h"

#include "expressions/operands.h"

#include <algorithm>
#include <bit>

namespace accelerant::expressions {

using columns::Column;
using types::DecimalRange;
using types::PhysicalType;

namespace {

template <class T>
DecimalRange scan_rows(const Column& column) {
  const T* values = column.values<T>();
  T low = 0;
  T high = 0;
  bool found = false;
  for (int64_t i = 0; i < column.length(); ++i) {
    if (column.validity() && !bits::get(column.validity(), column.offset() + i)) continue;
    low = found ? std::min(low, values[i]) : values[i];
    high = found ? std::max(high, values[i]) : values[i];
    found = true;
  }
  return DecimalRange::of(low, high);
}

DecimalRange scan(const Column& flat) {
  switch (flat.physical()) {
    case PhysicalType::Int8:
      return scan_rows<int8_t>(flat);
    case PhysicalType::Int16:
      return scan_rows<int16_t>(flat);
    case PhysicalType::Int32:
      return scan_rows<int32_t>(flat);
    case PhysicalType::Int64:
      return scan_rows<int64_t>(flat);
    case PhysicalType::Bool:
      return DecimalRange::of(0, 1);
    case PhysicalType::Null:
    case PhysicalType::Int128:
    case PhysicalType::Float32:
    case PhysicalType::Float64:
    case PhysicalType::String:
    case PhysicalType::Array:
    case PhysicalType::Map:
    case PhysicalType::Struct:
      break;
  }
  return DecimalRange::unknown();
}

}  // namespace

DecimalRange find_range(SlotValue& value) {
  if (!value.range_is_exact) value.range = scan(stored_values(*value.column));
  value.range_is_exact = true;
  return value.range;
}

void tighten_range(SlotValue& value) {
  const Column& flat = stored_values(*value.column);
  if (flat.physical() != PhysicalType::Int64) return;
  const int64_t* values = flat.values<int64_t>();
  uint64_t bits = 0;
  for (int64_t i = 0; i < flat.length(); ++i) bits |= static_cast<uint64_t>(values[i] < 0 ? ~values[i] : values[i]);
  const int64_t bound = static_cast<int64_t>((uint64_t{1} << std::bit_width(bits)) - 1);
  const DecimalRange range = DecimalRange::of(-bound - 1, bound);
  if (!value.range.known || range.max - range.min < value.range.max - value.range.min) value.range = range;
}

}  // namespace accelerant::expressions
