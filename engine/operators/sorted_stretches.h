#pragma once

#include <algorithm>
#include <cstdint>

namespace accelerant::operators {

/// How rows [begin, end) of a sort are cut into morsels: by stretches of rows that are the same whatever part they are
/// of.
class SortedStretches {
 public:
  /// @param num_rows of the whole sort
  /// @param most_batches of a stretch: enough rows to make up for finding out where they begin
  SortedStretches(int64_t num_rows, int64_t begin, int64_t end, int64_t batch_rows, int64_t most_batches)
      : begin_(begin),
        end_(end),
        rows_(batch_rows * std::clamp<int64_t>(num_rows / batch_rows / kFewMorsels, 1, most_batches)) {}

  int64_t num_morsels() const { return begin_ == end_ ? 0 : (end_ + rows_ - 1) / rows_ - begin_ / rows_; }
  /// Returns the first row of a morsel's stretch that is one of these rows.
  int64_t first_row(int64_t morsel) const { return std::clamp((begin_ / rows_ + morsel) * rows_, begin_, end_); }
  int64_t begin() const { return begin_; }
  int64_t end() const { return end_; }

 private:
  /// Morsels that a sort is worth at least, so that all workers have some.
  static constexpr int64_t kFewMorsels = 16;

  const int64_t begin_;
  const int64_t end_;
  const int64_t rows_;
};

}  // namespace accelerant::operators
