#include "io/pruning_trial.h"

namespace accelerant::io {

namespace {

/// After so many rows one of twenty must have been dropped.
constexpr int64_t kTrialRows = 256 * 1024;
constexpr int64_t kLeastShare = 20;
/// A worker that stopped asking tries again after so many row groups: other files may be in order.
constexpr int64_t kPause = 16;

}  // namespace

bool PruningTrial::is_worthwhile() {
  if (rows_asked_ < kTrialRows || rows_dropped_ > rows_asked_ / kLeastShare) return true;
  return ++row_groups_passed_ % kPause == 0;
}

void PruningTrial::note(int64_t num_rows, int64_t num_dropped) {
  rows_asked_ += num_rows;
  rows_dropped_ += num_dropped;
}

}  // namespace accelerant::io
