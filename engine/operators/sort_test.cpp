#include "operators/sort.h"

#include "base/error.h"
#include "operators/test_breakers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <random>

namespace accelerant::operators {
namespace {

using columns::Batch;
using columns::test::make_longs;
using columns::test::make_strings;
using test::batch_of;
using test::rows_of;
using test::run;

const execution::Cancellation kNever;

std::unique_ptr<SortSink> sorting(std::vector<plan::SortKey> keys, int64_t batch_rows = 8,
                                  const execution::Cancellation& cancellation = kNever,
                                  const std::shared_ptr<memory::Budget>& budget = columns::test::unlimited()) {
  static execution::Metrics metrics;
  auto node = std::make_shared<plan::Sort>();
  node->keys = std::move(keys);
  const execution::OperatorContext ctx{budget, &cancellation, &metrics, 3, batch_rows};
  return std::make_unique<SortSink>(node, ctx, test::spill_target(ctx));
}

/// Rows of a number and a text, sorted as plainly as can be.
struct PlainRows {
  std::vector<std::optional<int64_t>> numbers;
  std::vector<std::optional<std::string>> texts;

  /// Makes rows of a few or of many different numbers.
  PlainRows(uint32_t seed, size_t num_rows, bool few) {
    std::mt19937_64 random(seed);
    constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
    constexpr int64_t kGreatest = std::numeric_limits<int64_t>::max();
    for (size_t i = 0; i < num_rows; ++i) {
      const auto choice = random() % 20;
      const auto value = few ? static_cast<int64_t>(random() % 4) - 2 : static_cast<int64_t>(random());
      numbers.push_back(choice == 0   ? std::nullopt
                        : choice == 1 ? std::optional(kLeast)
                        : choice == 2 ? std::optional(kGreatest)
                                      : std::optional(value));
      const auto length = random() % 14;
      texts.push_back(random() % 9 == 0 ? std::nullopt
                                        : std::optional(std::string(length, 'a') + std::string(random() % 2, '\0')));
    }
  }

  template <class T>
  static int compare(const std::optional<T>& a, const std::optional<T>& b, const plan::SortKey& key) {
    if (a.has_value() != b.has_value()) return a.has_value() == key.nulls_first ? 1 : -1;
    const int order = !a || *a == *b ? 0 : (*a < *b ? -1 : 1);
    return key.ascending ? order : -order;
  }

  std::string sorted(const std::vector<plan::SortKey>& keys) const {
    std::vector<size_t> rows(numbers.size());
    std::iota(rows.begin(), rows.end(), size_t{0});
    std::ranges::stable_sort(rows, [&](size_t a, size_t b) {
      for (const plan::SortKey& key : keys) {
        const int order = key.column == 0 ? compare(numbers[a], numbers[b], key) : compare(texts[a], texts[b], key);
        if (order != 0) return order < 0;
      }
      return false;
    });
    std::string text;
    for (const size_t row : rows) text += std::to_string(row) + " ";
    return text;
  }

