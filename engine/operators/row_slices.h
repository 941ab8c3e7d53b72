#pragma once

#include "columns/column.h"
#include "memory/budget.h"
#include "operators/group_set.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace accelerant::operators {

/// Rows slice by slice of their hashes (GroupSlices).
class SlicedRows : public SlicedNumbers {
 public:
  /// @param columns of the rows, which outlive this
  /// @param hash_at returns the hash of a row
  template <class HashAt>
  SlicedRows(std::span<const columns::ColumnPtr> columns, int64_t num_rows, const HashAt& hash_at,
             const std::shared_ptr<memory::Budget>& budget)
      : SlicedNumbers(0, num_rows, hash_at, budget), columns_(columns) {}

  const columns::ColumnPtr& column(size_t index) const { return columns_[index]; }

 private:
  std::span<const columns::ColumnPtr> columns_;
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
