#include "column_functions/folded_lists.h"

#include "columns/gather.h"
#include "memory/array.h"

#include <algorithm>
#include <utility>

namespace accelerant::column_functions {

using columns::ColumnPtr;

std::vector<int32_t> FoldedLists::rows_by_length() const {
  int32_t longest = 0;
  for (int64_t row = 0; row < call_.num_rows(); ++row) {
    if (has_list(row)) longest = std::max(longest, lists_.size(row));
  }
  memory::Array<int32_t> next(call_.budget());  // where the next row of each length goes, by how much it is shorter
  next.resize(int64_t{longest} + 2, 0);
  for (int64_t row = 0; row < call_.num_rows(); ++row) {
    if (has_list(row)) ++next[longest - lists_.size(row) + 1];
  }
  for (int64_t i = 1; i < next.size(); ++i) next[i] += next[i - 1];
  std::vector<int32_t> rows(static_cast<size_t>(next.back()));
  for (int64_t row = 0; row < call_.num_rows(); ++row) {
    if (has_list(row)) rows[static_cast<size_t>(next[longest - lists_.size(row)]++)] = static_cast<int32_t>(row);
  }
  return rows;
}

void FoldedLists::put_away_done(Values& values, int32_t position) {
  const auto first_done =
      std::ranges::partition_point(values.rows, [&](int32_t row) { return lists_.size(row) > position; });
  if (first_done == values.rows.end()) return;
  const auto num_left = static_cast<int64_t>(first_done - values.rows.begin());
  const int64_t num_done = values.column->length() - num_left;
  done_.push_back({{first_done, values.rows.end()}, values.column->slice(num_left, num_done)});
  values.rows.erase(first_done, values.rows.end());
  values.column = values.column->slice(0, num_left);
}

FoldedLists::Values FoldedLists::evaluate(const LambdaArgument& lambda, std::vector<int32_t> rows,
                                          std::vector<ColumnPtr> columns) {
  for (const ColumnPtr& captured : lambda.captured) {
    columns.push_back(columns::gather(*captured, rows, call_.budget()));
  }
  LambdaResult result = lambda.lambda->evaluate(std::move(columns), static_cast<int64_t>(rows.size()));
  if (result.failed.empty()) return {std::move(rows), std::move(result.column)};
  std::vector<int32_t> kept;
  Values values;
  for (size_t i = 0; i < rows.size(); ++i) {
    const bool has_failed = std::ranges::binary_search(result.failed, static_cast<int32_t>(i));
    (has_failed ? failed_ : values.rows).push_back(rows[i]);
    if (!has_failed) kept.push_back(static_cast<int32_t>(i));
  }
  values.column = columns::gather(*result.column, kept, call_.budget());
  return values;
}

FoldedLists::Values FoldedLists::take_in(Values values, int32_t position) {
  std::vector<int32_t> places(values.rows.size());
  std::ranges::transform(values.rows, places.begin(), [&](int32_t row) { return lists_.first(row) + position; });
  ColumnPtr elements = columns::gather(lists_.elements(), places, call_.budget());
  return evaluate(call_.lambda(0), std::move(values.rows), {std::move(values.column), std::move(elements)});
}

FoldedLists::Values FoldedLists::last_values() {
  if (done_.size() == 1) return std::move(done_.front());
  Values values;
  std::vector<ColumnPtr> columns;
  for (const Values& done : done_) {
    values.rows.insert(values.rows.end(), done.rows.begin(), done.rows.end());
    columns.push_back(done.column);
  }
  values.column = columns::concatenate(columns, call_.budget());
  return values;
}

ColumnPtr FoldedLists::in_order(const Values& results) const {
  if (results.rows.empty()) return columns::Column::nulls(call_.type(), call_.num_rows(), call_.budget());
  std::vector<int32_t> taken(static_cast<size_t>(call_.num_rows()), -1);
  for (size_t i = 0; i < results.rows.size(); ++i) {
    taken[static_cast<size_t>(results.rows[i])] = static_cast<int32_t>(i);
  }
  return columns::gather_or_null(*results.column, taken, call_.budget());
}

ColumnPtr FoldedLists::run() {
  Values values{rows_by_length(), nullptr};
  values.column = columns::gather(call_.argument(1), values.rows, call_.budget());
  for (int32_t position = 0; !values.rows.empty(); ++position) {
    put_away_done(values, position);
    if (!values.rows.empty()) values = take_in(std::move(values), position);
  }
  Values results;
  if (!done_.empty()) {
    Values last = last_values();
    results = evaluate(call_.lambda(1), std::move(last.rows), {std::move(last.column)});
  }
  std::ranges::sort(failed_);
  for (const int32_t row : failed_) call_.fail(row);
  return in_order(results);
}

}  // namespace accelerant::column_functions
