#include "functions/arithmetic/ceil.h"

#include <gtest/gtest.h>

#include <limits>

namespace accelerant::functions {
namespace {

/// Cents, brought to whole numbers.
constexpr types::DecimalContext kCents = types::complete({.left_precision = 18, .left_scale = 2});

TEST(Ceil, RoundsUp) {
  EXPECT_EQ(Ceil::call_narrow(101, kCents), 2);
  EXPECT_EQ(Ceil::call_narrow(-199, kCents), -1);
  EXPECT_EQ(Ceil::call_wide(101, kCents), 2);
}

/// The smallest integer, which may lie below a null, has no negation: it wraps, and stays what it was.
TEST(Ceil, WrapsBelowNulls) {
  const auto smallest = std::numeric_limits<int64>::min();
  EXPECT_EQ(Ceil::call_narrow(smallest, kCents), -(smallest / 100) + 1);
  const auto smallest_wide = static_cast<int128>(static_cast<uint128>(1) << 127);
  EXPECT_TRUE(Ceil::call_wide(smallest_wide, kCents) == -(smallest_wide / 100) + 1);
}

}  // namespace
}  // namespace accelerant::functions
