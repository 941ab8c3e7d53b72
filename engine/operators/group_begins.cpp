#include "operators/group_begins.h"

#include "columns/gather.h"

#include <utility>

namespace accelerant::operators {

namespace {

std::vector<plan::SortKey> first_columns(size_t num_keys) {
  std::vector<plan::SortKey> keys(num_keys);
  for (size_t i = 0; i < num_keys; ++i) keys[i].column = static_cast<int>(i);
  return keys;
}

}  // namespace

GroupBegins::GroupBegins(std::vector<int> keys, std::shared_ptr<memory::Budget> budget)
    : keys_(std::move(keys)), order_(first_columns(keys_.size())), budget_(std::move(budget)) {}

std::vector<int64_t> GroupBegins::find(std::span<const columns::ColumnPtr> columns, int64_t num_rows) {
  if (num_rows == 0) return {};
  std::vector<columns::ColumnPtr> keys;
  for (const int key : keys_) keys.push_back(columns::flatten(columns[static_cast<size_t>(key)], budget_));
  std::vector<int32_t> num_equal(static_cast<size_t>(num_rows));
  order_.count_equal(keys, 0, num_equal);
  std::vector<int64_t> begins;
  if (last_row_ < 0 || order_.compare(last_, last_row_, keys, 0) != 0) begins.push_back(0);
  for (int64_t row = 1; row < num_rows; ++row) {
    if (num_equal[static_cast<size_t>(row)] < std::ssize(keys_)) begins.push_back(row);
  }
  last_ = std::move(keys);
  last_row_ = num_rows - 1;
  return begins;
}

}  // namespace accelerant::operators
