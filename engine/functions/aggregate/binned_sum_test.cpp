#include "functions/aggregate/binned_sum.h"

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
