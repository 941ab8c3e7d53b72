#include "io/row_ranges.h"

#include <algorithm>
#include <utility>

namespace accelerant::io {

void RowRanges::drop(RowRange range) {
  if (range.first >= range.end) return;
  std::vector<RowRange> kept;
  const auto keep = [&](RowRange part) {
    if (part.first < part.end) kept.push_back(part);
  };
  for (const RowRange& old : ranges_) {
    keep({old.first, std::min(old.end, range.first)});
    keep({std::max(old.first, range.end), old.end});
  }
  ranges_ = std::move(kept);
}

int64_t RowRanges::count() const {
  int64_t count = 0;
  for (const RowRange& range : ranges_) count += range.end - range.first;
  return count;
}

RowRange RowRanges::next(int64_t row) const {
  const auto found = std::upper_bound(ranges_.begin(), ranges_.end(), row,
                                      [](int64_t value, const RowRange& range) { return value < range.end; });
  if (found == ranges_.end()) return {num_rows_, num_rows_};
  return {std::max(row, found->first), found->end};
}

}  // namespace accelerant::io
