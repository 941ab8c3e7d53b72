#include "columns/refer.h"

#include "columns/gather.h"

#include <algorithm>
#include <utility>

namespace accelerant::columns {

using memory::Buffer;

namespace {

/// Returns which rows are not -1; nullptr where none is.
memory::BufferPtr validity_of(std::span<const int32_t> rows, const std::shared_ptr<memory::Budget>& budget) {
  int32_t signs = 0;
  for (const int32_t row : rows) signs |= row;
  if (signs >= 0) return nullptr;
  const auto num_rows = static_cast<int64_t>(rows.size());
  const auto valid = Buffer::allocate(num_rows, budget);
  std::ranges::transform(rows, valid->mutable_data(), [](int32_t row) { return static_cast<uint8_t>(row >= 0); });
  auto validity = Buffer::allocate(bits::bytes_for(num_rows), budget);
  bits::pack(valid->data(), num_rows, validity->mutable_data());
  return validity;
}

}  // namespace

ColumnPtr refer(const Column& column, std::span<const int32_t> rows, const std::shared_ptr<memory::Budget>& budget) {
  if (!column.type().is_nested() || !column.is_flat() || column.length() == 0) {
    return gather_or_null(column, rows, budget);
  }
  const auto num_rows = static_cast<int64_t>(rows.size());
  memory::BufferPtr validity = validity_of(rows, budget);
  auto indices = Buffer::allocate(num_rows * static_cast<int64_t>(sizeof(int32_t)), budget);
  std::ranges::transform(rows, indices->mutable_as<int32_t>(), [](int32_t row) { return std::max(row, 0); });
  return Column::dictionary(column.slice(0, column.length()), std::move(indices), num_rows, std::move(validity));
}

}  // namespace accelerant::columns
