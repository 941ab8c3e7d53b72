#include "columns/test_columns.h"
#include "expressions/program.h"
#include "io/key_filtering.h"
#include "io/scan.h"
#include "io/test_files.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace accelerant::io {
namespace {

using expressions::EvalMode;
using expressions::ProgramBuilder;
using expressions::Slot;
using test::compare;
using test::FileOptions;
using test::key_filter;
using test::run_scan;
using test::TemporaryFile;
using test::TestColumn;
using types::DataType;
using types::TypeId;

using ProgramPtr = std::shared_ptr<const expressions::Program>;

Slot call(ProgramBuilder& builder, const std::string& name, Slot a, Slot b, const DataType& type) {
  return builder.call("org.apache.spark.sql.catalyst.expressions." + name, {a, b}, type, EvalMode::Ansi, 1);
}

Slot long_literal(ProgramBuilder& builder, int64_t value) {
  return builder.literal(columns::test::make_longs({value}));
}

ProgramPtr finish(ProgramBuilder builder, Slot output) { return std::move(builder).finish(std::span(&output, 1)); }

/// `column + value > 0`, which overflows where `column` is too large.
ProgramPtr sum_is_positive(int column, int64_t value) {
  ProgramBuilder builder;
  const DataType type(TypeId::Long);
  const Slot sum = call(builder, "Add", builder.input(column, type, true), long_literal(builder, value), type);
  const Slot output = call(builder, "GreaterThan", sum, long_literal(builder, 0), DataType(TypeId::Boolean));
  return finish(std::move(builder), output);
}

TestColumn identity(const std::string& name) {
  return test::long_column(name, [](int64_t row) { return row; });
}

TEST(ParquetFilter, KeepsRowsThatPass) {
  const std::vector<TestColumn> columns = {identity("a"), test::long_column("b", [](int64_t row) { return row % 7; })};
  const TemporaryFile file(test::write_parquet(columns, {}));
  auto spec = test::spec_of(columns);
  spec->filters = {compare(1, "EqualTo", 3), compare(0, "LessThan", 20)};
  for (const int64_t batch_rows : {1, 3, 64, 0}) {
    EXPECT_EQ(run_scan(spec, {{file.split()}}, batch_rows).rows, (std::vector<std::string>{"3|3", "10|3", "17|3"}));
  }
}

/// Whole batches vanish, so that the readers of all other columns have to skip rows and pages.
TEST(ParquetFilter, SkipsRowsOfEveryColumn) {
  std::vector<TestColumn> columns = test::all_columns();
  const auto value = [](int64_t row) { return row / 64 % 5; };
  const auto last = static_cast<int>(columns.size());
  columns.push_back(test::long_column("f", value));
  auto spec = test::spec_of(columns);
  spec->filters = {compare(last, "EqualTo", 3)};
  FileOptions options;
  options.num_rows = 1500;
  options.group_rows = 900;
  for (const bool dictionary : {true, false}) {
    for (const auto version : {parquet::ParquetDataPageVersion::V1, parquet::ParquetDataPageVersion::V2}) {
      options.dictionary = dictionary;
      options.page_version = version;
      const TemporaryFile file(test::write_parquet(columns, options));
      for (const int64_t batch_rows : {3, 50, 64}) {
        std::vector<std::string> expected;
        for (int64_t row = 0; row < options.num_rows; ++row) {
          if (value(row) == 3) expected.push_back(test::expected_row(columns, row));
        }
        ASSERT_EQ(run_scan(spec, {{file.split()}}, batch_rows).rows, expected);
      }
    }
  }
}

TEST(ParquetFilter, DoesNotReadColumnsOfRowsThatVanish) {
  const std::vector<TestColumn> columns = {test::long_column("a", [](int64_t row) { return row % 2 * 10; }),
                                           identity("b")};
  const TemporaryFile file(test::write_parquet(columns, {}));
  auto spec = test::spec_of(columns);
  const auto all = run_scan(spec, {{file.split()}}, 16);
  spec->filters = {compare(0, "EqualTo", 5)};
  const auto none = run_scan(spec, {{file.split()}}, 16);
  EXPECT_EQ(none.rows.size(), 0u);
  EXPECT_EQ(none.num_batches, 1);
  EXPECT_GT(none.input_bytes, 0);
  EXPECT_LT(none.input_bytes, all.input_bytes / 2);
}

TEST(ParquetFilter, PrunesRowGroupsByStatistics) {
  const std::vector<TestColumn> columns = {
      identity("a"), test::text_column("s", true, [](int64_t row) { return std::to_string(row); })};
  FileOptions options;
  options.num_rows = 1000;
  options.group_rows = 100;
  const TemporaryFile file(test::write_parquet(columns, options));
  auto spec = test::spec_of(columns);
  const auto all = run_scan(spec, {{file.split()}}, 16);
  spec->filters = {compare(0, "GreaterThanOrEqual", 850)};
  const auto some = run_scan(spec, {{file.split()}}, 16);
  ASSERT_EQ(some.rows.size(), 150u);
  EXPECT_EQ(some.rows[0], test::expected_row(columns, 850));
  EXPECT_EQ(some.num_morsels, 10);
  EXPECT_LT(some.input_bytes, all.input_bytes / 4);
}

TEST(ParquetFilter, KeepsRowIndexesOfWhatPasses) {
  const std::vector<TestColumn> columns = {identity("a")};
  FileOptions options;
  options.num_rows = 1000;
  options.group_rows = 130;
  const TemporaryFile file(test::write_parquet(columns, options));
  auto spec = test::spec_of(columns);
  spec->columns.push_back({"index", DataType(TypeId::Long)});
  spec->columns.back().is_row_index = true;
  const std::vector<std::vector<ProgramPtr>> filters = {{},
                                                        {compare(0, "GreaterThanOrEqual", 270)},
                                                        {compare(1, "LessThan", 400), compare(0, "GreaterThan", 300)},
                                                        {compare(1, "EqualTo", 261)}};
  const std::vector<std::pair<int64_t, int64_t>> expected = {{0, 1000}, {270, 1000}, {301, 400}, {261, 262}};
  for (size_t i = 0; i < filters.size(); ++i) {
    spec->filters = filters[i];
    for (const int64_t batch_rows : {7, 0}) {
      const auto rows = run_scan(spec, {{file.split()}}, batch_rows).rows;
      const auto [first, end] = expected[i];
      ASSERT_EQ(rows.size(), static_cast<size_t>(end - first));
      for (int64_t row = first; row < end; ++row) {
        ASSERT_EQ(rows[static_cast<size_t>(row - first)], std::to_string(row) + "|" + std::to_string(row));
      }
    }
  }
}

TEST(ParquetFilter, PrunesByPartitionValuesAndMissingColumns) {
  const std::vector<TestColumn> columns = {identity("a")};
  const TemporaryFile file(test::write_parquet(columns, {}));
  auto spec = test::spec_of(columns);
  spec->columns.push_back({"p", DataType(TypeId::Long), true, 0});
  spec->columns.push_back({"missing", DataType(TypeId::Long)});
  spec->filters = {compare(1, "EqualTo", 2)};
  FileSplit first = file.split();
  first.partition_values = {columns::test::make_longs({1})};
  FileSplit second = file.split();
  second.partition_values = {columns::test::make_longs({2})};
  const auto result = run_scan(spec, {{first}, {second}}, 0);
  EXPECT_EQ(result.rows.size(), 100u);
  spec->filters = {compare(2, "EqualTo", 2)};
  const auto none = run_scan(spec, {{first}, {second}}, 0);
  EXPECT_EQ(none.rows.size(), 0u);
  EXPECT_EQ(none.input_bytes, 0);
}

TEST(ParquetFilter, LeavesOutColumnsThatOnlyFiltersNeed) {
  const std::vector<TestColumn> columns = {identity("a"), test::long_column("b", [](int64_t row) { return -row; })};
  const TemporaryFile file(test::write_parquet(columns, {}));
  auto spec = test::spec_of(columns);
  spec->columns[0].filter_only = true;
  spec->filters = {compare(0, "GreaterThan", 97)};
  EXPECT_EQ(run_scan(spec, {{file.split()}}, 16).rows, (std::vector<std::string>{"-98", "-99"}));
  spec->filters = {compare(0, "GreaterThanOrEqual", 0)};
  const auto every = run_scan(spec, {{file.split()}}, 16);
  EXPECT_EQ(every.rows.size(), 100u);
  spec->filters.clear();
  spec->columns.erase(spec->columns.begin());
  EXPECT_EQ(every.input_bytes, run_scan(spec, {{file.split()}}, 16).input_bytes);
}

/// Few rows pass, in disorder: of other columns only these are decoded.
void expect_survivors(std::vector<TestColumn> columns, FileOptions options) {
  const auto first = [](int64_t row) { return row * 7919 % 1009 % 8; };
  const auto second = [](int64_t row) { return row * 104'729 % 2003 % 6; };
  const auto last = static_cast<int>(columns.size());
  options.num_rows = 3000;
  columns.push_back(test::long_column("first", first));
  columns.push_back(test::long_column("second", second));
  const TemporaryFile file(test::write_parquet(columns, options));
  const auto spec = test::spec_of(columns);
  spec->filters = {compare(last, "EqualTo", 3), compare(last + 1, "LessThan", 2)};
  std::vector<std::string> expected;
  for (int64_t row = 0; row < options.num_rows; ++row) {
    if (first(row) == 3 && second(row) < 2) expected.push_back(test::expected_row(columns, row));
  }
  for (const int64_t batch_rows : {7, 500, 0}) {
    EXPECT_EQ(run_scan(spec, {{file.split()}}, batch_rows).rows, expected);
  }
}

TEST(ParquetFilter, DecodesSurvivorsOfEveryColumn) {
  for (const auto version : {parquet::ParquetDataPageVersion::V1, parquet::ParquetDataPageVersion::V2}) {
    FileOptions options;
    options.page_version = version;
    expect_survivors(test::all_columns(), options);
    options.dictionary_bytes = 40;
    expect_survivors(test::all_columns(), options);
    options.dictionary = false;
    options.page_bytes = 2000;
    expect_survivors(test::all_columns(), options);
  }
}

TEST(ParquetFilter, DecodesSurvivorsOfManyWords) {
  const auto columns = {
      test::text_column("words", true,
                        [](int64_t row) { return "a word of some length " + std::to_string(row % 700); }),
      test::long_column("numbers", [](int64_t row) { return row % 700 * 1'000'003; })};
  FileOptions options;
  expect_survivors(columns, options);
  options.dictionary_bytes = 5000;
  expect_survivors(columns, options);
}

TEST(ParquetFilter, DecodesSurvivorsOfTheRarerEncodings) {
  using parquet::Encoding;
  for (const auto encoding : {Encoding::DELTA_LENGTH_BYTE_ARRAY, Encoding::DELTA_BYTE_ARRAY,
                              Encoding::BYTE_STREAM_SPLIT, Encoding::DELTA_BINARY_PACKED, Encoding::RLE}) {
    FileOptions options;
    options.dictionary = false;
    options.encoding = encoding;
    options.plain_columns = {"first", "second"};
    expect_survivors(test::columns_for(encoding), options);
  }
}

TEST(ParquetFilter, RunsFiltersThatCanFailInTheirPlace) {
  const std::vector<TestColumn> columns = {identity("a"), test::long_column("b", [](int64_t row) { return row % 50; })};
  const TemporaryFile file(test::write_parquet(columns, {}));
  auto spec = test::spec_of(columns);
  spec->filters = {sum_is_positive(0, INT64_MAX - 2), compare(1, "LessThan", 5)};
  const auto failing_first = run_scan(spec, {{file.split()}}, 16);
  EXPECT_EQ(failing_first.num_errors, 97);
  EXPECT_EQ(failing_first.rows.size(), 3u);
  std::swap(spec->filters[0], spec->filters[1]);
  const auto failing_last = run_scan(spec, {{file.split()}}, 16);
  EXPECT_EQ(failing_last.num_errors, 7);
  EXPECT_EQ(failing_last.rows.size(), 3u);
}

TEST(ParquetFilter, KeepsRowsWhoseKeysAreWanted) {
  const std::vector<TestColumn> columns = {identity("a"), test::long_column("b", [](int64_t row) { return row % 7; })};
  const TemporaryFile file(test::write_parquet(columns, {}));
  auto spec = test::spec_of(columns);
  spec->filters = {compare(0, "LessThan", 20)};
  for (const int64_t batch_rows : {1, 3, 64, 0}) {
    const auto result = run_scan(spec, {{file.split()}}, batch_rows, nullptr,
                                 {key_filter(1, {2, 3, 100}), key_filter(0, {3, 9, 11, 17})});
    EXPECT_EQ(result.rows, (std::vector<std::string>{"3|3", "9|2", "17|3"}));
  }
}

TEST(ParquetFilter, PassesRowGroupsOverThatHaveNoWantedKey) {
  const std::vector<TestColumn> columns = {identity("a"), identity("b")};
  FileOptions options;
  options.num_rows = 1000;
  options.group_rows = 100;
  const TemporaryFile file(test::write_parquet(columns, options));
  const auto spec = test::spec_of(columns);
  const auto all = run_scan(spec, {{file.split()}}, 16);
  const auto some = run_scan(spec, {{file.split()}}, 16, nullptr, {key_filter(1, {250, 251})});
  EXPECT_EQ(some.rows, (std::vector<std::string>{"250|250", "251|251"}));
  EXPECT_LT(some.input_bytes, all.input_bytes / 5);
  const auto none = run_scan(spec, {{file.split()}}, 16, nullptr, {key_filter(1, {})});
  EXPECT_EQ(none.rows.size(), 0u);
  EXPECT_EQ(none.input_bytes, 0);
}

TEST(ParquetFilter, RaisesErrorsOfRowsWhoseKeysAreNotWanted) {
  const std::vector<TestColumn> columns = {identity("a")};
  const TemporaryFile file(test::write_parquet(columns, {}));
  auto spec = test::spec_of(columns);
  spec->filters = {sum_is_positive(0, INT64_MAX)};
  const auto result = run_scan(spec, {{file.split()}}, 16, nullptr, {key_filter(0, {-5})});
  EXPECT_GT(result.num_errors, 0);
}

TEST(ParquetFilter, StopsAskingWhereFewRowsAreDropped) {
  execution::KeyFilter filter = key_filter(0, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
  KeyFiltering filtering({filter});
  columns::Batch batch;
  std::vector<std::optional<int64_t>> values(1000, 5);
  values.back() = 11;
  batch.columns = {columns::test::make_longs(values)};
  batch.num_rows = 1000;
  int batches = 0;
  for (; filtering.is_active(0); ++batches) {
    ASSERT_LT(batches, 1000);
    columns::Batch copy = batch;
    filtering.apply(0, copy);
    EXPECT_EQ(copy.num_selected(), 999);
  }
  EXPECT_GT(batches, 10);
}

}  // namespace
}  // namespace accelerant::io
