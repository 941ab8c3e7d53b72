#include "functions/aggregate/signed_digits.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>

namespace accelerant::functions {
namespace {

template <class Digit>
constexpr Digit kLeast = std::numeric_limits<Digit>::min();
template <class Digit>
constexpr Digit kMost = std::numeric_limits<Digit>::max();

/// Says whether a digit and what is carried from it make up for a sum.
template <class Digit>
bool makes_up(Digit before, Digit value) {
  using Bits = std::make_unsigned_t<Digit>;
  const auto digit = static_cast<Digit>(static_cast<Bits>(before) + static_cast<Bits>(value));
  const int128 base = int128{1} << (8 * sizeof(Digit));
  return digit + base * carried(before, value) == int128{before} + value;
}

template <class Digit>
void expect_carries() {
  const Digit ends[] = {0, 1, -1, kLeast<Digit>, kLeast<Digit> + 1, kMost<Digit>, kMost<Digit> - 1};
  for (const Digit before : ends) {
    for (const Digit value : ends) EXPECT_TRUE(makes_up(before, value)) << before << " + " << value;
  }
  std::mt19937_64 random(7);
  for (int i = 0; i < 10'000; ++i) {
    const auto before = static_cast<Digit>(random());
    const auto value = static_cast<Digit>(random());
    ASSERT_TRUE(makes_up(before, value)) << before << " + " << value;
  }
}

TEST(SignedDigits, CarryWhatTheyHaveNoRoomFor) {
  expect_carries<int32>();
  expect_carries<int64>();
}

}  // namespace
}  // namespace accelerant::functions
