#include "functions/aggregate/power_sums.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace accelerant::functions {
namespace {

FourthPowerSums sums_of(const std::vector<double>& values) {
  FourthPowerSums sums = FourthPowerSums::init();
  for (const double value : values) sums.update(value);
  return sums;
}

/// Second, third and fourth central moments, each times the number of values.
std::vector<double> moments_of(const FourthPowerSums& sums) {
  const CentralMoments moments(sums.lower);
  return {moments.m2, moments.m3, moments.m4(sums)};
}

TEST(CentralMoments, AreExactWhereADoubleIs) {
  EXPECT_EQ(moments_of(sums_of({7.5})), (std::vector<double>{0, 0, 0}));
  EXPECT_EQ(moments_of(sums_of({0.1, 0.1, 0.1})), (std::vector<double>{0, 0, 0}));
  EXPECT_EQ(moments_of(sums_of({-1, -1, 2})), (std::vector<double>{6, 6, 18}));
  EXPECT_EQ(moments_of(sums_of({1, 1, -2})), (std::vector<double>{6, -6, 18}));
}

TEST(CentralMoments, DoNotCancelFarFromZero) {
  const std::vector<double> expected = {6, 6, 18};
  for (const double mean : {1e15, -1e15, 3e9, 0x1p52}) {
    EXPECT_EQ(moments_of(sums_of({mean - 1, mean - 1, mean + 2})), expected) << mean;
  }
}

TEST(CentralMoments, ReachTheEndsOfTheRange) {
  EXPECT_EQ(moments_of(sums_of({0x1p-200, -0x1p-200})), (std::vector<double>{0x1p-399, 0, 0x1p-799}));
  EXPECT_EQ(moments_of(sums_of({0x1p250, -0x1p250})), (std::vector<double>{0x1p501, 0, 0x1p1001}));
  constexpr double kMax = std::numeric_limits<double>::max();
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(moments_of(sums_of({kMax, -kMax})), (std::vector<double>{kInfinity, 0, kInfinity}));
  EXPECT_EQ(moments_of(sums_of({kMax, kMax})), (std::vector<double>{0, 0, 0}));
  EXPECT_EQ(moments_of(sums_of({0x1p-1074, 0})), (std::vector<double>{0, 0, 0}));
}

TEST(CentralMoments, DoNotDependOnOrderOrGrouping) {
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal(1e6, 3);
  std::vector<double> values(1000);
  for (double& value : values) value = normal(random);
  const std::vector<double> expected = moments_of(sums_of(values));
  for (int round = 0; round < 5; ++round) {
    std::shuffle(values.begin(), values.end(), random);
    FourthPowerSums parts[2] = {FourthPowerSums::init(), FourthPowerSums::init()};
    for (const double value : values) parts[random() % 2].update(value);
    parts[round % 2].merge(parts[1 - round % 2]);
    EXPECT_EQ(moments_of(parts[round % 2]), expected);
  }
}

TEST(CentralMoments, StayWithinTheirBound) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int round = 0; round < 100; ++round) {
    std::vector<double> values(50);
    for (double& value : values) value = std::ldexp(uniform(random), static_cast<int>(random() % 40) - 20);
    long double mean = 0;
    for (const double value : values) mean += value / 50.0L;
    long double expected[3] = {};
    for (const double value : values) {
      for (int power = 2; power <= 4; ++power) expected[power - 2] += powl(value - mean, power);
    }
    const std::vector<double> moments = moments_of(sums_of(values));
    for (int i = 0; i < 3; ++i) {
      const auto near = static_cast<double>(expected[i]);
      EXPECT_NEAR(moments[static_cast<size_t>(i)], near, std::abs(near) * 1e-14) << i;
    }
  }
}

TEST(PowerSums, KnowValuesThatAreNotFinite) {
  const FourthPowerSums sums = sums_of({1, std::numeric_limits<double>::quiet_NaN(), 2});
  EXPECT_FALSE(sums.lower.is_finite());
  EXPECT_EQ(sums.lower.count(), 3);
}

}  // namespace
}  // namespace accelerant::functions
