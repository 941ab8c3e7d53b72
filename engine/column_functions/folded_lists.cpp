#include "column_functions/folded_lists.h"

#include "columns/gather.h"

#include <algorithm>
#include <utility>

namespace accelerant::column_functions {

using columns::ColumnPtr;

FoldedLists::Values FoldedLists::begin() const {
  Values values;
  for (int64_t row = 0; row < call_.num_rows(); ++row) {
    if (call_.counts(row) && !lists_.is_null(row)) values.rows.push_back(static_cast<int32_t>(row));
  }
  values.column = columns::gather(call_.argument(1), values.rows, call_.budget());
  return values;
}

FoldedLists::Values FoldedLists::without_done(Values values, int32_t position) {
  std::vector<int32_t> through, left;
  Values done, rest;
  for (size_t i = 0; i < values.rows.size(); ++i) {
    const bool is_through = lists_.size(values.rows[i]) <= position;
    (is_through ? done : rest).rows.push_back(values.rows[i]);
    (is_through ? through : left).push_back(static_cast<int32_t>(i));
  }
  done.column = columns::gather(*values.column, through, call_.budget());
  rest.column = columns::gather(*values.column, left, call_.budget());
  if (!done.rows.empty()) done_.push_back(std::move(done));
  return rest;
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
  std::vector<int32_t> places;
  for (const int32_t row : values.rows) places.push_back(lists_.first(row) + position);
  ColumnPtr elements = columns::gather(lists_.elements(), places, call_.budget());
  return evaluate(call_.lambda(0), std::move(values.rows), {std::move(values.column), std::move(elements)});
}

FoldedLists::Values FoldedLists::last_values() const {
  std::vector<ColumnPtr> columns;
  std::vector<std::pair<int32_t, int32_t>> places;  // row, and where its value is among all
  int32_t next = 0;
  for (const Values& done : done_) {
    columns.push_back(done.column);
    for (const int32_t row : done.rows) places.emplace_back(row, next++);
  }
  std::ranges::sort(places);
  Values values;
  std::vector<int32_t> taken;
  for (const auto& [row, place] : places) {
    values.rows.push_back(row);
    taken.push_back(place);
  }
  values.column = columns::gather(*columns::concatenate(columns, call_.budget()), taken, call_.budget());
  return values;
}

ColumnPtr FoldedLists::run() {
  Values values = begin();
  for (int32_t position = 0; !values.rows.empty(); ++position) {
    values = without_done(std::move(values), position);
    if (!values.rows.empty()) values = take_in(std::move(values), position);
  }
  Values results;
  if (!done_.empty()) {
    Values last = last_values();
    results = evaluate(call_.lambda(1), std::move(last.rows), {std::move(last.column)});
  }
  std::ranges::sort(failed_);
  for (const int32_t row : failed_) call_.fail(row);
  if (results.rows.empty()) return columns::Column::nulls(call_.type(), call_.num_rows(), call_.budget());
  std::vector<int32_t> taken(static_cast<size_t>(call_.num_rows()), -1);
  for (size_t i = 0; i < results.rows.size(); ++i)
    taken[static_cast<size_t>(results.rows[i])] = static_cast<int32_t>(i);
  return columns::gather_or_null(*results.column, taken, call_.budget());
}

}  // namespace accelerant::column_functions
