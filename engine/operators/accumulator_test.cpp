#include "aggregates/registry.h"
#include "base/error.h"
#include "columns/gather.h"
#include "columns/test_columns.h"
#include "operators/call_accumulator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>
#include <string_view>
#include <tuple>
#include <utility>

namespace accelerant::operators {
namespace {

using aggregates::Accumulator;
using aggregates::Call;
using aggregates::call_of;
using columns::ColumnPtr;
using columns::test::make_flat;
using columns::test::make_longs;
using columns::test::make_strings;
using columns::test::show;
using columns::test::unlimited;
using types::DataType;
using types::PhysicalType;
using types::TypeId;

const DataType kLong(TypeId::Long);
const DataType kDouble(TypeId::Double);
const DataType kString(TypeId::String);
const DataType kDecimal = DataType::decimal(30, 2);
const DataType kLongs = DataType::array(kLong, false);

execution::OperatorContext context() { return {unlimited(), nullptr, nullptr, 5, 4}; }

/// Rows of all types the tests use, in groups 1 to 3; some rows are nobody's.
class Rows {
 public:
  explicit Rows(int num_rows) {
    std::mt19937 random(11);
    std::vector<std::optional<int64_t>> longs;
    std::vector<std::optional<double>> doubles;
    std::vector<std::optional<std::string>> texts;
    for (int i = 0; i < num_rows; ++i) {
      const int64_t value = static_cast<int64_t>(random() % 9) - 3;
      const bool null = random() % 5 == 0;
      longs.push_back(null ? std::nullopt : std::optional(value));
      doubles.push_back(null ? std::nullopt : std::optional(static_cast<double>(value) / 7 + 1e6));
      texts.push_back(null ? std::nullopt : std::optional("a text that is long enough " + std::to_string(value)));
      groups_.push_back(static_cast<int32_t>(random() % 4));
    }
    longs_ = make_longs(longs);
    doubles_ = make_flat<double>(kDouble, doubles, PhysicalType::Float64);
    texts_ = make_strings(texts);
    decimals_ = make_flat<int64_t>(kDecimal, longs, PhysicalType::Int64);
  }

  int64_t size() const { return longs_->length(); }
  const std::vector<int32_t>& groups() const { return groups_; }

  ColumnPtr column(const DataType& type) const {
    if (type == kLong) return longs_;
    if (type == kDouble) return doubles_;
    return type == kString ? texts_ : decimals_;
  }

