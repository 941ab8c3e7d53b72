#include "operators/row_slices.h"

#include "columns/gather.h"

#include <algorithm>

namespace accelerant::operators {

using columns::ColumnPtr;

namespace {

int64_t count(std::span<const SlicedRows> rows, int first, int last) {
  int64_t num_rows = 0;
  for (const SlicedRows& sliced : rows) num_rows += sliced.count(first, last);
  return num_rows;
}

/// Returns the end of the slices from `first` on that come together.
int end_of_slices(std::span<const SlicedRows> rows, int first, int64_t most_rows) {
  const int end_of_partition = (first / GroupSlices::kOfPartition + 1) * GroupSlices::kOfPartition;
  int last = first + 1;
  for (int64_t num_rows = count(rows, first, last); last < end_of_partition; ++last) {
    num_rows += count(rows, last, last + 1);
    if (num_rows > most_rows) break;
  }
  return last;
}

/// Adds the rows of slices [first, last) to `parts`.
void cut(std::span<const SlicedRows> rows, int first, int last, int64_t most_rows, std::vector<RowsOfSlices>& parts) {
  int64_t room = 0;
  for (const SlicedRows& sliced : rows) {
    for (std::span<const int32_t> left = sliced.of(first, last); !left.empty();) {
      if (room == 0) {
        parts.emplace_back(first, last);
        room = most_rows;
      }
      const auto some = left.first(std::min(left.size(), static_cast<size_t>(room)));
      parts.back().add(sliced, some);
      left = left.subspan(some.size());
      room -= static_cast<int64_t>(some.size());
    }
  }
}

}  // namespace

void RowsOfSlices::add(const SlicedRows& from, std::span<const int32_t> rows) {
  pieces_.push_back({&from, rows});
  num_rows_ += static_cast<int64_t>(rows.size());
}

ColumnPtr RowsOfSlices::column(size_t index, const std::shared_ptr<memory::Budget>& budget) const {
  std::vector<columns::RowsOfColumn> parts;
  parts.reserve(pieces_.size());
  for (const Piece& piece : pieces_) parts.push_back({piece.from->column(index).get(), piece.rows});
  return columns::gather_all(parts, budget);
}

std::vector<RowsOfSlices> part_rows(std::span<const SlicedRows> rows, int64_t most_rows) {
  std::vector<RowsOfSlices> parts;
  for (int first = 0; first < GroupSlices::kCount;) {
    const int last = end_of_slices(rows, first, most_rows);
    cut(rows, first, last, most_rows, parts);
    first = last;
  }
  return parts;
}

}  // namespace accelerant::operators
