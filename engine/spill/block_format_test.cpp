#include "spill/block_format.h"

#include "columns/test_columns.h"

#include <gtest/gtest.h>

#include <string>

namespace accelerant::spill {
namespace {

using columns::ColumnPtr;
using columns::test::Sample;
using columns::test::unlimited;

std::vector<types::DataType> types_of(const std::vector<ColumnPtr>& columns) {
  std::vector<types::DataType> types;
  for (const ColumnPtr& column : columns) types.push_back(column->type());
  return types;
}

std::vector<ColumnPtr> round_trip(const std::vector<ColumnPtr>& columns) {
  return decode_columns(encode_columns(columns, unlimited()).block, types_of(columns));
}

TEST(BlockFormat, KeepsColumnsOfEveryTypeAndEncoding) {
  for (const int num_rows : {1, 7, 64, 1000}) {
    std::vector<ColumnPtr> all;
    const std::vector<Sample> samples = columns::test::samples(num_rows);
    for (const Sample& sample : samples) all.push_back(sample.column);
    const std::vector<ColumnPtr> decoded = round_trip(all);
    ASSERT_EQ(decoded.size(), all.size());
    for (size_t i = 0; i < all.size(); ++i) {
      EXPECT_EQ(columns::test::show(*decoded[i]), columns::test::show(*all[i])) << samples[i].name;
      EXPECT_EQ(decoded[i]->encoding(), all[i]->encoding()) << samples[i].name;
      EXPECT_EQ(decoded[i]->physical(), all[i]->physical()) << samples[i].name;
    }
  }
}

TEST(BlockFormat, KeepsSlicesThatBeginAnywhere) {
  for (const Sample& sample : columns::test::samples(100)) {
    for (const int64_t offset : {1, 8, 13, 99}) {
      for (const int64_t length : {int64_t{0}, int64_t{1}, 100 - offset}) {
        const ColumnPtr slice = sample.column->slice(offset, length);
        EXPECT_EQ(columns::test::show(*round_trip({slice})[0]), columns::test::show(*slice)) << sample.name;
      }
    }
  }
}

TEST(BlockFormat, LeavesOutWhatASliceDoesNotHave) {
  std::vector<std::optional<std::string>> texts(1000, std::string(500, 'x'));
  const ColumnPtr all = columns::test::make_strings(texts);
  EXPECT_LT(encode_columns(std::vector{all->slice(10, 2)}, unlimited()).block->size_bytes(), 2000);
  EXPECT_GT(encode_columns(std::vector{all}, unlimited()).block->size_bytes(), 500'000);
}

TEST(BlockFormat, KeepsItsBytesAsLongAsAColumnIsThere) {
  const auto budget = std::make_shared<memory::Budget>("test", memory::Budget::kUnlimited);
  std::vector<ColumnPtr> columns = {columns::test::make_longs({1, 2}), columns::test::make_strings({"a", "b"})};
  std::vector<ColumnPtr> decoded = decode_columns(encode_columns(columns, budget).block, types_of(columns));
  EXPECT_GT(budget->used_bytes(), 0);
  decoded.pop_back();
  EXPECT_GT(budget->used_bytes(), 0);
  EXPECT_EQ(columns::test::show(*decoded[0]), (std::vector<std::string>{"1", "2"}));
  decoded.clear();
  EXPECT_EQ(budget->used_bytes(), 0);
}

}  // namespace
}  // namespace accelerant::spill
