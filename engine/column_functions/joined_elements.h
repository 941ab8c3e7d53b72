#pragma once

#include "column_functions/definition.h"
#include "column_functions/stored_rows.h"
#include "columns/gather.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace accelerant::column_functions {

/// A child of several list arguments as one column: of each, the elements that rows which count have, and those
/// between. A row's elements lie in it as they do in the argument.
class JoinedElements {
 public:
  /// @param child its number: 0 are an array's elements and a map's keys, 1 a map's values
  /// @param others a column whose rows follow the elements; nullptr: none do
  JoinedElements(const ColumnCall& call, const std::vector<ListRows>& lists, size_t child,
                 const columns::ColumnPtr& others = nullptr)
      : lists_(lists) {
    std::vector<columns::ColumnPtr> parts;
    int64_t length = 0;
    for (const ListRows& rows : lists) {
      const auto [first, end] = used(call, rows);
      parts.push_back(rows.values().children()[child]->slice(first, end - first));
      bases_.push_back(length - first);
      length += end - first;
    }
    num_elements_ = length;
    if (others) parts.push_back(others);
    column_ = columns::concatenate(parts, call.budget());
  }

  /// Returns the place of the first element of a row of argument `list`.
  int64_t first(size_t list, int64_t row) const { return bases_[list] + lists_[list].first(row); }
  int64_t end(size_t list, int64_t row) const { return first(list, row) + lists_[list].size(row); }
  /// Returns the place of a row of the column that follows the elements.
  int64_t place_of_other(int64_t row) const { return num_elements_ + row; }
  const columns::Column& column() const { return *column_; }

 private:
  static std::pair<int64_t, int64_t> used(const ColumnCall& call, const ListRows& rows) {
    int64_t first = std::numeric_limits<int64_t>::max();
    int64_t end = 0;
    for (int64_t row = 0; row < call.num_rows(); ++row) {
      if (!call.counts(row) || rows.size(row) == 0) continue;
      first = std::min<int64_t>(first, rows.first(row));
      end = std::max<int64_t>(end, rows.first(row) + rows.size(row));
    }
    return {std::min(first, end), end};
  }

  const std::vector<ListRows>& lists_;
  std::vector<int64_t> bases_;  ///< what is added to places in the arguments
  int64_t num_elements_ = 0;
  columns::ColumnPtr column_;
};

/// Returns the arguments of a call as lists.
inline std::vector<ListRows> lists_of(const ColumnCall& call) {
  std::vector<ListRows> lists;
  for (const columns::ColumnPtr& argument : call.arguments()) lists.emplace_back(*argument);
  return lists;
}

}  // namespace accelerant::column_functions
