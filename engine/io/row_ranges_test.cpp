#include "io/row_ranges.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace accelerant::io {
namespace {

TEST(RowRanges, AreWhatIsNotDropped) {
  std::mt19937 random(5);
  for (int round = 0; round < 200; ++round) {
    RowRanges ranges(40);
    std::vector<bool> wanted(40, true);
    for (int i = 0; i < 6; ++i) {
      const auto first = static_cast<int64_t>(random() % 41);
      const auto end = static_cast<int64_t>(random() % 41);
      ranges.drop({first, end});
      for (int64_t row = first; row < end; ++row) wanted[static_cast<size_t>(row)] = false;
    }
    int64_t passed = 0;
    for (int64_t row = 0; row < 40; ++row) {
      ASSERT_EQ(ranges.meets({row, row + 1}), wanted[static_cast<size_t>(row)]);
      const RowRange next = ranges.next(row);
      ASSERT_GE(next.first, row);
      for (int64_t i = row; i < next.first; ++i) ASSERT_FALSE(wanted[static_cast<size_t>(i)]);
      for (int64_t i = next.first; i < next.end; ++i) ASSERT_TRUE(wanted[static_cast<size_t>(i)]);
      passed += next.first == row && next.first < next.end;
    }
    EXPECT_EQ(passed, std::count(wanted.begin(), wanted.end(), true));
    EXPECT_EQ(ranges.count(), passed);
    EXPECT_EQ(ranges.next(40), (RowRange{40, 40}));
  }
}

}  // namespace
}  // namespace accelerant::io
