#pragma once

#include "columns/column.h"
#include "columns/value_reader.h"

#include <cmath>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace accelerant::column_functions {

/// Says whether two values, none of them null, are equal as Spark orders them: NaN is NaN, -0.0 is 0.0, and within
/// nested values null is null. Both columns are flat, of types that differ in which elements may be null at most.
bool equal_values(const columns::Column& a, int64_t i, const columns::Column& b, int64_t j);

template <class T>
bool equal_numbers(const T& a, const T& b) {
  if constexpr (std::is_floating_point_v<T>) {
    return a == b || (std::isnan(a) && std::isnan(b));
  } else {
    return a == b;
  }
}

/// Calls `run` with what compares place i of `a` with place j of `b`, as `equal_values` does.
template <class Run>
void with_equality(const columns::Column& a, const columns::Column& b, Run run) {
  if (a.type().is_nested()) return run([&](int64_t i, int64_t j) { return equal_values(a, i, b, j); });
  const bool is_wide = b.physical() == types::PhysicalType::Int128;
  columns::visit_physical(is_wide ? b.physical() : a.physical(), [&](auto value) {
    using T = decltype(value);
    const columns::ValueReader<T> left(a);
    const columns::ValueReader<T> right(b);
    run([&](int64_t i, int64_t j) { return equal_numbers<T>(left(i), right(j)); });
    return true;
  });
}

}  // namespace accelerant::column_functions