 private:
  std::vector<int32_t> groups_;
  ColumnPtr longs_;
  ColumnPtr doubles_;
  ColumnPtr texts_;
  ColumnPtr decimals_;
};

constexpr int64_t kGroups = 4;

void update(Accumulator& accumulator, const Call& call, const Rows& rows, int64_t first, int64_t length) {
  std::vector<ColumnPtr> arguments;
  for (const DataType& type : call.argument_types) {
    const ColumnPtr slice = rows.column(type)->slice(first, length);
    std::vector<ColumnPtr> parts{slice};
    arguments.push_back(columns::concatenate(parts, unlimited()));
  }
  accumulator.resize(kGroups);
  accumulator.update({rows.groups().data() + first, length, kGroups, first}, arguments);
}

std::vector<std::string> results(Accumulator& accumulator) {
  accumulator.seal();
  std::vector<columns::RowError> errors;
  std::vector<std::string> shown = show(*accumulator.finish(1, kGroups - 1, errors));
  EXPECT_TRUE(errors.empty());
  return shown;
}

/// Aggregates batches of 7 rows that `workers` accumulators share, and merges these in some order.
std::vector<std::string> aggregate(const Call& call, const Rows& rows, unsigned seed, size_t workers) {
  std::mt19937 random(seed);
  std::vector<std::unique_ptr<Accumulator>> parts;
  for (size_t i = 0; i < workers; ++i) parts.push_back(make_call_accumulator(call, context()));
  for (auto& part : parts) part->resize(kGroups);
  for (int64_t first = 0; first < rows.size(); first += 7) {
    update(*parts[random() % workers], call, rows, first, std::min<int64_t>(7, rows.size() - first));
  }
  std::shuffle(parts.begin(), parts.end(), random);
  const auto all = make_call_accumulator(call, context());
  all->resize(kGroups);
  const std::vector<int32_t> groups{1, 2, 3};
  for (const auto& part : parts) all->merge(*part, groups, groups);
  return results(*all);
}

std::vector<Call> calls() {
  const DataType sum = DataType::decimal(38, 2);
  std::vector<Call> calls = {
      call_of("count", {}, kLong),
      call_of("count", {kLong, kString}, kLong),
      call_of("sum", {kLong}, kLong),
      call_of("sum", {kDouble}, kDouble),
      call_of("avg", {kDecimal}, DataType::decimal(34, 6)),
      call_of("sum", {kDecimal}, sum),
      call_of("var_pop", {kDouble}, kDouble),
      call_of("stddev_samp", {kDouble}, kDouble),
      call_of("covar_samp", {kDouble, kDouble}, kDouble),
      call_of("corr", {kDouble, kDouble}, kDouble),
      call_of("bit_and", {kLong}, kLong),
      call_of("bit_or", {kLong}, kLong),
      call_of("bit_xor", {kLong}, kLong),
      call_of("collect_list", {kLong}, kLongs),
  };
  for (const DataType& type : {kLong, kDouble, kString, kDecimal}) {
    for (const auto* name : {"min", "max", "first", "last"}) calls.push_back(call_of(name, {type}, type));
    calls.push_back(call_of("max_by", {kString, type}, kString));
    calls.push_back(call_of("min_by", {type, kLong}, type));
  }
  return calls;
}

TEST(Accumulator, GivesTheSameBitsForAnyWorkersAndMerges) {
  const Rows rows(400);
  for (Call call : calls()) {
    for (const bool flag : {true, false}) {
      call.options.ignores_nulls = flag;
      const auto expected = aggregate(call, rows, 1, 1);
      for (unsigned seed = 2; seed < 12; ++seed)
        ASSERT_EQ(aggregate(call, rows, seed, 3), expected) << call.name() << " " << seed;
    }
  }
}

TEST(Accumulator, CountsDistinctArgumentsOnce) {
  const Rows rows(400);
  for (Call call :
       {call_of("count", {kLong}, kLong), call_of("count", {kDouble}, kLong), call_of("count", {kDecimal}, kLong),
        call_of("count", {kLong, kString}, kLong), call_of("sum", {kLong}, kLong), call_of("sum", {kDouble}, kDouble),
        call_of("max", {kString}, kString)}) {
    call.distinct = true;
    const auto expected = aggregate(call, rows, 1, 1);
    // Nine values from -3 to 5.
    if (call.result_type == kLong) {
      EXPECT_EQ(expected, (std::vector<std::string>{"9", "9", "9"}));
    }
    for (unsigned seed = 2; seed < 12; ++seed) ASSERT_EQ(aggregate(call, rows, seed, 3), expected) << seed;
  }
}

TEST(Accumulator, CountsDistinctValuesOfRearrangedGroups) {
  Call call = call_of("count", {kLong}, kLong);
  call.distinct = true;
  const auto one = make_call_accumulator(call, context());
  one->resize(5);
  const std::vector<int32_t> groups = {1, 2, 3, 0, 4, 1, 1, 3};
  const std::vector<ColumnPtr> arguments{make_longs({7, 7, 8, 1, 9, 7, 6, std::nullopt})};
  one->update({groups.data(), 8, 5}, arguments);
  const std::vector<int32_t> from = {3, 1, 2};
  const auto rearranged = one->rearranged(from, context());
  ASSERT_NE(rearranged, nullptr);
  const auto all = make_call_accumulator(call, context());
  all->resize(3);
  all->merge(*rearranged, std::vector<int32_t>{2, 1}, std::vector<int32_t>{1, 2});
  all->merge(*rearranged, std::vector<int32_t>{3}, std::vector<int32_t>{2});
  all->merge(*one, std::vector<int32_t>{1, 4}, std::vector<int32_t>{1, 1});
  all->seal();
  std::vector<columns::RowError> errors;
  EXPECT_EQ(show(*all->finish(1, 2, errors)), (std::vector<std::string>{"3", "2"}));
}

TEST(Accumulator, CountsOneZeroAndOneNan) {
  Call call = call_of("count", {kDouble}, kLong);
  call.distinct = true;
  const auto accumulator = make_call_accumulator(call, context());
  accumulator->resize(2);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<ColumnPtr> arguments{
      make_flat<double>(kDouble, {0.0, -0.0, nan, -nan, 1.0}, PhysicalType::Float64)};
  accumulator->update({nullptr, 5, 2}, arguments);
  std::vector<columns::RowError> errors;
  EXPECT_EQ(show(*accumulator->finish(1, 1, errors), 0), "3");
}

TEST(Accumulator, CollectsEachValueOnceInASet) {
  const Rows rows(400);
  Call call = call_of("collect_set", {kLong}, kLongs);
  call.distinct = true;
  for (const std::string& set : aggregate(call, rows, 3, 3)) EXPECT_EQ(std::count(set.begin(), set.end(), ','), 8);
}

TEST(Accumulator, KeepsOrDropsNulls) {
  const std::vector<ColumnPtr> arguments{make_longs({std::nullopt, 4, std::nullopt})};
  const auto result = [&](std::string_view name, const DataType& type, bool ignores_nulls) {
    Call call = call_of(name, {kLong}, type);
    call.options.ignores_nulls = ignores_nulls;
    const auto accumulator = make_call_accumulator(call, context());
    accumulator->resize(2);
    accumulator->update({nullptr, 3, 2}, arguments);
    accumulator->seal();
    std::vector<columns::RowError> errors;
    return show(*accumulator->finish(1, 1, errors), 0);
  };
  EXPECT_EQ(result("first", kLong, true), "4");
  EXPECT_EQ(result("first", kLong, false), "null");
  EXPECT_EQ(result("last", kLong, true), "4");
  EXPECT_EQ(result("last", kLong, false), "null");
  EXPECT_EQ(result("collect_list", kLongs, true), "[4]");
  EXPECT_EQ(result("collect_list", kLongs, false), "[null,4,null]");
}

TEST(Accumulator, SumsRepeatedValues) {
  const auto sum = make_call_accumulator(call_of("sum", {kLong}, kLong), context());
  sum->resize(2);
  const std::vector<int64_t> times = {3, 0, 2, 1};
  ASSERT_TRUE(sum->update_repeated(make_longs({-7, INT64_MAX, std::nullopt, 1}), times));
  ASSERT_TRUE(sum->update_repeated(make_longs({INT64_MAX, INT64_MIN, 20, 0}), std::vector<int64_t>{2, 2, 1, 1}));
  std::vector<columns::RowError> errors;
  EXPECT_EQ(show(*sum->finish(1, 1, errors), 0), "-2");
  const auto extreme = make_call_accumulator(call_of("max", {kLong}, kLong), context());
  extreme->resize(2);
  ASSERT_TRUE(extreme->update_repeated(make_longs({-7, 18, 9, 1}), times));
  EXPECT_EQ(show(*extreme->finish(1, 1, errors), 0), "9");
  const auto list = make_call_accumulator(call_of("collect_list", {kLong}, kLongs), context());
  EXPECT_FALSE(list->update_repeated(make_longs({-7, 18, 9, 1}), times));
}

TEST(Accumulator, FindsTheExtremesOfAllRows) {
  for (const auto& [longs, least, greatest] :
       {std::tuple{make_longs({4, -9, 7, 7}), "-9", "7"}, std::tuple{make_longs({4, std::nullopt, 5}), "4", "5"},
        std::tuple{make_longs({INT64_MAX, INT64_MIN}), "-9223372036854775808", "9223372036854775807"}}) {
    for (const std::string_view name : {"min", "max"}) {
      const auto accumulator = make_call_accumulator(call_of(name, {kLong}, kLong), context());
      accumulator->resize(2);
      const std::vector<ColumnPtr> arguments{longs};
      accumulator->update({nullptr, longs->length(), 2}, arguments);
      const std::vector<ColumnPtr> none{make_longs({})};
      accumulator->update({nullptr, 0, 2}, none);
      std::vector<columns::RowError> errors;
      EXPECT_EQ(show(*accumulator->finish(1, 1, errors), 0), name == "min" ? least : greatest);
    }
  }
}

TEST(Accumulator, TakesTheLastOfEqualExtremes) {
  const std::vector<ColumnPtr> arguments{make_strings({"a", "b", "c", "d"}), make_longs({5, 7, 7, std::nullopt})};
  const auto accumulator = make_call_accumulator(call_of("max_by", {kString, kLong}, kString), context());
  accumulator->resize(2);
  accumulator->update({nullptr, 4, 2}, arguments);
  std::vector<columns::RowError> errors;
  EXPECT_EQ(show(*accumulator->finish(1, 1, errors), 0), "c");
}

TEST(Accumulator, GivesNothingOfNoRows) {
  for (const Call& call : calls()) {
    const auto accumulator = make_call_accumulator(call, context());
    accumulator->resize(kGroups);
    for (const std::string& shown : results(*accumulator)) {
      EXPECT_EQ(shown, call.name() == "count" ? "0" : call.name() == "collect_list" ? "[]" : "null");
    }
  }
}

}  // namespace
}  // namespace accelerant::operators
