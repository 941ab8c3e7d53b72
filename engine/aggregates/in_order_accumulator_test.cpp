#include "aggregates/registry.h"
#include "columns/test_columns.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <random>

namespace accelerant::aggregates {
namespace {

using columns::ColumnPtr;
using types::DataType;
using types::TypeId;

const DataType kDouble(TypeId::Double);

execution::OperatorContext context() { return {columns::test::unlimited(), nullptr, nullptr, 0, 1024}; }

ColumnPtr make_doubles(const std::vector<std::optional<double>>& values) {
  return columns::test::make_flat<double>(kDouble, values, types::PhysicalType::Float64);
}

std::vector<std::optional<double>> draw_values(uint32_t seed, size_t num_rows, bool nulls) {
  std::mt19937 random(seed);
  std::vector<std::optional<double>> values;
  for (size_t i = 0; i < num_rows; ++i) {
    const double value = std::ldexp(static_cast<double>(random()) - 2e9, static_cast<int>(random() % 40));
    values.push_back(nulls && random() % 5 == 0 ? std::nullopt : std::optional(value));
  }
  return values;
}

/// Frames of all kinds: that grow, that slide, that are empty, and that begin with the same row now and then.
struct DrawnFrames {
  std::vector<int32_t> begins;
  std::vector<int32_t> ends;

  DrawnFrames(uint32_t seed, size_t num_frames, int32_t num_rows) {
    std::mt19937 random(seed);
    int32_t begin = 0;
    int32_t end = 0;
    const uint32_t most_left = seed % 3 == 0 ? 1 : 4;
    for (size_t i = 0; i < num_frames; ++i) {
      begin = std::min(begin + static_cast<int32_t>(random() % most_left), num_rows);
      end = std::clamp(end + static_cast<int32_t>(random() % 5), begin, num_rows);
      begins.push_back(begin);
      ends.push_back(end);
    }
  }
};

class InOrderAccumulators : public testing::TestWithParam<const char*> {
 protected:
  Call call() const {
    const std::string_view name(GetParam());
    const bool has_two = name.starts_with("co") || (name.starts_with("regr") && name != "regr_sxx");
    return call_of(name, std::vector<DataType>(has_two ? 2 : 1, kDouble), kDouble);
  }
};

/// Returns the bits of each result, which the test compares.
std::vector<std::optional<uint64_t>> results_of(Accumulator& states, int64_t first, int64_t length) {
  states.seal();
  std::vector<columns::RowError> errors;
  const ColumnPtr results = states.finish(first, length, errors);
  std::vector<std::optional<uint64_t>> bits;
  for (int64_t row = 0; row < length; ++row) {
    const double value = results->values<double>()[row];
    bits.push_back(results->is_null(row) ? std::nullopt : std::optional(std::bit_cast<uint64_t>(value)));
  }
  return bits;
}

TEST_P(InOrderAccumulators, AddEachFrameRowByRow) {
  constexpr int32_t kRows = 300;
  for (uint32_t seed = 0; seed < 12; ++seed) {
    std::vector<ColumnPtr> arguments;
    for (uint32_t i = 0; i < call().argument_types.size(); ++i) {
      arguments.push_back(make_doubles(draw_values(seed + 100 * i, kRows, seed % 2 == 0)));
    }
    const DrawnFrames drawn(seed, 200, kRows);
    const auto framed = call().make_in_order(context());
    framed->resize(201);
    framed->add_frames({drawn.begins, drawn.ends}, arguments);
    const auto one_by_one = call().make_in_order(context());
    one_by_one->resize(201);
    for (size_t i = 0; i < drawn.begins.size(); ++i) {
      for (int32_t row = drawn.begins[i]; row < drawn.ends[i]; ++row) {
        const auto group = static_cast<int32_t>(i) + 1;
        std::vector<ColumnPtr> values;
        for (const ColumnPtr& argument : arguments) values.push_back(argument->slice(row, 1));
        one_by_one->update({&group, 1, 201}, values);
      }
    }
    EXPECT_EQ(results_of(*framed, 1, 200), results_of(*one_by_one, 1, 200)) << seed;
  }
}

TEST_P(InOrderAccumulators, GoOnFromStatesBefore) {
  constexpr int32_t kRows = 100;
  std::vector<ColumnPtr> arguments;
  for (uint32_t i = 0; i < call().argument_types.size(); ++i) {
    arguments.push_back(make_doubles(draw_values(7 + i, kRows, true)));
  }
  std::vector<int32_t> begins(kRows, 0);
  std::vector<int32_t> ends;
  for (int32_t row = 0; row < kRows; ++row) ends.push_back(row + 1);
  const auto whole = call().make_in_order(context());
  whole->resize(kRows + 1);
  whole->add_frames({begins, ends}, arguments);

  constexpr int32_t kBefore = 37;
  const auto behind = call().make_in_order(context());
  behind->resize(kRows - kBefore + 1);
  const int32_t last = kBefore;
  const int32_t none = 0;
  behind->merge(*whole, std::span(&last, 1), std::span(&none, 1));
  behind->add_frames({std::span(begins).subspan(kBefore), std::span(ends).subspan(kBefore), kBefore}, arguments);
  EXPECT_EQ(results_of(*behind, 1, kRows - kBefore), results_of(*whole, kBefore + 1, kRows - kBefore));
}

INSTANTIATE_TEST_SUITE_P(All, InOrderAccumulators,
                         testing::Values("sum", "avg", "var_pop", "var_samp", "stddev_pop", "stddev_samp", "skewness",
                                         "kurtosis", "covar_pop", "covar_samp", "corr", "regr_slope", "regr_intercept",
                                         "regr_r2", "regr_sxy", "regr_sxx"));

TEST(InOrderSums, AreWhatTheOrderMakesOfThem) {
  const Call call = call_of("sum", {kDouble}, kDouble);
  const ColumnPtr values = make_doubles({1e16, 1.0, -1e16});
  const auto in_order = call.make_in_order(context());
  in_order->resize(2);
  in_order->update({nullptr, 3, 2}, {&values, 1});
  EXPECT_EQ(results_of(*in_order, 1, 1).front(), std::bit_cast<uint64_t>(0.0));
  const auto exact = call.make_accumulator(context());
  exact->resize(2);
  exact->update({nullptr, 3, 2}, {&values, 1});
  EXPECT_EQ(results_of(*exact, 1, 1).front(), std::bit_cast<uint64_t>(1.0));
}

TEST(InOrderSums, AreNotMadeWhereTheOrderDoesNotShow) {
  const DataType kLong(TypeId::Long);
  EXPECT_EQ(call_of("sum", {kLong}, kLong).make_in_order(context()), nullptr);
  EXPECT_EQ(call_of("avg", {kLong}, kDouble).make_in_order(context()), nullptr);
  EXPECT_TRUE(call_of("avg", {kLong}, kDouble).adds_few_in_order());
  const DataType kSmallDecimal = DataType::decimal(14, 4);
  EXPECT_FALSE(call_of("avg", {DataType::decimal(10, 0)}, kSmallDecimal).adds_few_in_order());
  EXPECT_FALSE(call_of("avg", {DataType(TypeId::Int)}, kDouble).adds_few_in_order());
  EXPECT_EQ(call_of("max", {kDouble}, kDouble).make_in_order(context()), nullptr);
  EXPECT_NE(call_of("avg", {DataType(TypeId::Float)}, kDouble).make_in_order(context()), nullptr);
}

}  // namespace
}  // namespace accelerant::aggregates
