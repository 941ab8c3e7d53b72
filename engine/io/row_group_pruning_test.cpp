// Row groups of which a file's page index leaves only some pages to be read.

#include "io/row_group_pruning.h"

#include "base/error.h"
#include "io/test_files.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <vector>

namespace accelerant::io {
namespace {

using test::compare;
using test::FileOptions;
using test::key_filter;
using test::run_scan;
using test::ScanResult;
using test::TemporaryFile;
using test::TestColumn;

constexpr int64_t kRows = 20'000;

/// Columns whose pages end in different rows: numbers in order, the same in reverse, in disorder, and all types.
std::vector<TestColumn> some_columns() {
  std::vector<TestColumn> columns = {test::long_column("up", [](int64_t row) { return row; }),
                                     test::long_column("down", [](int64_t row) { return kRows - row; }),
                                     test::long_column("mixed", [](int64_t row) { return row * 7919 % kRows; })};
  for (auto& column : test::all_columns()) columns.push_back(std::move(column));
  return columns;
}

FileOptions some_options() {
  FileOptions options;
  options.num_rows = kRows;
  options.group_rows = kRows / 2;
  options.page_bytes = 1000;
  options.page_index = true;
  return options;
}

ScanResult expect_rows(const std::vector<TestColumn>& columns, const std::shared_ptr<const ScanSpec>& spec,
                       const TemporaryFile& file, std::pair<int64_t, int64_t> rows) {
  ScanResult result;
  for (const int64_t batch_rows : {0, 100}) {
    result = run_scan(spec, {{file.split()}}, batch_rows);
    EXPECT_EQ(static_cast<int64_t>(result.rows.size()), rows.second - rows.first);
    for (size_t i = 0; i < result.rows.size(); ++i) {
      const std::string expected = test::expected_row(columns, rows.first + static_cast<int64_t>(i));
      if (result.rows[i] != expected) {
        ADD_FAILURE() << result.rows[i] << "\ninstead of " << expected;
        break;
      }
    }
  }
  return result;
}

TEST(RowGroupPruning, ReadsOnlyPagesThatMayHaveRows) {
  const auto columns = some_columns();
  for (const bool dictionary : {true, false}) {
    for (const auto version : {parquet::ParquetDataPageVersion::V1, parquet::ParquetDataPageVersion::V2}) {
      FileOptions options = some_options();
      options.dictionary = dictionary;
      options.page_version = version;
      const TemporaryFile file(test::write_parquet(columns, options));
      auto spec = test::spec_of(columns);
      const int64_t all_bytes = run_scan(spec, {{file.split()}}, 0).input_bytes;
      spec->filters = {compare(0, "GreaterThanOrEqual", 6000), compare(1, "GreaterThan", kRows - 6100)};
      const auto some = expect_rows(columns, spec, file, {6000, 6100});
      EXPECT_LT(some.input_bytes, all_bytes / 4);
      spec->filters = {compare(0, "LessThan", 9900)};
      expect_rows(columns, spec, file, {0, 9900});
      spec->filters = {compare(0, "GreaterThanOrEqual", 9990)};
      expect_rows(columns, spec, file, {9990, kRows});
    }
  }
}

TEST(RowGroupPruning, ReadsOneRowOfPagesInDisorder) {
  const auto columns = some_columns();
  const TemporaryFile file(test::write_parquet(columns, some_options()));
  auto spec = test::spec_of(columns);
  for (const int64_t row : {0, 1, 777, 9999, 10'000, 19'999}) {
    spec->filters = {compare(2, "EqualTo", row * 7919 % kRows), compare(1, "EqualTo", kRows - row)};
    expect_rows(columns, spec, file, {row, row + 1});
  }
  spec->filters = {compare(0, "EqualTo", 5), compare(1, "EqualTo", 5)};
  expect_rows(columns, spec, file, {0, 0});
}

TEST(RowGroupPruning, ReadsPagesThatHaveWantedKeys) {
  const auto columns = some_columns();
  const TemporaryFile file(test::write_parquet(columns, some_options()));
  const auto spec = test::spec_of(columns);
  const int64_t all_bytes = run_scan(spec, {{file.split()}}, 0).input_bytes;
  const auto result = run_scan(spec, {{file.split()}}, 0, nullptr, {key_filter(1, {kRows - 300, kRows - 310})});
  ASSERT_EQ(result.rows.size(), 2u);
  EXPECT_EQ(result.rows[0], test::expected_row(columns, 300));
  EXPECT_EQ(result.rows[1], test::expected_row(columns, 310));
  EXPECT_LT(result.input_bytes, all_bytes / 4);
}

TEST(RowGroupPruning, PassesRowGroupsOverThatHaveNoSuchValue) {
  const std::vector<TestColumn> columns = {test::long_column("a", [](int64_t row) { return row * 2 * 7919 % 40'009; }),
                                           test::long_column("b", [](int64_t row) { return row; })};
  FileOptions options = some_options();
  options.group_rows = 5000;
  options.bloom_filters = {"a"};
  const TemporaryFile file(test::write_parquet(columns, options));
  auto spec = test::spec_of(columns);
  const int64_t all_bytes = run_scan(spec, {{file.split()}}, 0).input_bytes;
  int64_t input_bytes = 0;
  for (int64_t value = 100; value < 140; ++value) {
    spec->filters = {compare(0, "EqualTo", value)};
    std::vector<std::string> expected;
    for (int64_t row = 0; row < kRows; ++row) {
      if (row * 2 * 7919 % 40'009 == value) expected.push_back(test::expected_row(columns, row));
    }
    const auto result = run_scan(spec, {{file.split()}}, 0);
    EXPECT_EQ(result.rows, expected);
    input_bytes += result.input_bytes;
  }
  EXPECT_LT(input_bytes, 40 * all_bytes / 4);
}

/// A damaged index may be believed or not; what is read must not crash, nor read beyond what there is.
TEST(RowGroupPruning, SurvivesDamagedIndexes) {
  const std::vector<TestColumn> columns = {test::long_column("up", [](int64_t row) { return row; }),
                                           test::text_column("text", true, [](int64_t row) {
                                             return "a text of some length " + std::to_string(row % 1000);
                                           })};
  FileOptions options = some_options();
  options.codec = parquet::Compression::UNCOMPRESSED;
  options.page_bytes = 6000;
  const std::string bytes = test::write_parquet(columns, options);
  uint32_t footer_bytes;
  std::memcpy(&footer_bytes, bytes.data() + bytes.size() - 8, sizeof footer_bytes);
  const size_t index_end = bytes.size() - 8 - footer_bytes;
  auto spec = test::spec_of(columns);
  spec->filters = {compare(0, "EqualTo", 6000)};
  std::mt19937 random(13);
  int rows = 0;
  int errors = 0;
  const TemporaryFile file(bytes);
  for (int round = 0; round < (std::getenv("ACCELERANT_THOROUGH_TESTS") ? 5000 : 300); ++round) {
    std::string damaged = bytes;
    for (size_t i = 0; i < 1 + random() % 2; ++i)
      damaged[index_end - 1 - random() % 1500] = static_cast<char>(random());
    file.overwrite(damaged);
    const auto budget = std::make_shared<memory::Budget>("ParquetScan", int64_t{64} << 20);
    try {
      run_scan(*open_files(spec, {{file.split()}}, 1, budget), 0, budget);
      ++rows;
    } catch (const Error& error) {
      ++errors;
      EXPECT_EQ(error.kind(), ErrorKind::Unsupported);
      EXPECT_NE(error.message().find(file.uri()), std::string::npos) << error.message();
    }
    EXPECT_EQ(budget->used_bytes(), 0);
  }
  EXPECT_GT(rows, 100);
  EXPECT_GT(errors, 0);
}

}  // namespace
}  // namespace accelerant::io
