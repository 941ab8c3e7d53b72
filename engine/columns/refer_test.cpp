#include "columns/refer.h"

#include "columns/arrow_c_data.h"
#include "columns/batch.h"
#include "columns/gather.h"
#include "columns/test_columns.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace accelerant::columns {
namespace {

using test::show;
using test::unlimited;

TEST(Refer, GivesWhatIsGathered) {
  for (const std::vector<int32_t>& rows :
       {std::vector<int32_t>{32, 0, 0, 5, 17, 31, 16, 1, 2, 3}, {4, -1, 0, -1, -1, 32, 31, 30, -1}, {-1}, {}}) {
    for (const auto& sample : test::samples(33)) {
      SCOPED_TRACE(sample.name);
      const ColumnPtr referred = refer(*sample.column, rows, unlimited());
      const auto expected = show(*gather_or_null(*sample.column, rows, unlimited()));
      EXPECT_EQ(show(*referred), expected);
      EXPECT_EQ(show(*copy_compact(*referred, unlimited())), expected);
      EXPECT_EQ(show(*refer(*sample.column->slice(3, 30), {}, unlimited())), std::vector<std::string>());
    }
  }
}

TEST(Refer, CopiesNoElements) {
  const ColumnPtr lists = test::make_array(test::make_longs({1, 2, 3}), {2, 0, 1});
  const std::vector<int32_t> rows = {2, 0, -1, 2};
  const ColumnPtr referred = refer(*lists, rows, unlimited());
  ASSERT_TRUE(referred->is_dictionary());
  EXPECT_EQ(referred->child_values()->children().front(), lists->children().front());
}

TEST(Refer, HasNoElementsBelowNulls) {
  const ColumnPtr lists = test::make_array(test::make_longs({1, 2, 3}), {2, 1});
  const std::vector<int32_t> rows = {-1, 1, -1, -1};
  const ColumnPtr flat = flatten(refer(*lists, rows, unlimited()), unlimited());
  EXPECT_EQ(show(*flat), (std::vector<std::string>{"null", "[3]", "null", "null"}));
  EXPECT_EQ(flat->children().front()->length(), 1);
}

/// Returns a batch of one list of a text of `num_bytes`, referred to `num_rows` times.
Batch batch_of_lists(size_t num_bytes, size_t num_rows) {
  const ColumnPtr texts = test::make_strings({std::string(num_bytes, 'x'), "y"});
  Batch batch;
  batch.num_rows = static_cast<int64_t>(num_rows);
  batch.columns = {refer(*test::make_array(texts, {1, 1}), std::vector<int32_t>(num_rows, 0), unlimited())};
  return batch;
}

TEST(Refer, CountsBytesThatAreExported) {
  EXPECT_TRUE(fits_export(batch_of_lists(1 << 20, 1000)));
  EXPECT_FALSE(fits_export(batch_of_lists(1 << 20, 3000)));
}

}  // namespace
}  // namespace accelerant::columns
