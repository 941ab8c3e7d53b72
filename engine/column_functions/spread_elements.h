#pragma once

#include "column_functions/definition.h"
#include "column_functions/stored_rows.h"
#include "columns/gather.h"
#include "memory/array.h"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace accelerant::column_functions {

/// Returns the size of each row's longest list, 0 for rows that do not count.
memory::Array<int32_t> longest_of(const ColumnCall& call, std::span<const ListRows> lists);

/// The elements of the rows that count of a list argument, one after the other: what lambdas run over. Elements of one
/// row stand together.
class SpreadElements {
 public:
  /// Refers to both.
  SpreadElements(const ColumnCall& call, const ListRows& lists);
  /// Spreads as many elements of each row that counts as `sizes` says, of no certain list. Refers to the call.
  SpreadElements(const ColumnCall& call, std::span<const int32_t> sizes);

  int64_t num_elements() const { return offsets_[offsets_.size() - 1]; }
  /// Returns where each row's elements begin, and the end.
  std::span<const int32_t> offsets() const { return offsets_.span(); }
  /// Returns the elements' values out of a child of the lists.
  columns::ColumnPtr values(const columns::Column& child) const {
    if (is_one_range_) return child.slice(first_, num_elements());
    return columns::gather(child, places_.span(), call_.budget());
  }
  /// Returns values out of a child of some lists by the elements' positions, null where a list has fewer.
  columns::ColumnPtr values_or_null(const ListRows& lists, const columns::Column& child) const;
  /// Returns the elements' positions in their rows, from 0 on.
  columns::ColumnPtr positions() const;
  /// Runs a lambda over columns of elements, its arguments, and marks the rows with an element that fails.
  columns::ColumnPtr run(ColumnCall& call, const LambdaArgument& lambda, std::vector<columns::ColumnPtr> columns) const;
  /// Likewise, but leaves the elements that fail to the caller.
  LambdaResult run_apart(const LambdaArgument& lambda, std::vector<columns::ColumnPtr> columns) const;
  /// Returns the rows of elements that fail, ascending, each once.
  std::vector<int32_t> rows_of(std::span<const int32_t> failed) const;
  /// Returns lists of type `type` with as many elements each, of these children.
  columns::ColumnPtr lists(const types::DataType& type, std::vector<columns::ColumnPtr> children) const;

 private:
  /// Says whether the elements lie one after the other in the lists' children, and sets where the first one does.
  bool find_range(const ListRows& lists);
  /// Returns the row of each element.
  memory::Array<int32_t> rows() const;

  const ColumnCall& call_;
  memory::Array<int32_t> offsets_;
  bool is_one_range_ = false;
  int32_t first_ = 0;              ///< place of the first element in the lists' children, where all are one range
  memory::Array<int32_t> places_;  ///< of each element there, where they are not
};

}  // namespace accelerant::column_functions
