#pragma once

#include <cstdint>
#include <vector>

namespace accelerant::io {

/// Rows [first, end).
struct RowRange {
  int64_t first;
  int64_t end;

  friend bool operator==(const RowRange&, const RowRange&) = default;
};

/// The rows of a row group that are wanted.
class RowRanges {
 public:
  /// Starts with rows [0, num_rows).
  explicit RowRanges(int64_t num_rows) : num_rows_(num_rows), ranges_({{0, num_rows}}) {}

  void drop(RowRange range);
  /// Returns the wanted rows from `row` on that follow one another; an empty range at the end of the row group where
  /// there are none.
  RowRange next(int64_t row) const;
  /// Says how many rows are wanted.
  int64_t count() const;
  /// Says whether a row of the range is wanted.
  bool meets(RowRange range) const { return next(range.first).first < range.end; }

 private:
  int64_t num_rows_;
  std::vector<RowRange> ranges_;  ///< ascending, apart, none of them empty
};

}  // namespace accelerant::io
