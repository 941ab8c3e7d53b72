#include "aggregates/held_rows.h"
#include "aggregates/registry.h"
#include "columns/test_columns.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <numeric>
#include <optional>
#include <vector>

namespace accelerant::aggregates {
namespace {

using columns::ColumnPtr;
using columns::test::unlimited;
using types::DataType;
using types::TypeId;

const DataType kDouble(TypeId::Double);

execution::OperatorContext context() { return {unlimited(), nullptr, nullptr, 0, 1024}; }

/// A batch of one group, and where it stands.
struct Placed {
  std::vector<std::optional<double>> values;
  int64_t batch;
  int64_t partition;
};

void add(Accumulator& sums, const Placed& placed) {
  const ColumnPtr values = columns::test::make_flat<double>(kDouble, placed.values, types::PhysicalType::Float64);
  sums.update({nullptr, values->length(), 2, placed.batch, placed.partition}, {&values, 1});
}

double result_of(Accumulator& sums) {
  sums.seal();
  std::vector<columns::RowError> errors;
  return sums.finish(1, 1, errors)->values<double>()[0];
}

class FewRows : public testing::Test {
 protected:
  static std::unique_ptr<Accumulator> make(std::string_view name = "sum") {
    auto sums = call_of(name, {kDouble}, kDouble).make_of_few(context());
    sums->resize(2);
    return sums;
  }
};

// Exactly, these come to 2; in the order of rows the first 1 is lost.
const Placed kFirst{{1e16, 1.0}, 0, 0};
const Placed kSecond{{std::nullopt, -1e16, 1.0}, 1, 0};

TEST_F(FewRows, AreAddedInTheirOrder) {
  const auto sums = make();
  add(*sums, kFirst);
  add(*sums, kSecond);
  EXPECT_EQ(result_of(*sums), 1.0);
}

TEST_F(FewRows, MayComeInAnyOrder) {
  const auto one = make();
  add(*one, kSecond);
  const auto other = make();
  add(*other, kFirst);
  const int32_t group = 1;
  one->merge(*other, {&group, 1}, {&group, 1});
  EXPECT_EQ(result_of(*one), 1.0);
}

TEST_F(FewRows, AreAddedUpPartitionByPartition) {
  const auto sums = make();
  add(*sums, {{1e16}, 0, 0});
  add(*sums, {{1.0}, 1, 1});
  add(*sums, {{1.0}, 2, 1});
  EXPECT_EQ(result_of(*sums), 1e16 + 2.0);
  const auto in_one = make();
  add(*in_one, {{1e16}, 0, 0});
  add(*in_one, {{1.0}, 1, 0});
  add(*in_one, {{1.0}, 2, 0});
  EXPECT_EQ(result_of(*in_one), 1e16);
}

TEST_F(FewRows, AreAddedExactlyWhereTheirOrderIsNotKnown) {
  const auto sums = make();
  add(*sums, kFirst);
  add(*sums, {kSecond.values, 1, -1});
  EXPECT_EQ(result_of(*sums), 2.0);
}

TEST_F(FewRows, AreAddedExactlyBesideStatesOfOthers) {
  const auto sums = make();
  add(*sums, kFirst);
  const auto others = make();
  add(*others, kSecond);
  others->seal();
  const int32_t group = 1;
  sums->merge_states(others->states(1, 1), {&group, 1});
  EXPECT_EQ(result_of(*sums), 2.0);
}

TEST_F(FewRows, AreAddedExactlyWhenToldToForget) {
  const auto sums = make();
  add(*sums, kFirst);
  add(*sums, kSecond);
  sums->forget_order();
  EXPECT_EQ(result_of(*sums), 2.0);
}

TEST_F(FewRows, AreAddedExactlyWhereTheyAreMany) {
  const auto sums = make();
  add(*sums, kFirst);
  add(*sums, {std::vector<std::optional<double>>(HeldRows::kMostRows, 0.0), 1, 0});
  add(*sums, {{-1e16, 1.0}, 2, 0});
  EXPECT_EQ(result_of(*sums), 2.0);
}

TEST_F(FewRows, KeepMeansThatAreMergedWithNothing) {
  const auto variance_of = [](int num_rows, bool before_43) {
    Call call = call_of("var_pop", {kDouble}, kDouble);
    call.options.before_43 = before_43;
    const auto variance = call.make_of_few(context());
    variance->resize(2);
    std::vector<std::optional<double>> values;
    for (int i = 0; i < num_rows; ++i) values.emplace_back(1e6 + 1.0 / (i + 3));
    add(*variance, {values, 0, 0});
    add(*variance, {{1e6 + 0.7, 1e6 - 0.1}, 1, 1});
    return result_of(*variance);
  };
  int num_different = 0;
  for (int num_rows = 1; num_rows < 50; ++num_rows) {
    EXPECT_NEAR(variance_of(num_rows, true), variance_of(num_rows, false), 1e-6);
    num_different += variance_of(num_rows, true) != variance_of(num_rows, false) ? 1 : 0;
  }
  EXPECT_GT(num_different, 0);
}

TEST_F(FewRows, AreCountedByValueOnlyWhereTheyAreMany) {
  const ColumnPtr values = columns::test::make_flat<double>(kDouble, {0.5, 2.0}, types::PhysicalType::Float64);
  const std::array<int64_t, 2> times = {3, 1};
  const auto sums = make();
  EXPECT_FALSE(sums->update_repeated(values, times));
}

TEST(HeldRows, KeepTheGroupsThatAreAskedFor) {
  HeldRows all(1, unlimited());
  const std::vector<int32_t> groups = {1, 2, 3};
  const GroupedRows batch{groups.data(), 3, 4, 5, 0};
  ASSERT_TRUE(all.make_room(batch));
  all.begin(batch);
  for (const int32_t group : groups) {
    const double value = group * 1.5;
    all.add(group, &value);
  }
  HeldRows some(1, unlimited());
  const std::vector<int32_t> from = {3, 1};
  const std::vector<int32_t> into = {1, 2};
  some.merge(all, from, into);
  std::vector<std::pair<int32_t, double>> found;
  some.visit_in_order([&](int32_t group, int64_t, const double* values) { found.emplace_back(group, *values); });
  EXPECT_EQ(found, (std::vector<std::pair<int32_t, double>>{{1, 4.5}, {2, 1.5}}));
}

}  // namespace
}  // namespace accelerant::aggregates
