#pragma once

#include "columns/test_columns.h"
#include "io/parquet_write_options.h"
#include "io/value_storage.h"

#include <algorithm>
#include <string>
#include <vector>

namespace accelerant::fuzz {

/// Puts the rows of a column into lists, some of them empty, some null.
inline columns::ColumnPtr in_lists(const columns::ColumnPtr& column) {
  std::vector<int> lengths;
  for (int64_t i = 0; i < column->length(); ++i) lengths.push_back(i % 4 == 3 ? -1 : static_cast<int>(i * 2 % 5 % 3));
  return columns::test::make_array(column, lengths);
}

/// Returns a flat column with nulls of each nested type that unit tests have, and of arrays of these.
inline std::vector<columns::ColumnPtr> nested_columns(int num_rows) {
  std::vector<columns::ColumnPtr> found;
  for (const auto& sample : columns::test::samples(num_rows)) {
    const auto& column = sample.column;
    if (!column->type().is_nested() || !io::is_storable(column->type()) || !column->may_have_nulls()) continue;
    if (!column->is_flat()) continue;
    const bool is_new = std::ranges::none_of(found, [&](const auto& other) { return other->type() == column->type(); });
    if (is_new) found.push_back(column);
  }
  const size_t count = found.size();
  for (size_t i = 0; i < count; ++i) found.push_back(in_lists(found[i]));
  return found;
}

/// Returns the types of such columns.
inline std::vector<types::DataType> nested_types() {
  constexpr int kEnoughRows = 40;
  std::vector<types::DataType> all;
  for (const auto& column : nested_columns(kEnoughRows)) all.push_back(column->type());
  return all;
}

/// Returns what seeds call the column of a position.
inline std::string nested_name(size_t column) { return "c" + std::to_string(column); }

}  // namespace accelerant::fuzz