  /// Returns the rows with their numbers as a third column, in batches of different lengths.
  std::vector<Batch> batches(size_t rows_per_batch) const {
    std::vector<Batch> batches;
    for (size_t first = 0; first < numbers.size();) {
      const size_t end = std::min(numbers.size(), first + 1 + rows_per_batch * (1 + batches.size() % 3));
      const auto at = [](size_t row) { return static_cast<ptrdiff_t>(row); };
      Batch batch =
          batch_of(static_cast<int64_t>(batches.size()),
                   make_longs({numbers.begin() + at(first), numbers.begin() + at(end)}), static_cast<int64_t>(first));
      batch.columns.insert(batch.columns.begin() + 1,
                           make_strings({texts.begin() + at(first), texts.begin() + at(end)}));
      batches.push_back(std::move(batch));
      first = end;
    }
    return batches;
  }
};

TEST(SortSink, EqualsAPlainSortWhateverTheWorkers) {
  uint32_t seed = 0;
  for (const size_t num_rows : {0, 1, 50, 3000}) {
    for (const std::vector<int>& columns : {std::vector{0}, {1}, {0, 1}, {1, 0}}) {
      for (int round = 0; round < 8; ++round) {
        const PlainRows rows(++seed, num_rows, round % 2 == 0);
        std::vector<plan::SortKey> keys;
        for (const int column : columns) keys.push_back({column, (round & 2) == 0, (round & 4) == 0});
        const auto sink = sorting(keys);
        run(*sink, rows.batches(40), 1 + static_cast<size_t>(round % 4));
        ASSERT_EQ(rows_of(*sink, 2), rows.sorted(keys)) << num_rows << " rows, round " << round;
      }
    }
  }
}

std::string first_of(const std::string& part) { return part.substr(0, part.find(' ')); }

std::string last_of(const std::string& part) {
  const std::string trimmed = part.substr(0, part.size() - 1);
  return trimmed.substr(trimmed.rfind(' ') + 1);
}

TEST(SortSink, BeginsPartsWhereKeysChangeAndAlwaysAtTheSameRows) {
  constexpr int kParts = 7;
  for (const bool few : {true, false}) {
    const PlainRows rows(5, 2000, few);
    const std::vector<plan::SortKey> keys = {{0, true, true}};
    std::vector<std::string> of_one_worker;
    for (const size_t num_workers : {1, 3}) {
      const auto sink = sorting(keys);
      run(*sink, rows.batches(10), num_workers);
      std::string all;
      std::vector<std::string> parts;
      for (int part = 0; part < kParts; ++part) {
        all += rows_of(*sink, 2, part, kParts);
        const std::string keys_of_part = rows_of(*sink, 0, part, kParts);
        if (!keys_of_part.empty()) parts.push_back(keys_of_part);
      }
      EXPECT_EQ(all, rows.sorted(keys));
      for (size_t i = 1; i < parts.size(); ++i) EXPECT_NE(last_of(parts[i - 1]), first_of(parts[i]));
      EXPECT_GT(parts.size(), 1);
      if (num_workers == 1) of_one_worker = parts;
      EXPECT_EQ(parts, of_one_worker);
    }
  }
}

TEST(SortSink, OrdersTextsThatDifferLateOrOnlyInLength) {
  using namespace std::string_literals;
  for (const size_t shared : {0, 6, 7, 8, 13, 14, 15, 200}) {
    const std::string start(shared, 's');
    const std::vector<std::string> ends = {""s, "\0"s, "\0\0"s, "\0a"s, "a"s, "ab"s, "b"s, "ba a longer end"s, "\xff"s};
    std::vector<std::optional<std::string>> texts;
    for (size_t i = 0; i < 2 * ends.size(); ++i) texts.emplace_back(start + ends[(i * 5 + 3) % ends.size()]);
    for (const bool ascending : {true, false}) {
      const auto sink = sorting({{0, ascending, true}}, 100);
      run(*sink, {batch_of(0, make_strings(texts), 0), batch_of(1, make_strings(texts), 100)}, 2);
      std::string expected;
      for (size_t i = 0; i < ends.size(); ++i) {
        const size_t end = ascending ? i : ends.size() - 1 - i;
        for (size_t row = 0; row < 200; ++row) {
          if (row % 100 < texts.size() && *texts[row % 100] == start + ends[end]) expected += std::to_string(row) + " ";
        }
      }
      EXPECT_EQ(rows_of(*sink, 1), expected) << shared;
    }
  }
}

TEST(SortSink, MergesDecimalsOfDifferentWidths) {
  const types::DataType decimal = types::DataType::decimal(38, 0);
  const auto narrow = columns::test::make_flat<int64_t>(decimal, {5, -3}, types::PhysicalType::Int64);
  const auto wide = columns::test::make_flat<int128>(decimal, {4, int128{-1} << 100, 5}, types::PhysicalType::Int128);
  const auto sink = sorting({{0, true, true}});
  run(*sink, {batch_of(0, narrow, 0), batch_of(1, wide, 2)}, 2);
  EXPECT_EQ(rows_of(*sink, 1), "3 1 2 0 4 ");
}

TEST(SortSink, GivesBackItsMemory) {
  const auto budget = std::make_shared<memory::Budget>("test", memory::Budget::kUnlimited);
  {
    const auto sink = sorting({{1, false, true}, {0, true, true}}, 8, kNever, budget);
    run(*sink, PlainRows(1, 1000, true).batches(100), 3);
    EXPECT_GT(budget->used_bytes(), 0);
  }
  EXPECT_EQ(budget->used_bytes(), 0);
}

TEST(SortSink, StopsWhereTheQueryIsCancelled) {
  execution::Cancellation cancellation;
  const std::vector<Batch> batches = PlainRows(1, 1000, false).batches(100);
  const auto sink = sorting({{0, true, true}}, 8, cancellation);
  const auto states = std::array{sink->make_state(), sink->make_state()};
  for (size_t i = 0; i < batches.size(); ++i) {
    Batch batch = batches[i];
    sink->consume(*states[i % 2], batch);
  }
  sink->combine(*states[0]);
  cancellation.cancel();
  EXPECT_THROW(sink->combine(*states[1]), Error);
  sink->finish();
  EXPECT_THROW(rows_of(*sink, 1), Error);
}

}  // namespace
}  // namespace accelerant::operators
