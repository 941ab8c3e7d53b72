#include "functions/aggregate/binned_sum.h"

#include "types/integers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace accelerant::functions {
namespace {

double sum_of(const std::vector<double>& values) {
  BinnedSum sum = BinnedSum::init();
  for (double value : values) sum.update(value);
  return sum.value();
}

std::vector<double> random_values(int seed, int n, int exponent_range) {
  std::mt19937_64 random(static_cast<unsigned>(seed));
  std::uniform_int_distribution<int> exponent(-exponent_range, exponent_range);
  std::uniform_real_distribution<double> mantissa(-1, 1);
  std::vector<double> values;
  for (int i = 0; i < n; ++i) values.push_back(std::ldexp(mantissa(random), exponent(random)));
  return values;
}

TEST(BinnedSum, IsExactWhereADoubleIs) {
  EXPECT_EQ(sum_of({}), 0.0);
  EXPECT_EQ(sum_of({1.5}), 1.5);
  EXPECT_EQ(sum_of({-1.5}), -1.5);
  EXPECT_EQ(sum_of({0.1, 0.2, -0.1}), 0.2);
  EXPECT_EQ(sum_of({1e16, 1.0, -1e16}), 1.0);
  EXPECT_EQ(sum_of({std::numeric_limits<double>::max()}), std::numeric_limits<double>::max());
  EXPECT_EQ(sum_of({std::numeric_limits<double>::denorm_min(), std::numeric_limits<double>::denorm_min()}),
            2 * std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(sum_of({std::numeric_limits<double>::max(), std::numeric_limits<double>::max()}),
            std::numeric_limits<double>::infinity());
}

TEST(BinnedSum, DoesNotDependOnOrderOrGrouping) {
  for (int exponent_range : {0, 10, 60, 300, 1000}) {
    std::vector<double> values = random_values(exponent_range, 1000, exponent_range);
    const double expected = sum_of(values);
    std::mt19937 random(7);
    for (int round = 0; round < 20; ++round) {
      std::shuffle(values.begin(), values.end(), random);
      BinnedSum parts[3] = {BinnedSum::init(), BinnedSum::init(), BinnedSum::init()};
      for (double value : values) parts[random() % 3].update(value);
      parts[2].merge(parts[0]);
      parts[1].merge(parts[2]);
      ASSERT_EQ(parts[1].value(), expected) << "exponents up to " << exponent_range;
      ASSERT_EQ(parts[1].count, 1000);
    }
  }
}

TEST(BinnedSum, StaysWithinItsBound) {
  for (int exponent_range : {0, 20, 100}) {
    const std::vector<double> values = random_values(exponent_range + 1, 10'000, exponent_range);
    long double exact = 0;
    double largest = 0;
    for (double value : values) {
      exact += value;
      largest = std::max(largest, std::fabs(value));
    }
    const double ulp = std::fabs(std::nextafter(sum_of(values), 1e308) - sum_of(values));
    EXPECT_LE(std::fabs(static_cast<double>(exact - sum_of(values))), ulp + largest * std::ldexp(1.0, -50));
  }
}

/// Checks the bins against the digits of all values at all of their places.
void expect_digits_of(const std::vector<double>& values) {
  BinnedSum sum = BinnedSum::init();
  int64 places[100] = {};
  int32 top = -1;
  for (const double value : values) {
    sum.update(value);
    int exponent = 0;
    const auto mantissa = static_cast<int64>(std::ldexp(std::frexp(value, &exponent), 53));
    if (mantissa == 0) continue;
    const int above_lowest = exponent - 53 - BinnedSum::kLowestExponent;
    int128 rest = above_lowest < 0 ? mantissa >> -above_lowest : int128(mantissa) << above_lowest % 24;
    const int32 lowest = std::max(above_lowest, 0) / 24;
    for (int32 place = lowest; place < lowest + 3; ++place, rest >>= 24) places[place] += int64(rest & 0xffffff);
    places[lowest + 3] += static_cast<int64>(rest);
    top = std::max(top, lowest + 3);
  }
  ASSERT_EQ(sum.top, top);
  for (int32 i = 0; i < BinnedSum::kNumBins; ++i) {
    const int32 place = top - BinnedSum::kNumBins + 1 + i;
    ASSERT_EQ(sum.bins[i], place < 0 ? 0 : places[place]) << "place " << place << " of top " << top;
  }
}

TEST(BinnedSum, HoldsTheHighestDigitsOfEachValue) {
  for (const int exponent_range : {0, 12, 40, 90, 200, 1020}) {
    const std::vector<double> values = random_values(exponent_range + 2, 500, exponent_range);
    for (const double value : values) expect_digits_of({value});
    expect_digits_of(values);
  }
  for (int exponent = -1074; exponent < 1024; ++exponent) {
    expect_digits_of({std::ldexp(-1.0, exponent)});
    expect_digits_of({std::ldexp(1.0, exponent), std::ldexp(1.75, exponent - 30), -std::ldexp(1.25, exponent - 60)});
  }
  expect_digits_of({});
  expect_digits_of({0.0, -0.0});
}

TEST(BinnedSum, KnowsSpecialValues) {
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(sum_of({1, inf}), inf);
  EXPECT_EQ(sum_of({-inf, 1}), -inf);
  EXPECT_TRUE(std::isnan(sum_of({inf, -inf})));
  EXPECT_TRUE(std::isnan(sum_of({1, std::nan("")})));
  EXPECT_FALSE(std::signbit(sum_of({-0.0, -0.0})));
}

}  // namespace
}  // namespace accelerant::functions
