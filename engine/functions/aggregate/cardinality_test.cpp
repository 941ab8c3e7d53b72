#include "functions/aggregate/cardinality.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace accelerant::functions {
namespace {

/// Registers that have a byte each.
struct Dense {
  std::string ranks;

  HashRegisters registers() { return {{ranks.data(), static_cast<int32>(ranks.size()), 0}, 0}; }
};

int64 estimate(int32 precision, std::string ranks, const std::vector<double>& numbers) {
  Dense dense{std::move(ranks)};
  return Cardinality(precision, numbers.data(), static_cast<int64>(numbers.size())).of(dense.registers());
}

/// 16 registers, of which some are empty and the others have a rank.
std::string sixteen(size_t empty, char rank) { return std::string(empty, '\0') + std::string(16 - empty, rank); }

TEST(Cardinality, CountsEmptyRegistersWhereFewHoldSomething) {
  HashRegisters table = HashRegisters::init();
  EXPECT_EQ(Cardinality(9, nullptr, 0).of(table), 0);
  table.entries = 40;
  EXPECT_EQ(Cardinality(9, nullptr, 0).of(table), 42);  // 512 * ln(512 / 472) = 41.65
}

TEST(Cardinality, CountsEmptyRegistersBelowABound) {
  // 16 * ln(16 / 8) = 11.09; by the mean of 2^rank 0.673 * 256 / (8 + 8 / 32) = 20.9.
  EXPECT_EQ(estimate(4, sixteen(8, 5), {12}), 11);
  EXPECT_EQ(estimate(4, sixteen(8, 5), {}), 11);
  // 16 * ln(16) = 44.4; by the mean 0.673 * 256 / (1 + 15 / 32) = 117.3, which is above 2.5 and 5 registers' numbers.
  EXPECT_EQ(estimate(4, sixteen(1, 5), {12}), 117);
  EXPECT_EQ(estimate(4, sixteen(1, 5), {50}), 44);
}

TEST(Cardinality, TakesTheMeanOfTheNearestBiasesAway) {
  // Without an empty register, 0.673 * 256 / (16 / 8) = 86.1 is no less than 5 times the registers' number,
  // 0.673 * 256 / (16 / 4) = 43.07 is.
  const std::vector<double> numbers = {10, 30, 1, 35, 2, 40, 3, 43, 4, 44, 5, 45, 6, 50, 7, 60, 8};
  EXPECT_EQ(estimate(4, sixteen(0, 3), numbers), 86);
  // The nearest six are 35 to 50, whose biases have the mean 4.5: 38.57.
  EXPECT_EQ(estimate(4, sixteen(0, 2), numbers), 39);
  EXPECT_EQ(estimate(4, sixteen(0, 2), {}), 43);
}

TEST(Cardinality, TakesFewerBiasesAtTheEnd) {
  const std::vector<double> numbers = {10, 1, 9, 2, 9, 3, 9, 4, 10, 5, 10, 6, 10, 7, 10};
  // Beyond all of the 7, the last five.
  EXPECT_EQ(estimate(4, sixteen(0, 2), numbers), 33);  // 43.07 - 10
}

}  // namespace
}  // namespace accelerant::functions
