#pragma once

#include "columns/column.h"
#include "memory/array.h"
#include "operators/group_set.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace accelerant::operators {

/// Rows slice by slice of their hashes (GroupSlices).
class SlicedRows {
 public:
  /// @param columns of the rows, which outlive this
  /// @param hash_at returns the hash of a row
  template <class HashAt>
  SlicedRows(std::span<const columns::ColumnPtr> columns, int64_t num_rows, const HashAt& hash_at,
             const std::shared_ptr<memory::Budget>& budget)
      : columns_(columns), rows_(budget) {
    const auto slice_of = [&](int64_t row) { return static_cast<size_t>(GroupSlices::slice_of(hash_at(row))); };
    for (int64_t row = 0; row < num_rows; ++row) ++starts_[slice_of(row) + 1];
    for (size_t slice = 0; slice < GroupSlices::kCount; ++slice) starts_[slice + 1] += starts_[slice];
    rows_.resize(num_rows);
    auto next = starts_;
    for (int64_t row = 0; row < num_rows; ++row) rows_[next[slice_of(row)]++] = static_cast<int32_t>(row);
  }

  const columns::ColumnPtr& column(size_t index) const { return columns_[index]; }
  /// Returns the rows of slices [first, last).
  std::span<const int32_t> of(int first, int last) const {
    return rows_.span().subspan(static_cast<size_t>(starts_[static_cast<size_t>(first)]),
                                static_cast<size_t>(count(first, last)));
  }
  int32_t count(int first, int last) const {
    return starts_[static_cast<size_t>(last)] - starts_[static_cast<size_t>(first)];
  }

 private:
  const std::span<const columns::ColumnPtr> columns_;
  std::array<int32_t, GroupSlices::kCount + 1> starts_{};
  memory::Array<int32_t> rows_;
};

/// Rows of neighbouring slices of one partition, from one or several SlicedRows.
class RowsOfSlices {
 public:
  RowsOfSlices(int first, int last) : first_(first), last_(last) {}

  int first_slice() const { return first_; }
  /// One more than the last.
  int end_slice() const { return last_; }
  int64_t num_rows() const { return num_rows_; }
  /// Returns a copy of the rows' values of a column.
  columns::ColumnPtr column(size_t index, const std::shared_ptr<memory::Budget>& budget) const;
  void add(const SlicedRows& from, std::span<const int32_t> rows);

 private:
  struct Piece {
    const SlicedRows* from;
    std::span<const int32_t> rows;
  };

  int first_;
  int last_;
  int64_t num_rows_ = 0;
  std::vector<Piece> pieces_;
};

/// Parts rows by slices: as many neighbours of one partition together as have up to `most_rows`, and several times the
/// same slice where one has more.
std::vector<RowsOfSlices> part_rows(std::span<const SlicedRows> rows, int64_t most_rows);

}  // namespace accelerant::operators
