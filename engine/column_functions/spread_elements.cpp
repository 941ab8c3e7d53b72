#include "column_functions/spread_elements.h"

#include "memory/offset_limit.h"

#include <algorithm>

namespace accelerant::column_functions {

using columns::ColumnPtr;

memory::Array<int32_t> longest_of(const ColumnCall& call, std::span<const ListRows> lists) {
  memory::Array<int32_t> sizes(call.budget());
  sizes.resize(call.num_rows(), 0);
  for (const ListRows& rows : lists) {
    for (int64_t row = 0; row < call.num_rows(); ++row) {
      if (call.counts(row)) sizes[row] = std::max(sizes[row], rows.size(row));
    }
  }
  return sizes;
}

SpreadElements::SpreadElements(const ColumnCall& call, std::span<const int32_t> sizes)
    : call_(call), offsets_(call.budget()), places_(call.budget()) {
  offsets_.resize(call.num_rows() + 1, 0);
  int64_t total = 0;
  for (int64_t row = 0, num_rows = call.num_rows(); row < num_rows; ++row) {
    if (call.counts(row)) total += sizes[static_cast<size_t>(row)];
    memory::check_offsets(total, "array elements");
    offsets_[row + 1] = static_cast<int32_t>(total);
  }
}

SpreadElements::SpreadElements(const ColumnCall& call, const ListRows& lists)
    : SpreadElements(call, longest_of(call, {&lists, 1}).span()) {
  is_one_range_ = find_range(lists);
  if (is_one_range_) return;
  places_.reserve(num_elements());
  for (int64_t row = 0; row < call.num_rows(); ++row) {
    const int32_t size = offsets_[row + 1] - offsets_[row];
    for (int32_t i = 0; i < size; ++i) places_.push_back(lists.first(row) + i);
  }
}

bool SpreadElements::find_range(const ListRows& lists) {
  bool has_first = false;
  for (int64_t row = 0, num_rows = call_.num_rows(); row < num_rows; ++row) {
    if (offsets_[row + 1] == offsets_[row]) continue;
    const int32_t first = lists.first(row) - offsets_[row];
    if (!has_first) first_ = first;
    has_first = true;
    if (first != first_) return false;
  }
  return true;
}

memory::Array<int32_t> SpreadElements::rows() const {
  memory::Array<int32_t> rows(call_.budget());
  rows.resize(num_elements());
  for (int64_t row = 0; row + 1 < offsets_.size(); ++row) {
    for (int32_t element = offsets_[row]; element < offsets_[row + 1]; ++element) {
      rows[element] = static_cast<int32_t>(row);
    }
  }
  return rows;
}

ColumnPtr SpreadElements::values_or_null(const ListRows& lists, const columns::Column& child) const {
  memory::Array<int32_t> places(call_.budget());
  places.reserve(num_elements());
  for (int64_t row = 0; row + 1 < offsets_.size(); ++row) {
    const int32_t num_elements = offsets_[row + 1] - offsets_[row];
    for (int32_t position = 0; position < num_elements; ++position) {
      places.push_back(position < lists.size(row) ? lists.first(row) + position : -1);
    }
  }
  return columns::gather_or_null(child, places.span(), call_.budget());
}

ColumnPtr SpreadElements::positions() const {
  columns::FlatBuilder builder(types::DataType(types::TypeId::Int), types::PhysicalType::Int32, num_elements(),
                               call_.budget());
  auto* to = builder.values<int32_t>();
  for (int64_t row = 0; row + 1 < offsets_.size(); ++row) {
    const int32_t num_elements = offsets_[row + 1] - offsets_[row];
    for (int32_t position = 0; position < num_elements; ++position) *to++ = position;
  }
  return builder.finish();
}

LambdaResult SpreadElements::run_apart(const LambdaArgument& lambda, std::vector<ColumnPtr> columns) const {
  if (!lambda.captured.empty()) {
    const memory::Array<int32_t> taken = rows();
    for (const ColumnPtr& captured : lambda.captured) {
      columns.push_back(columns::gather(*captured, taken.span(), call_.budget()));
    }
  }
  return lambda.lambda->evaluate(std::move(columns), num_elements());
}

std::vector<int32_t> SpreadElements::rows_of(std::span<const int32_t> failed) const {
  std::vector<int32_t> rows;
  for (const int32_t element : failed) {
    const auto row =
        static_cast<int32_t>(std::upper_bound(offsets_.begin(), offsets_.end(), element) - offsets_.begin()) - 1;
    if (rows.empty() || rows.back() != row) rows.push_back(row);
  }
  return rows;
}

ColumnPtr SpreadElements::run(ColumnCall& call, const LambdaArgument& lambda, std::vector<ColumnPtr> columns) const {
  LambdaResult result = run_apart(lambda, std::move(columns));
  for (const int32_t row : rows_of(result.failed)) call.fail(row);
  return columns::flatten(result.column, call.budget());
}

ColumnPtr SpreadElements::lists(const types::DataType& type, std::vector<ColumnPtr> children) const {
  const int64_t num_rows = offsets_.size() - 1;
  auto offsets = memory::Buffer::allocate((num_rows + 1) * static_cast<int64_t>(sizeof(int32_t)), call_.budget());
  std::ranges::copy(offsets_.span(), offsets->mutable_as<int32_t>());
  return columns::Column::flat(
      {type, type.physical(), num_rows, 0, std::move(offsets), nullptr, {}, std::move(children)});
}

}  // namespace accelerant::column_functions
