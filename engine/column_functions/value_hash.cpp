#include "column_functions/value_hash.h"

#include "base/mix_bits.h"
#include "column_functions/stored_rows.h"
#include "columns/value_reader.h"

#include <cmath>
#include <functional>
#include <limits>
#include <string_view>
#include <type_traits>

namespace accelerant::column_functions {

using columns::Column;

namespace {

uint64_t combine(uint64_t hash, uint64_t next) { return mix_bits(hash * 31 + next); }

template <class T>
uint64_t hash_of(T value) {
  if constexpr (std::is_same_v<T, std::string_view>) {
    return std::hash<std::string_view>()(value);
  } else if constexpr (std::is_floating_point_v<T>) {
    const double normal = std::isnan(value) ? std::numeric_limits<double>::quiet_NaN() : static_cast<double>(value);
    return std::hash<double>()(normal);
  } else if constexpr (sizeof(T) > sizeof(uint64_t)) {
    return combine(static_cast<uint64_t>(value), static_cast<uint64_t>(value >> 64));
  } else {
    return mix_bits(static_cast<uint64_t>(value));
  }
}

uint64_t hash_struct(const Column& structs, int64_t place) {
  uint64_t hash = 1;
  for (const columns::ColumnPtr& member : structs.children()) {
    hash = combine(hash, hash_value(*member, structs.offset() + place));
  }
  return hash;
}

uint64_t hash_list(const Column& lists, int64_t place) {
  const int32_t* offsets = lists.values<int32_t>() + place;
  uint64_t hash = 2;
  for (int32_t element = offsets[0]; element < offsets[1]; ++element) {
    for (const columns::ColumnPtr& child : lists.children()) hash = combine(hash, hash_value(*child, element));
  }
  return hash;
}

}  // namespace

uint64_t hash_value(const Column& column, int64_t row) {
  if (column.is_null(row)) return 0;
  const StoredRows rows(column);
  const Column& values = rows.values();
  const int64_t place = rows.place(row);
  if (values.physical() == types::PhysicalType::Struct) return hash_struct(values, place);
  if (values.type().is_nested()) return hash_list(values, place);
  uint64_t hash = 0;
  columns::visit_physical(values.physical(), [&](auto value) {
    hash = hash_of(columns::ValueReader<decltype(value)>(values)(place));
    return true;
  });
  return hash;
}

}  // namespace accelerant::column_functions
