#include "functions/cast/cast_decimal_to_timestamp.h"

#include <gtest/gtest.h>

namespace accelerant::functions {
namespace {

TEST(CastDecimalToTimestamp, WrapsNumbersOfMoreDigitsThanTheirType) {
  const types::DecimalContext whole = types::complete({.left_precision = 27});
  const int128 power = static_cast<int128>(1) << 121;
  // 2^121 * 10^6 = 2^127 * 15625: half of 2^128, as that factor is odd.
  const auto half = static_cast<int128>(static_cast<uint128>(1) << 127);
  EXPECT_EQ(CastDecimalToTimestamp::call_wide(power, whole), static_cast<int64>(half));
  EXPECT_EQ(CastDecimalToTimestamp::call_wide(power + 7, whole), 7'000'000);
}

}  // namespace
}  // namespace accelerant::functions
