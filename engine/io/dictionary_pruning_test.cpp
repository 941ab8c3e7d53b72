#include "io/dictionary_pruning.h"

#include "columns/test_columns.h"
#include "expressions/program.h"
#include "io/test_files.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace accelerant::io {
namespace {

using expressions::ProgramBuilder;
using test::compare;
using test::FileOptions;
using test::run_scan;
using test::ScanResult;
using test::TemporaryFile;
using test::TestColumn;
using types::DataType;
using types::TypeId;

constexpr int64_t kGroupRows = 8192;

/// Two row groups: values 0, 10, 20 ... 90 in the first, and 5, 15 ... 95 in the second, with bounds that overlap.
int64_t value_of(int64_t row) { return row % 10 * 10 + (row < kGroupRows ? 0 : 5); }

FileOptions two_groups() {
  FileOptions options;
  options.num_rows = 2 * kGroupRows;
  options.group_rows = kGroupRows;
  options.page_bytes = 4000;
  return options;
}

std::vector<TestColumn> numbers() {
  return {test::long_column("v", value_of), test::long_column("row", [](int64_t row) { return row; })};
}

ScanResult scan_where(const std::vector<TestColumn>& columns, const FileOptions& options,
                      std::vector<std::shared_ptr<const expressions::Program>> filters) {
  const TemporaryFile file(test::write_parquet(columns, options));
  auto spec = test::spec_of(columns);
  spec->filters = std::move(filters);
  return run_scan(spec, {{file.split()}}, 0);
}

/// The bytes that a scan of one row group reads, of both columns.
int64_t bytes_of_one_group() {
  FileOptions options = two_groups();
  options.num_rows = kGroupRows;
  return scan_where(numbers(), options, {}).input_bytes;
}

TEST(DictionaryPruning, LeavesOutRowGroupsWithoutTheValue) {
  const ScanResult result = scan_where(numbers(), two_groups(), {compare(0, "EqualTo", 30)});
  EXPECT_EQ(result.rows.size(), 819U);
  EXPECT_EQ(result.rows[0], "30|3");
  EXPECT_LT(result.input_bytes, bytes_of_one_group() * 5 / 4) << "of the other group no more than a dictionary";
  EXPECT_EQ(scan_where(numbers(), two_groups(), {compare(0, "EqualTo", 31)}).rows.size(), 0U);
}

TEST(DictionaryPruning, AsksAllFiltersOfAColumnTogether) {
  const auto filters = {compare(0, "GreaterThan", 20), compare(0, "LessThan", 30)};
  const ScanResult result = scan_where(numbers(), two_groups(), filters);
  EXPECT_EQ(result.rows.size(), 820U);
  EXPECT_EQ(result.rows[0].substr(0, 3), "25|");
  EXPECT_LT(result.input_bytes, bytes_of_one_group() * 5 / 4);
}

TEST(DictionaryPruning, KnowsThatValuesFellBackToPlainPages) {
  FileOptions options = two_groups();
  options.dictionary_bytes = 4000;
  // The dictionary is full of the first values; the one that is looked for comes behind it.
  const std::vector<TestColumn> columns = {
      test::long_column("v", [](int64_t row) { return row % kGroupRows == 8000 ? 7 : row % 900 * 2; })};
  EXPECT_EQ(scan_where(columns, options, {compare(0, "EqualTo", 7)}).rows.size(), 2U);
}

TEST(DictionaryPruning, KeepsNullsThatPass) {
  const std::vector<TestColumn> columns = {test::text_column("t", true, [](int64_t) { return std::string("x"); })};
  ProgramBuilder builder;
  const auto text = builder.input(0, DataType(TypeId::String), true);
  const auto is_null = builder.call("org.apache.spark.sql.catalyst.expressions.IsNull", {text},
                                    DataType(TypeId::Boolean), expressions::EvalMode::Ansi, 1);
  const auto equal = builder.call("org.apache.spark.sql.catalyst.expressions.EqualTo",
                                  {text, builder.literal(columns::test::make_strings({"y"}))},
                                  DataType(TypeId::Boolean), expressions::EvalMode::Ansi, 1);
  const auto either = builder.disjunction({equal, is_null});
  const ScanResult result = scan_where(columns, two_groups(), {std::move(builder).finish(std::span(&either, 1))});
  EXPECT_EQ(result.rows.size(), static_cast<size_t>((2 * kGroupRows + 1) / 3));
}

TEST(DictionaryPruning, LooksAtDictionariesFarSmallerThanTheirChunks) {
  const auto columns = numbers();
  const TemporaryFile file(test::write_parquet(columns, two_groups()));
  const auto spec = test::spec_of(columns);
  const auto read = read_parquet_file(file.uri(), *spec, columns::test::unlimited());
  const auto dictionary = find_small_dictionary(*read, 0, read->columns[0]);
  ASSERT_TRUE(dictionary);
  EXPECT_LT(dictionary->num_bytes, 200);
  EXPECT_FALSE(find_small_dictionary(*read, 0, read->columns[1])) << "every value is another";
}

}  // namespace
}  // namespace accelerant::io
