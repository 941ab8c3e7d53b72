#pragma once

#include "column_functions/definition.h"
#include "column_functions/taken_rows.h"
#include "column_functions/value_order.h"
#include "columns/gather.h"

#include <span>

namespace accelerant::column_functions {

/// Says whether arguments are nested values that have an order; those of other values are scalar functions'.
inline bool have_nested_order(std::span<const types::DataType> arguments) {
  return !arguments.empty() && arguments.front().is_nested() && has_order(arguments.front());
}

/// Returns for each row that counts what `holds(order of the first argument and the second)` says.
template <class Holds>
columns::ColumnPtr compare_rows(const ColumnCall& call, Holds holds) {
  columns::FlatBuilder builder(call.type(), types::PhysicalType::Bool, call.num_rows(), call.budget());
  with_order(call.argument(0), call.argument(1), [&](auto compare) {
    for (int64_t row = 0; row < call.num_rows(); ++row) {
      builder.values<uint8_t>()[row] = call.counts(row) && holds(compare(row, row));
    }
  });
  return builder.finish();
}

/// Returns of each row that counts the first argument or the second: the one that is not null; of two, the second
/// where `takes_second(order of the first and it)` says so.
template <class TakesSecond>
columns::ColumnPtr choose_of_two(const ColumnCall& call, TakesSecond takes_second) {
  const columns::Column& first = call.argument(0);
  const columns::Column& second = call.argument(1);
  const columns::ColumnPtr both = columns::concatenate(call.arguments(), call.budget());
  columns::ColumnPtr result;
  with_order(first, second, [&](auto compare) {
    result = take_elements(call, *both, [&](int64_t row) {
      const bool takes = !second.is_null(row) && (first.is_null(row) || takes_second(compare(row, row)));
      return takes ? call.num_rows() + row : row;
    });
  });
  return result;
}

}  // namespace accelerant::column_functions
