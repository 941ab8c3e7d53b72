#include "functions/aggregate/moments.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace accelerant::functions {
namespace {

constexpr double kMax = std::numeric_limits<double>::max();

double population_variance(const std::vector<double>& values) {
  Variance state = Variance::init();
  for (const double value : values) state.update(value);
  ScaledDouble moment = state.moment();
  moment.mantissa /= static_cast<double>(values.size());
  return moment.over(static_cast<double>(values.size()));
}

TEST(Variance, IsExactWhereADoubleIs) {
  EXPECT_EQ(population_variance({7.5}), 0);
  EXPECT_EQ(population_variance({1, 2, 3, 4}), 1.25);
  EXPECT_EQ(population_variance({-1, 1}), 1);
  EXPECT_EQ(population_variance({0, -0.0, 0}), 0);
  EXPECT_EQ(population_variance({0.1, 0.1, 0.1}), 0);
}

TEST(Variance, DoesNotCancelFarFromZero) {
  EXPECT_EQ(population_variance({1e15 + 1, 1e15 + 2, 1e15 + 3, 1e15 + 4}), 1.25);
  EXPECT_EQ(population_variance({-1e15 - 1, -1e15 + 1}), 1);
}

TEST(Variance, ReachesTheEndsOfTheRange) {
  EXPECT_EQ(population_variance({kMax, -kMax}), std::numeric_limits<double>::infinity());
  EXPECT_EQ(population_variance({kMax, kMax}), 0);
  EXPECT_EQ(population_variance({0x1p500, -0x1p500}), 0x1p1000);
  EXPECT_EQ(population_variance({0x1p-500, -0x1p-500}), 0x1p-1000);
  EXPECT_EQ(population_variance({0x1p-1074, 0}), 0);
}

TEST(Variance, DoesNotDependOnOrderOrGrouping) {
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal(1e6, 3);
  std::vector<double> values(1000);
  for (double& value : values) value = normal(random);
  const double expected = population_variance(values);
  EXPECT_NEAR(expected, 9, 1);
  for (int round = 0; round < 10; ++round) {
    std::shuffle(values.begin(), values.end(), random);
    Variance parts[3] = {Variance::init(), Variance::init(), Variance::init()};
    for (size_t i = 0; i < values.size(); ++i) parts[random() % 3].update(values[i]);
    parts[1].merge(parts[round % 2 == 0 ? 0 : 2]);
    parts[1].merge(parts[round % 2 == 0 ? 2 : 0]);
    ScaledDouble moment = parts[1].moment();
    moment.mantissa /= 1000;
    EXPECT_EQ(moment.over(1000), expected);
  }
}

TEST(Variance, StaysWithinItsBound) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int round = 0; round < 100; ++round) {
    std::vector<double> values(50);
    for (double& value : values) value = std::ldexp(uniform(random), static_cast<int>(random() % 40) - 20);
    long double mean = 0;
    for (const double value : values) mean += value / 50.0L;
    long double moment = 0;
    for (const double value : values) moment += (value - mean) * (value - mean);
    const auto expected = static_cast<double>(moment / 50);
    EXPECT_NEAR(population_variance(values), expected, std::abs(expected) * 1e-15);
  }
}

TEST(Covariance, MultipliesDistancesToTheMeans) {
  Covariance state = Covariance::init();
  const double pairs[][2] = {{1, -2}, {2, -4}, {3, -6}};
  for (const auto& pair : pairs) state.update(pair[0], pair[1]);
  EXPECT_EQ(state.moment().over(9), -4.0 / 3);
  EXPECT_EQ(state.x.moment().over(9), 2.0 / 3);
  EXPECT_EQ(state.y.moment().over(9), 8.0 / 3);
}

TEST(Covariance, KnowsValuesThatAreNotFinite) {
  Covariance state = Covariance::init();
  state.update(1, 2);
  EXPECT_TRUE(state.is_finite());
  state.update(1, std::numeric_limits<double>::infinity());
  EXPECT_FALSE(state.is_finite());
  EXPECT_EQ(state.count(), 2);
}

}  // namespace
}  // namespace accelerant::functions
