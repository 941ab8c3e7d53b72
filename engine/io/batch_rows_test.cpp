#include "io/batch_rows.h"

#include "columns/test_columns.h"
#include "io/test_nested_files.h"

#include <gtest/gtest.h>

#include <optional>
#include <vector>

namespace accelerant::io {
namespace {

using columns::test::unlimited;

/// Returns how many rows are read at a time of two lists of so many elements, beside a flat column.
int64_t rows_of_lists(int num_elements, int64_t most) {
  const std::vector<std::optional<int64_t>> numbers(static_cast<size_t>(num_elements) * 2, 7);
  const auto lists = columns::test::make_array(columns::test::make_longs(numbers), {num_elements, num_elements});
  const std::vector<test::TestColumn> columns = {test::long_column("id", [](int64_t row) { return row; }),
                                                 test::nested_column("c", lists, true)};
  test::FileOptions options;
  options.num_rows = 2;
  const test::TemporaryFile file(test::write_parquet(columns, options));
  return rows_at_a_time(*read_parquet_file(file.uri(), *test::spec_of(columns), unlimited()), 0, most);
}

TEST(BatchRows, AreFewerWhereListsAreLong) {
  EXPECT_EQ(rows_of_lists(0, 16'384), 16'384);
  EXPECT_EQ(rows_of_lists(256, 16'384), 16'384);
  EXPECT_EQ(rows_of_lists(1000, 16'384), 4194);
  EXPECT_EQ(rows_of_lists(1000, 100), 100);
}

}  // namespace
}  // namespace accelerant::io
