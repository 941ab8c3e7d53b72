#include "aggregates/registry.h"
#include "columns/test_columns.h"
#include "types/integers.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>

namespace accelerant::aggregates {
namespace {

using columns::ColumnPtr;
using columns::test::make_flat;
using columns::test::show;
using columns::test::unlimited;
using expressions::EvalMode;
using types::DataType;
using types::PhysicalType;
using types::TypeId;

execution::OperatorContext context() { return {unlimited(), nullptr, nullptr, 5, 1024}; }

Call call_of(std::string_view name, DataType argument, DataType result, EvalMode mode = EvalMode::Ansi) {
  Call call = aggregates::call_of(name, {std::move(argument)}, std::move(result));
  call.mode = mode;
  call.expression = 9;
  return call;
}

/// Sums all rows of `column` into group 1 and shows the result, or "error".
std::string sum_all(const Call& call, const ColumnPtr& column) {
  const auto accumulator = call.make_accumulator(context());
  accumulator->resize(2);
  accumulator->update({nullptr, column->length(), 2}, {&column, 1});
  std::vector<columns::RowError> errors;
  const ColumnPtr result = accumulator->finish(1, 1, errors);
  return errors.empty() ? show(*result, 0) : "error";
}

const DataType kLong(TypeId::Long);
constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

TEST(ExactSum, RaisesWrapsOrNullsALongThatOverflows) {
  const ColumnPtr column = columns::test::make_longs({kMax, 1});
  EXPECT_EQ(sum_all(call_of("sum", kLong, kLong), column), "error");
  EXPECT_EQ(sum_all(call_of("sum", kLong, kLong, EvalMode::Legacy), column),
            std::to_string(std::numeric_limits<int64_t>::min()));
  EXPECT_EQ(sum_all(call_of("sum", kLong, kLong, EvalMode::Try), column), "null");
}

TEST(ExactSum, IsNullWithoutValues) {
  const ColumnPtr column = columns::test::make_longs({std::nullopt, std::nullopt});
  EXPECT_EQ(sum_all(call_of("sum", kLong, kLong), column), "null");
  EXPECT_EQ(sum_all(call_of("avg", kLong, DataType(TypeId::Double)), column), "null");
}

TEST(ExactSum, RoundsADecimalAverageHalfUp) {
  const DataType cents = DataType::decimal(7, 2);
  const DataType average = DataType::decimal(11, 6);
  const auto average_of = [&](std::vector<std::optional<int64_t>> values) {
    const auto accumulator = call_of("avg", cents, average).make_accumulator(context());
    accumulator->resize(2);
    const ColumnPtr column = make_flat<int64_t>(cents, values, PhysicalType::Int64);
    accumulator->update({nullptr, column->length(), 2}, {&column, 1});
    std::vector<columns::RowError> errors;
    return accumulator->finish(1, 1, errors)->values<int64_t>()[0];
  };
  EXPECT_EQ(average_of({1, 0, 0}), 3333);
  EXPECT_EQ(average_of({2, 0, 0}), 6667);
  EXPECT_EQ(average_of({-2, 0, 0}), -6667);
  EXPECT_EQ(average_of({1, 1, 1, 1, 1, 1, 1, 0}), 8750);
}

TEST(ExactSum, HoldsManyOfTheLargestDecimals) {
  const DataType type = DataType::decimal(38, 0);
  int128 largest = 1;
  for (int i = 0; i < 38; ++i) largest *= 10;
  --largest;
  const ColumnPtr back_to_zero =
      make_flat<int128>(type, {largest, largest, -largest, -largest, 1}, PhysicalType::Int128);
  EXPECT_EQ(sum_all(call_of("sum", type, type), back_to_zero), "1");
  const ColumnPtr too_large = make_flat<int128>(type, {largest, 1}, PhysicalType::Int128);
  EXPECT_EQ(sum_all(call_of("sum", type, type), too_large), "error");
  EXPECT_EQ(sum_all(call_of("sum", type, type, EvalMode::Legacy), too_large), "null");
}

TEST(ExactSum, AddsTheSameByEveryPath) {
  std::mt19937_64 random(1);
  for (const int num_groups : {1, 3, 1000, 5000}) {
    for (const bool huge : {false, true}) {
      constexpr int kRows = 20'000;
      std::vector<std::optional<int64_t>> values;
      std::vector<int32_t> groups;
      std::vector<int128> expected(static_cast<size_t>(num_groups) + 1);
      std::vector<bool> has_values(expected.size());
      for (int i = 0; i < kRows; ++i) {
        const auto value = static_cast<int64_t>(random()) >> (huge ? 0 : 40);
        const bool is_null = i % 7 == 0 && num_groups == 3;
        const auto group = static_cast<int32_t>(random() % static_cast<unsigned>(num_groups)) + 1;
        values.push_back(is_null ? std::nullopt : std::optional(value));
        groups.push_back(group);
        if (is_null) continue;
        expected[static_cast<size_t>(group)] += value;
        has_values[static_cast<size_t>(group)] = true;
      }
      const ColumnPtr column = columns::test::make_longs(values);
      const DataType decimal = DataType::decimal(38, 0);
      const auto accumulator = call_of("sum", decimal, decimal).make_accumulator(context());
      accumulator->resize(num_groups + 1);
      accumulator->update({num_groups == 1 ? nullptr : groups.data(), kRows, num_groups + 1}, {&column, 1});
      std::vector<columns::RowError> errors;
      const ColumnPtr result = accumulator->finish(1, num_groups, errors);
      for (int64_t g = 0; g < num_groups; ++g) {
        ASSERT_EQ(result->is_null(g), !has_values[static_cast<size_t>(g) + 1]) << "group " << g;
        if (result->is_null(g)) continue;
        ASSERT_TRUE(result->values<int128>()[g] == expected[static_cast<size_t>(g) + 1]) << "group " << g;
      }
    }
  }
}

}  // namespace
}  // namespace accelerant::aggregates
