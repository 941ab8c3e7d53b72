#include "operators/top_k.h"

#include "base/error.h"
#include "columns/test_columns.h"
#include "expressions/key_set.h"
#include "functions/error_codes.h"
#include "operators/sort.h"
#include "operators/test_breakers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <random>

namespace accelerant::operators {
namespace {

using columns::Batch;
using columns::test::make_longs;
using columns::test::make_strings;
using test::batch_of;
using test::rows_of;
using test::run;
using Kind = Step::Kind;

const execution::Cancellation kNever;

execution::OperatorContext context(int64_t batch_rows = 8,
                                   const std::shared_ptr<memory::Budget>& budget = columns::test::unlimited()) {
  static execution::Metrics metrics;
  return {budget, &kNever, &metrics, 3, batch_rows};
}

std::shared_ptr<plan::TopK> top_k(std::vector<plan::SortKey> keys, int64_t limit, int64_t offset = 0) {
  auto node = std::make_shared<plan::TopK>();
  node->keys = std::move(keys);
  node->limit = limit;
  node->offset = offset;
  return node;
}

TEST(TopKSink, GivesTheFirstRowsBehindAnOffset) {
  TopKSink sink(top_k({{0, true, true}}, 3, 1), context());
  run(sink, {batch_of(0, make_longs({5, 1, std::nullopt}), 0), batch_of(1, make_longs({3, 1}), 3)}, 2);
  EXPECT_EQ(rows_of(sink, 1), "1 4 3 ");
}

TEST(TopKSink, GivesFewerRowsWhereThereAreFewer) {
  TopKSink sink(top_k({{0, true, true}}, 3, 1), context());
  run(sink, {batch_of(0, make_longs({2}), 0)}, 1);
  EXPECT_EQ(rows_of(sink, 1), "");
  TopKSink other(top_k({{0, true, true}}, 30), context());
  run(other, {batch_of(0, make_longs({2, 1}), 0)}, 3);
  EXPECT_EQ(rows_of(other, 1), "1 0 ");
}

TEST(TopKSink, EqualsASortWithALimitWhateverTheWorkers) {
  std::mt19937 random(7);
  for (const bool ascending : {true, false}) {
    for (const bool nulls_first : {true, false}) {
      const std::vector<plan::SortKey> keys = {{0, ascending, nulls_first}};
      std::vector<Batch> batches;
      for (int64_t i = 0; i < 60; ++i) {
        std::vector<std::optional<int64_t>> values;
        for (int j = 0; j < 9; ++j) {
          const auto value = static_cast<int64_t>(random() % 40);
          values.push_back(value == 0 ? std::nullopt : std::optional<int64_t>(value - 20));
        }
        batches.push_back(batch_of(i, make_longs(values), i * 9));
      }
      auto sort = std::make_shared<plan::Sort>();
      sort->keys = keys;
      SortSink sorted(sort, context(), test::spill_target(context()));
      run(sorted, batches, 3);
      const std::string all = rows_of(sorted, 1);
      for (const int64_t limit : {1, 7, 30, 539, 600}) {
        TopKSink sink(top_k(keys, limit), context());
        run(sink, batches, 4);
        const std::string rows = rows_of(sink, 1);
        EXPECT_EQ(rows, all.substr(0, rows.size()));
        EXPECT_EQ(std::count(rows.begin(), rows.end(), ' '), std::min<int64_t>(limit, 540));
      }
    }
  }
}

/// A few values of a key, nulls and the least and the greatest of them among them.
columns::ColumnPtr random_longs(std::mt19937& random, size_t num_rows) {
  constexpr std::array<std::optional<int64_t>, 6> kValues = {
      std::nullopt, std::numeric_limits<int64_t>::min(), std::numeric_limits<int64_t>::max(), 0, -7, 3};
  std::vector<std::optional<int64_t>> values;
  for (size_t i = 0; i < num_rows; ++i) values.push_back(kValues[random() % kValues.size()]);
  return make_longs(values);
}

columns::ColumnPtr random_strings(std::mt19937& random, size_t num_rows) {
  std::vector<std::optional<std::string>> values;
  for (size_t i = 0; i < num_rows; ++i) {
    const auto value = random() % 8;
    values.push_back(value == 0 ? std::nullopt : std::optional("long prefix" + std::string(value / 4, 'x')));
  }
  return make_strings(values);
}

TEST(TopKSink, EqualsASortByKeysThatTieInTheFirstOnes) {
  std::mt19937 random(11);
  for (int round = 0; round < 40; ++round) {
    std::vector<Batch> batches;
    for (int64_t i = 0; i < 30; ++i) {
      const size_t num_rows = 1 + random() % 20;
      Batch batch = batch_of(i, random_longs(random, num_rows), i * 20);
      batch.columns.push_back(random_longs(random, num_rows));
      batch.columns.push_back(random_strings(random, num_rows));
      batches.push_back(std::move(batch));
    }
    std::vector<plan::SortKey> keys = {{0, true, true}, {2, true, true}, {3, true, true}};
    std::shuffle(keys.begin(), keys.end(), random);
    for (plan::SortKey& key : keys) key = {key.column, random() % 2 == 0, random() % 2 == 0};
    auto sort = std::make_shared<plan::Sort>();
    sort->keys = keys;
    SortSink sorted(sort, context(), test::spill_target(context()));
    run(sorted, batches, 3);
    const std::string all = rows_of(sorted, 1);
    for (const int64_t limit : {1, 5, 40, 200}) {
      TopKSink sink(top_k(keys, limit), context());
      run(sink, batches, 3);
      const std::string rows = rows_of(sink, 1);
      ASSERT_EQ(rows, all.substr(0, rows.size()));
    }
  }
}

TEST(TopKSink, DropsLateRowsByLaterKeysWhereTheFirstOnesTie) {
  TopKThreshold threshold({{0, false, true}, {1, true, true}});
  EXPECT_FALSE(threshold.is_known());
  threshold.note({make_longs({2, 1, 1}), make_longs({9, 4, 5})}, columns::test::unlimited());
  EXPECT_TRUE(threshold.is_known());
  threshold.note({make_longs({1, 1}), make_longs({6, 6})}, columns::test::unlimited());
  Batch batch;
  batch.num_rows = 5;
  batch.columns = {make_longs({1, 1, 3, 0, 1}), make_longs({6, 5, 7, 1, 4})};
  threshold.drop_later_rows(batch, columns::test::unlimited());
  EXPECT_EQ(*batch.selection, (std::vector<int32_t>{1, 2, 4}));
}

TEST(TopKSink, BoundsItsFirstKeyByTheRowsThatItHas) {
  TopKSink sink(top_k({{0, false, false}}, 2), context());
  const auto bound = sink.first_key_bound();
  EXPECT_TRUE(bound->may_meet(-5, -4));
  Batch batch = batch_of(0, make_longs({1, 2, 3}), 0);
  sink.consume(*sink.make_state(), batch);
  EXPECT_FALSE(bound->may_meet(-5, 1));
  EXPECT_TRUE(bound->may_meet(-5, 2));
  EXPECT_FALSE(bound->has_nulls());
}

TEST(TopKSink, TellsStringsApartBehindTheirPrefix) {
  TopKSink sink(top_k({{0, false, true}}, 2), context(2));
  const auto same = [](const char* end) { return std::string("the same start, ") + end; };
  run(sink,
      {batch_of(0, make_strings({same("a"), same("d"), same("b")}), 0),
       batch_of(1, make_strings({same("c"), same("e"), "x"}), 3)},
      1);
  EXPECT_EQ(rows_of(sink, 1), "5 4 ");
}

TEST(TopKSink, DropsLateStringsThatBeginAlike) {
  const auto same = [](const std::string& end) { return "the same start of all, " + end; };
  for (const bool ascending : {true, false}) {
    TopKThreshold threshold({{0, ascending, true}, {1, true, true}});
    threshold.note({make_strings({same("k"), same("m")}), make_longs({1, 2})}, columns::test::unlimited());
    Batch batch;
    batch.num_rows = 7;
    batch.columns = {make_strings({same("m"), same("ma"), same("lzz"), same("m"), same(""), "the same", std::nullopt}),
                     make_longs({2, 2, 9, 3, 2, 2, 2})};
    threshold.drop_later_rows(batch, columns::test::unlimited());
    // Descending, the last of the two is the one that ends in k.
    EXPECT_EQ(*batch.selection,
              (ascending ? std::vector<int32_t>{0, 2, 4, 5, 6} : std::vector<int32_t>{0, 1, 2, 3, 6}));
  }
}

TEST(TopKSink, KeepsStringsThatBeginAlikeForLong) {
  const std::string same(10'000, 'a');
  TopKThreshold threshold({{0, true, true}});
  threshold.note({make_strings({same + "b"})}, columns::test::unlimited());
  Batch batch;
  batch.num_rows = 3;
  batch.columns = {make_strings({same + "c", "b", same + "a"})};
  threshold.drop_later_rows(batch, columns::test::unlimited());
  EXPECT_EQ(*batch.selection, (std::vector<int32_t>{0, 2}));
}

TEST(TopKSink, FollowsRowsThatComeInDescendingOrder) {
  TopKSink sink(top_k({{0, true, true}}, 10), context(16384));
  const auto state = sink.make_state();
  for (int64_t i = 0; i < 4; ++i) {
    std::vector<std::optional<int64_t>> values;
    for (int64_t j = 0; j < 2000; ++j) values.push_back(-(i * 2000 + j));
    Batch batch = batch_of(i, make_longs(values), i * 2000);
    EXPECT_TRUE(sink.first_key_bound()->may_meet(-(i * 2000), -(i * 2000)));
    ASSERT_EQ(sink.consume(*state, batch).kind, Kind::NeedsInput);
    EXPECT_FALSE(sink.first_key_bound()->may_meet(-(i * 2000), 0));
  }
}

TEST(TopKSink, HoldsFewRows) {
  const auto budget = std::make_shared<memory::Budget>("test", memory::Budget::kUnlimited);
  {
    TopKSink sink(top_k({{0, true, true}}, 10), context(100, budget));
    std::vector<Batch> batches;
    for (int64_t i = 0; i < 1000; ++i) {
      std::vector<std::optional<int64_t>> values;
      for (int64_t j = 0; j < 100; ++j) values.push_back(-(i * 100 + j));
      batches.push_back(batch_of(i, make_longs(values), i * 100));
    }
    run(sink, batches, 2);
    EXPECT_EQ(rows_of(sink, 0), "-99999 -99998 -99997 -99996 -99995 -99994 -99993 -99992 -99991 -99990 ");
    EXPECT_LT(budget->peak_bytes(), 100 << 10);
  }
  EXPECT_EQ(budget->used_bytes(), 0);
}

TEST(TopKSink, HoldsWholeRowsWhereMemoryRunsOutForOneOfItsWorkers) {
  const auto budget = std::make_shared<memory::Budget>("test", memory::Budget::kUnlimited);
  TopKSink sink(top_k({{0, true, true}}, 2), context(2, budget));
  std::vector<std::unique_ptr<State>> states;
  for (int64_t i = 0; i < 6; ++i) {
    states.push_back(sink.make_state());
    Batch batch = batch_of(i, make_longs({i, -i}), 2 * i);
    sink.consume(*states.back(), batch);
  }
  budget->set_limit_bytes(budget->used_bytes());
  int failed = 0;
  for (const auto& state : states) {
    try {
      sink.combine(*state);
    } catch (const Error&) {
      ++failed;
    }
  }
  EXPECT_GT(failed, 0);
  budget->set_limit_bytes(memory::Budget::kUnlimited);
  for (const auto& state : states) sink.combine(*state);
  sink.finish();
  EXPECT_EQ(rows_of(sink, 1), "11 9 ");
}

TEST(TopKSink, RaisesErrorsOfAllRows) {
  TopKSink sink(top_k({{0, true, true}}, 1), context());
  const auto state = sink.make_state();
  Batch batch = batch_of(0, make_longs({1, 2}), 0);
  batch.errors.push_back({1, functions::kDivideByZero, 3, 5, nullptr});
  EXPECT_THROW(sink.consume(*state, batch), Error);
}

}  // namespace
}  // namespace accelerant::operators
