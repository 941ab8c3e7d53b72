#pragma once

#include "column_functions/stored_rows.h"
#include "column_functions/text_equality.h"
#include "columns/column.h"
#include "columns/value_reader.h"

#include <cmath>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace accelerant::column_functions {

/// Says whether values of a type have an order, which no map has.
bool has_order(const types::DataType& type);

/// Compares two values, none of them null, as Spark orders them: negative, 0, positive. NaN is greatest and equal to
/// itself, -0.0 equals 0.0, strings go by unsigned bytes; within nested values null comes first and a list before those
/// that begin with it. Both columns are flat, of types that differ in which elements may be null at most. Maps, which
/// have no order, are never compared.
int compare_values(const columns::Column& a, int64_t i, const columns::Column& b, int64_t j);

template <class T>
int compare_numbers(const T& a, const T& b) {
  if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(a) || std::isnan(b)) return static_cast<int>(std::isnan(a)) - static_cast<int>(std::isnan(b));
  }
  return static_cast<int>(a > b) - static_cast<int>(a < b);
}

/// Calls `run` with what compares row i of `a` with row j of `b`, columns of any encoding, as `compare_values` does.
template <class Run>
void with_order(const columns::Column& a, const columns::Column& b, Run run) {
  const StoredRows lefts(a);
  const StoredRows rights(b);
  const columns::Column& left_values = lefts.values();
  const columns::Column& right_values = rights.values();
  const bool has_no_values = a.physical() == types::PhysicalType::Null || b.physical() == types::PhysicalType::Null;
  if (a.type().is_nested() || has_no_values) {
    return run([&](int64_t i, int64_t j) {
      return compare_values(left_values, lefts.place(i), right_values, rights.place(j));
    });
  }
  const bool is_wide = b.physical() == types::PhysicalType::Int128;
  columns::visit_physical(is_wide ? b.physical() : a.physical(), [&](auto value) {
    using T = decltype(value);
    const columns::ValueReader<T> left(left_values);
    const columns::ValueReader<T> right(right_values);
    run([&](int64_t i, int64_t j) { return compare_numbers<T>(left(lefts.place(i)), right(rights.place(j))); });
    return true;
  });
}

/// Likewise with what says whether they are equal.
template <class Run>
void with_equality(const columns::Column& a, const columns::Column& b, Run run) {
  if (a.physical() == types::PhysicalType::String && b.physical() == types::PhysicalType::String) {
    const StoredRows lefts(a);
    const StoredRows rights(b);
    const TextEquality equal(lefts.values(), rights.values());
    return run([&](int64_t i, int64_t j) { return equal(lefts.place(i), rights.place(j)); });
  }
  with_order(a, b, [&](auto compare) { run([&](int64_t i, int64_t j) { return compare(i, j) == 0; }); });
}

}  // namespace accelerant::column_functions
