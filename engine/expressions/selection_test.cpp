#include "expressions/selection.h"

#include "base/bits.h"
#include "expressions/example_values.h"

#include <gtest/gtest.h>

#include <random>

namespace accelerant::expressions {
namespace {

using columns::Column;
using columns::ColumnPtr;

/// Random booleans, true with a chance of `percent`, null with one of ten if asked for.
std::vector<std::string> random_texts(size_t n, unsigned percent, bool nulls, std::mt19937& engine) {
  std::vector<std::string> texts;
  for (size_t i = 0; i < n; ++i) {
    texts.push_back(nulls && engine() % 10 == 0 ? "null" : engine() % 100 < percent ? "true" : "false");
  }
  return texts;
}

std::vector<int32_t> rows_of(const RowSet& set) {
  if (!set.all()) return set.rows();
  std::vector<int32_t> rows;
  for (int32_t row = 0; row < set.num_rows(); ++row) rows.push_back(row);
  return rows;
}

TEST(RowSet, KeepsTrueRows) {
  std::mt19937 engine(3);
  BufferPool pool(memory::process_budget());
  for (const size_t n : {0, 1, 7, 8, 9, 64, 100, 1000}) {
    for (const unsigned percent : {0, 2, 50, 98, 100}) {
      for (const bool nulls : {false, true}) {
        const auto first = random_texts(n, percent, nulls, engine);
        const auto second = random_texts(n, 70, nulls, engine);
        RowSet set(static_cast<int64_t>(n), nullptr);
        set.keep_true(*parse_column("boolean", first), pool);
        set.keep_true(*parse_column("boolean", second), pool);
        std::vector<int32_t> expected;
        for (size_t row = 0; row < n; ++row) {
          if (first[row] == "true" && second[row] == "true") expected.push_back(static_cast<int32_t>(row));
        }
        ASSERT_EQ(rows_of(set), expected) << n << " rows, " << percent << " %";
        ASSERT_EQ(set.count(), static_cast<int64_t>(expected.size()));
      }
    }
  }
}

TEST(RowSet, KeepsRowsWhoseBitIsSet) {
  std::mt19937 engine(5);
  for (const int64_t n : {0, 1, 7, 8, 9, 63, 64, 65, 100, 1000}) {
    for (const unsigned percent : {0, 2, 50, 98, 100}) {
      for (const int64_t offset : {0, 3, 8, 13}) {
        std::vector<uint8_t> bits(static_cast<size_t>(bits::bytes_for(n + offset)) + 1, 0xff);
        std::vector<int32_t> all, odd;
        for (int64_t row = 0; row < n; ++row) {
          const bool is_set = engine() % 100 < percent;
          bits::assign(bits.data(), offset + row, is_set);
          if (is_set) all.push_back(static_cast<int32_t>(row));
          if (is_set && row % 2 == 1) odd.push_back(static_cast<int32_t>(row));
        }
        RowSet set(n, nullptr);
        set.keep_set(bits.data(), offset);
        ASSERT_EQ(rows_of(set), all) << n << " rows from " << offset << ", " << percent << " %";
        std::vector<int32_t> rows;
        for (int32_t row = 1; row < n; row += 2) rows.push_back(row);
        RowSet listed(n, std::make_shared<const std::vector<int32_t>>(std::move(rows)));
        listed.keep_set(bits.data(), offset);
        ASSERT_EQ(rows_of(listed), odd);
      }
    }
  }
}

TEST(RowSet, LooksDictionariesUp) {
  BufferPool pool(memory::process_budget());
  auto codes = memory::Buffer::allocate(4 * 30, memory::process_budget());
  for (int i = 0; i < 30; ++i) codes->mutable_as<int32_t>()[i] = i % 3;
  const ColumnPtr condition =
      Column::dictionary(parse_column("boolean", {"true", "false", "null"}), codes, 30)->slice(2, 28);
  RowSet set(28, nullptr);
  set.keep_true(*condition, pool);
  EXPECT_EQ(rows_of(set), (std::vector<int32_t>{1, 4, 7, 10, 13, 16, 19, 22, 25}));
}

TEST(RowSet, ConstantsKeepAllOrNothing) {
  BufferPool pool(memory::process_budget());
  RowSet set(5, nullptr);
  set.keep_true(*Column::constant(parse_example("true boolean"), 5), pool);
  EXPECT_TRUE(set.all());
  set.keep_true(*Column::constant(parse_example("null boolean"), 5), pool);
  EXPECT_EQ(set.count(), 0);
}

TEST(RowSet, RemovesRows) {
  RowSet set(5, nullptr);
  set.remove({1, 4});
  EXPECT_EQ(rows_of(set), (std::vector<int32_t>{0, 2, 3}));
  set.remove({2, 4});
  EXPECT_EQ(rows_of(set), (std::vector<int32_t>{0, 3}));
  EXPECT_TRUE(set.contains(3));
  EXPECT_FALSE(set.contains(2));
}

}  // namespace
}  // namespace accelerant::expressions
