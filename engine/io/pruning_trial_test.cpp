#include "io/pruning_trial.h"

#include <gtest/gtest.h>

namespace accelerant::io {
namespace {

int times_worthwhile(PruningTrial& trial, int row_groups, int64_t num_dropped) {
  int times = 0;
  for (int i = 0; i < row_groups; ++i) {
    if (!trial.is_worthwhile()) continue;
    ++times;
    trial.note(100'000, num_dropped);
  }
  return times;
}

TEST(PruningTrial, EndsWhereFewRowsAreDropped) {
  PruningTrial trial;
  EXPECT_EQ(times_worthwhile(trial, 1000, 10'000), 1000);
  PruningTrial other;
  const int times = times_worthwhile(other, 1000, 1'000);
  EXPECT_GT(times, 10);
  EXPECT_LT(times, 100);
}

TEST(PruningTrial, StartsAgainWhereManyRowsAreDropped) {
  PruningTrial trial;
  times_worthwhile(trial, 100, 0);
  EXPECT_GT(times_worthwhile(trial, 1000, 90'000), 900);
}

}  // namespace
}  // namespace accelerant::io
