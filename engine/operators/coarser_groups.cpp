#include "operators/coarser_groups.h"

#include <algorithm>

namespace accelerant::operators {

std::span<const int32_t> CoarserGroups::rows_of_unknown(const FinerGroups& finer, int64_t set) {
  if (finer.set != finer_set_ || set != set_) forget();
  finer_set_ = finer.set;
  set_ = set;
  // Of a call before that came to no end.
  learn([](int64_t) { return 0; });
  const auto num_rows = static_cast<int64_t>(finer.of_rows.size());
  unknown_.reserve(num_rows);
  rows_.reserve(num_rows);
  of_finer_.resize(std::max(of_finer_.size(), finer.num_groups));
  rows_.clear();
  for (int64_t row = 0; row < num_rows; ++row) {
    const int32_t number = finer.of_rows[static_cast<size_t>(row)];
    if (__builtin_expect(of_finer_[number] != 0 || number == 0, 1)) continue;
    of_finer_[number] = kMet;
    unknown_.push_back(number);
    rows_.push_back(static_cast<int32_t>(row));
  }
  return rows_.span();
}

void CoarserGroups::look_up(const FinerGroups& finer, std::span<int32_t> groups) const {
  for (size_t row = 0; row < groups.size(); ++row) groups[row] = of_finer_[finer.of_rows[row]];
}

void CoarserGroups::forget() {
  of_finer_ = memory::Array<int32_t>(budget_);
  unknown_.clear();
}

}  // namespace accelerant::operators
