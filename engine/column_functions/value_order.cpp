#include "column_functions/value_order.h"

#include <algorithm>

namespace accelerant::column_functions {

using columns::Column;
using types::PhysicalType;

namespace {

/// Compares values of any encoding, which may be null.
int compare_or_null(const Column& a, int64_t i, const Column& b, int64_t j) {
  const bool is_null = a.is_null(i);
  if (is_null || b.is_null(j)) return static_cast<int>(b.is_null(j)) - static_cast<int>(is_null);
  const StoredRows left(a);
  const StoredRows right(b);
  return compare_values(left.values(), left.place(i), right.values(), right.place(j));
}

int compare_structs(const Column& a, int64_t i, const Column& b, int64_t j) {
  for (size_t member = 0; member < a.children().size(); ++member) {
    const int order = compare_or_null(*a.children()[member], a.offset() + i, *b.children()[member], b.offset() + j);
    if (order != 0) return order;
  }
  return 0;
}

int compare_lists(const Column& a, int64_t i, const Column& b, int64_t j) {
  const int32_t* left = a.values<int32_t>() + i;
  const int32_t* right = b.values<int32_t>() + j;
  const int32_t left_size = left[1] - left[0];
  const int32_t right_size = right[1] - right[0];
  for (int32_t element = 0; element < std::min(left_size, right_size); ++element) {
    const int order = compare_or_null(*a.children()[0], left[0] + element, *b.children()[0], right[0] + element);
    if (order != 0) return order;
  }
  return compare_numbers(left_size, right_size);
}

}  // namespace

bool has_order(const types::DataType& type) {
  if (!type.is_nested()) return true;
  return !type.is(types::TypeId::Map) &&
         std::ranges::all_of(type.fields(), [](const types::Field& field) { return has_order(field.type); });
}

int compare_values(const Column& a, int64_t i, const Column& b, int64_t j) {
  if (a.physical() == PhysicalType::Null || b.physical() == PhysicalType::Null) return 0;
  if (a.physical() == PhysicalType::Struct) return compare_structs(a, i, b, j);
  if (a.type().is_nested()) return compare_lists(a, i, b, j);
  int order = 0;
  with_order(a, b, [&](auto compare) { order = compare(i, j); });
  return order;
}

}  // namespace accelerant::column_functions
