#include "columns/gather.h"

#include "columns/batch.h"
#include "columns/test_columns.h"
#include "types/integers.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace accelerant::columns {
namespace {

using test::samples;
using test::show;
using test::unlimited;
using types::PhysicalType;

constexpr int kRows = 33;

std::vector<std::string> pick(const std::vector<std::string>& all, const std::vector<int32_t>& rows) {
  std::vector<std::string> picked;
  for (int32_t row : rows) picked.push_back(row < 0 ? "null" : all[static_cast<size_t>(row)]);
  return picked;
}

/// Returns every heap buffer that `column` can reach.
std::vector<const memory::Buffer*> heaps(const Column& column) {
  std::vector<const memory::Buffer*> all;
  for (const auto& buffer : column.heap()) all.push_back(buffer.get());
  for (const auto& child : column.parts().children) {
    const auto more = heaps(*child);
    all.insert(all.end(), more.begin(), more.end());
  }
  return all;
}

TEST(Gather, TakesRowsInOrder) {
  const std::vector<int32_t> rows = {32, 0, 0, 5, 17, 31, 16, 1, 2, 3, 4, 30};
  for (const auto& sample : samples(kRows)) {
    SCOPED_TRACE(sample.name);
    EXPECT_EQ(show(*gather(*sample.column, rows, unlimited())), pick(show(*sample.column), rows));
    EXPECT_EQ(gather(*sample.column, {}, unlimited())->length(), 0);
  }
}

TEST(Gather, GivesNullForMissingRows) {
  const std::vector<int32_t> rows = {32, -1, 0, 5, -1, -1, 16, 1, -1};
  for (const auto& sample : samples(kRows)) {
    SCOPED_TRACE(sample.name);
    EXPECT_EQ(show(*gather_or_null(*sample.column, rows, unlimited())), pick(show(*sample.column), rows));
  }
  const std::vector<int32_t> misses = {-1, -1};
  for (const auto& sample : samples(kRows)) {
    SCOPED_TRACE(sample.name);
    const ColumnPtr none = sample.column->slice(0, 0);
    EXPECT_EQ(show(*gather_or_null(*none, misses, unlimited())), (std::vector<std::string>{"null", "null"}));
  }
}

TEST(Gather, KeepsDictionariesAndHeaps) {
  const std::vector<int32_t> rows = {1, 2};
  const ColumnPtr words = test::make_strings({"a long string to keep", "another one, long too", "short"});
  const ColumnPtr column = test::make_dictionary(words, {0, 1, 2});
  EXPECT_EQ(gather(*column, rows, unlimited())->child_values(), words);
  EXPECT_EQ(gather(*words, rows, unlimited())->heap(), words->heap());
}

TEST(Flatten, GivesFlatColumnsAtTheStart) {
  for (const auto& sample : samples(kRows)) {
    SCOPED_TRACE(sample.name);
    const ColumnPtr flat = flatten(sample.column, unlimited());
    EXPECT_TRUE(flat->is_flat());
    EXPECT_EQ(flat->offset(), 0);
    EXPECT_EQ(show(*flat), show(*sample.column));
    EXPECT_EQ(flatten(flat, unlimited()), flat);
  }
}

TEST(CopyCompact, OwnsItsBytes) {
  for (const auto& sample : samples(kRows)) {
    SCOPED_TRACE(sample.name);
    const ColumnPtr copy = copy_compact(*sample.column, unlimited());
    EXPECT_TRUE(copy->is_flat());
    EXPECT_EQ(copy->offset(), 0);
    EXPECT_EQ(show(*copy), show(*sample.column));
    for (const auto* buffer : heaps(*copy)) {
      for (const auto* other : heaps(*sample.column)) EXPECT_NE(buffer, other);
    }
  }
}

TEST(CopyCompact, CopiesADictionaryOnceEach) {
  const std::string word = "a string longer than a view";
  const ColumnPtr column = test::make_dictionary(test::make_strings({word, "x"}), {0, 0, 0, 1, 0});
  const ColumnPtr copy = copy_compact(*column, unlimited());
  ASSERT_EQ(copy->heap().size(), 1u);
  EXPECT_EQ(copy->heap()[0]->size_bytes(), static_cast<int64_t>(word.size()));
}

TEST(ConcatenatedBytes, AreThoseOfStringsThatAreNoLongerShared) {
  const std::string word = "a string longer than a view";
  const ColumnPtr words = test::make_strings({word, "x", std::nullopt});
  const ColumnPtr shared = gather(*words, std::vector<int32_t>{0, 1, 0, 0, 2}, unlimited());
  EXPECT_EQ(concatenated_bytes(*shared), 5 * 16 + 3 * static_cast<int64_t>(word.size()));
  const ColumnPtr dictionary = test::make_dictionary(words, {0, 0, 1, 0, 0});
  EXPECT_EQ(concatenated_bytes(*dictionary), 5 * 16 + static_cast<int64_t>(word.size()));
  EXPECT_EQ(concatenated_bytes(*test::make_longs({1, std::nullopt, 3})), 3 * 8);
}

TEST(Concatenate, JoinsColumnsOfAllEncodings) {
  std::vector<std::vector<ColumnPtr>> by_type;
  for (const auto& sample : samples(kRows)) {
    auto same = std::find_if(by_type.begin(), by_type.end(),
                             [&](const auto& group) { return group[0]->type() == sample.column->type(); });
    if (same == by_type.end()) same = by_type.insert(by_type.end(), std::vector<ColumnPtr>());
    same->push_back(sample.column);
    same->push_back(sample.column->slice(1, 0));
  }
  for (const auto& group : by_type) {
    SCOPED_TRACE(group[0]->type().to_string());
    std::vector<std::string> expected;
    for (const auto& part : group) {
      const auto rows = show(*part);
      expected.insert(expected.end(), rows.begin(), rows.end());
    }
    EXPECT_EQ(show(*concatenate(group, unlimited())), expected);
  }
}

TEST(GatherAll, TakesRowsOfColumnsOfAllEncodings) {
  const std::vector<int32_t> backwards = {3, 1, 0};
  const std::vector<int32_t> twice = {2, 2};
  for (const auto& sample : samples(kRows)) {
    SCOPED_TRACE(sample.name);
    const ColumnPtr slice = sample.column->slice(1, 3);
    const ColumnPtr wide = widen_decimal(sample.column, unlimited());
    const std::vector<RowsOfColumn> parts = {
        {sample.column.get(), backwards}, {slice.get(), {}}, {slice.get(), twice}, {wide.get(), backwards}};
    std::vector<std::string> expected;
    for (const auto& [column, rows] : parts) {
      for (const int32_t row : rows) expected.push_back(show(*column)[static_cast<size_t>(row)]);
    }
    EXPECT_EQ(show(*gather_all(parts, unlimited())), expected);
    EXPECT_EQ(show(*gather_all({parts.data(), 1}, unlimited())), show(*gather(*sample.column, backwards, unlimited())));
  }
}

TEST(WidenDecimal, KeepsValuesAndEncoding) {
  for (const auto& sample : samples(kRows)) {
    SCOPED_TRACE(sample.name);
    const ColumnPtr wide = widen_decimal(sample.column, unlimited());
    EXPECT_EQ(show(*wide), show(*sample.column));
    EXPECT_EQ(wide->encoding(), sample.column->encoding());
    if (sample.column->type().is_decimal()) {
      EXPECT_EQ(wide->physical(), PhysicalType::Int128);
    } else {
      EXPECT_EQ(wide, sample.column);
    }
  }
}

TEST(Budget, IsChargedAndGivenBack) {
  const auto budget = std::make_shared<memory::Budget>("operator", int64_t{1} << 20);
  {
    const ColumnPtr column = test::make_longs({1, 2, std::nullopt});
    const ColumnPtr copy = copy_compact(*column, budget);
    EXPECT_GT(budget->used_bytes(), 0);
  }
  EXPECT_EQ(budget->used_bytes(), 0);
}

TEST(CompactBatch, GathersSelectedRowsAndRenumbersErrors) {
  Batch batch;
  batch.num_rows = 6;
  batch.columns = {test::make_longs({0, 1, 2, 3, 4, 5}), nullptr};
  batch.selection = std::make_shared<std::vector<int32_t>>(std::vector<int32_t>{0, 2, 5});
  batch.errors = {{1, 1, 0, 0, nullptr}, {3, 1, 0, 0, nullptr}, {4, 1, 0, 0, nullptr}};
  batch.morsel = 7;
  batch.ends_morsel = true;
  const Batch out = compact(batch, unlimited());
  EXPECT_EQ(out.num_rows, 3);
  EXPECT_EQ(out.selection, nullptr);
  EXPECT_EQ(show(*out.columns[0]), (std::vector<std::string>{"0", "2", "5"}));
  EXPECT_EQ(out.columns[1], nullptr);
  ASSERT_EQ(out.errors.size(), 3u);
  EXPECT_EQ(out.errors[0].row, 1);
  EXPECT_EQ(out.errors[1].row, 2);
  EXPECT_EQ(out.errors[2].row, 2);
  EXPECT_EQ(out.morsel, 7);
  EXPECT_TRUE(out.ends_morsel);
}

}  // namespace
}  // namespace accelerant::columns
