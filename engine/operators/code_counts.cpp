#include "operators/code_counts.h"

namespace accelerant::operators {

std::span<const int64_t> CodeCounts::of(const columns::Column& column) {
  constexpr int64_t kLeastRowsPerValue = 4;
  const int64_t num_values = column.child_values()->length();
  if (num_values * kLeastRowsPerValue > column.length()) return {};
  const int32_t* codes = column.indices();
  const bool is_counted =
      counted_ == codes && validity_ == column.validity() && static_cast<int64_t>(counts_.size()) == num_values;
  if (is_counted) return counts_;
  counted_ = codes;
  validity_ = column.validity();
  counts_.assign(static_cast<size_t>(num_values), 0);
  for (int64_t row = 0; row < column.length(); ++row) {
    if (validity_ && !bits::get(validity_, column.offset() + row)) continue;
    ++counts_[static_cast<size_t>(codes[row])];
  }
  return counts_;
}

}  // namespace accelerant::operators
