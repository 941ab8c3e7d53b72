#pragma once

#include "columns/column.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

/// Columns for unit tests, and a way to look at them: only tests include this.
namespace accelerant::columns::test {

/// Returns a budget without a limit.
std::shared_ptr<memory::Budget> unlimited();

/// Returns a row as text, e.g. "7", "null", "[1,null]", "{k:1}", "(1,x)".
std::string show(const Column& column, int64_t row);
/// Returns all rows as text.
std::vector<std::string> show(const Column& column);

/// Makes a flat column of a fixed-width type; std::nullopt is null. Decimals as wide as `T`.
template <class T>
ColumnPtr make_flat(const types::DataType& type, const std::vector<std::optional<T>>& rows,
                    types::PhysicalType physical) {
  FlatBuilder builder(type, physical, static_cast<int64_t>(rows.size()), unlimited());
  for (size_t i = 0; i < rows.size(); ++i) {
    builder.values<T>()[i] = rows[i].value_or(T{});
    if (!rows[i]) bits::clear(builder.validity(), static_cast<int64_t>(i));
  }
  return builder.finish();
}

/// Makes a flat string column with several heap buffers.
ColumnPtr make_strings(const std::vector<std::optional<std::string>>& rows,
                       types::DataType type = types::DataType(types::TypeId::String));
/// Makes a flat bigint column.
ColumnPtr make_longs(const std::vector<std::optional<int64_t>>& rows);
/// Makes a flat array<T> column over `element`, whose lists have `lengths`; -1 is null.
ColumnPtr make_array(ColumnPtr element, const std::vector<int>& lengths);
/// Makes a dictionary column over `dictionary`; std::nullopt is null.
ColumnPtr make_dictionary(ColumnPtr dictionary, const std::vector<std::optional<int32_t>>& indices);

/// A column of a type, named for the test's messages.
struct Sample {
  std::string name;
  ColumnPtr column;
};

/// Returns columns of `num_rows` rows (at least 1) of every type, with and without nulls, in every encoding, also
/// sliced.
std::vector<Sample> samples(int num_rows);

}  // namespace accelerant::columns::test
