#include "base/error.h"
#include "columns/test_columns.h"
#include "io/chunk_reader.h"
#include "io/scan.h"
#include "io/test_files.h"
#include "operators/test_steps.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace accelerant::io {
namespace {

using columns::test::unlimited;
using parquet::Encoding;
using parquet::ParquetDataPageVersion;
using test::FileOptions;
using test::run_scan;
using test::ScanResult;
using test::TemporaryFile;
using test::TestColumn;
using types::DataType;
using types::TypeId;

/// Scans a file of `columns` with several batch sizes and compares every row.
void expect_round_trip(const std::vector<TestColumn>& columns, const FileOptions& options) {
  const TemporaryFile file(test::write_parquet(columns, options));
  for (const int64_t batch_rows : {3, 1, 64, 0}) {
    const auto result = run_scan(test::spec_of(columns), {{file.split()}}, batch_rows);
    ASSERT_EQ(static_cast<int64_t>(result.rows.size()), options.num_rows);
    for (int64_t row = 0; row < options.num_rows; ++row) {
      ASSERT_EQ(result.rows[static_cast<size_t>(row)], test::expected_row(columns, row)) << "row " << row;
    }
    EXPECT_EQ(result.num_morsels, (options.num_rows + options.group_rows - 1) / options.group_rows);
  }
}

void expect_round_trip_of_page_versions(const std::vector<TestColumn>& columns, FileOptions options) {
  for (const auto version : {ParquetDataPageVersion::V1, ParquetDataPageVersion::V2}) {
    options.page_version = version;
    expect_round_trip(columns, options);
  }
}

/// Returns the message of the error that opening and scanning ends in; fails if there is none.
Error expect_error(const std::shared_ptr<const ScanSpec>& spec, const std::vector<FileSplit>& splits) {
  try {
    run_scan(spec, {splits}, 3);
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "no error";
  return Error(ErrorKind::Internal, "");
}

void expect_unsupported(const std::shared_ptr<const ScanSpec>& spec, const TemporaryFile& file,
                        const std::string& part) {
  const Error error = expect_error(spec, {file.split()});
  EXPECT_EQ(error.kind(), ErrorKind::Unsupported) << error.message();
  EXPECT_NE(error.message().find(part), std::string::npos) << error.message();
  EXPECT_NE(error.message().find(file.uri()), std::string::npos) << error.message();
}

TEST(ParquetDataset, SummarisesColumnsByFootersAndDictionaries) {
  const std::vector<TestColumn> columns = {
      test::long_column("a", [](int64_t row) { return row * 3 - 7; }),
      test::text_column("few", true, [](int64_t row) { return "value " + std::to_string(row % 5); }),
      test::text_column("many", false, [](int64_t row) { return "value " + std::to_string(row); })};
  FileOptions options;
  options.num_rows = 1000;
  options.group_rows = 300;
  const TemporaryFile file(test::write_parquet(columns, options));
  options.dictionary = false;
  const TemporaryFile plain(test::write_parquet(columns, options));
  const auto summarise = [&](const TemporaryFile& of, int column) {
    return open_files(test::spec_of(columns), {{of.split()}}, 1, unlimited())->summarize(column);
  };
  const ColumnSummary numbers = summarise(file, 0);
  EXPECT_EQ(numbers.min, -7);
  EXPECT_EQ(numbers.max, 2990);
  EXPECT_EQ(numbers.num_nulls, 0);
  EXPECT_EQ(summarise(file, 1).num_distinct, 5);
  EXPECT_EQ(summarise(file, 1).num_nulls, 333);
  EXPECT_EQ(summarise(file, 1).min, std::nullopt);
  EXPECT_EQ(summarise(file, 2).num_distinct, 300);
  EXPECT_EQ(summarise(plain, 1).num_distinct, std::nullopt);
}

TEST(ParquetDataset, TellsWhetherItReadsTheSameFiles) {
  const std::vector<TestColumn> columns = {test::long_column("a", [](int64_t row) { return row; })};
  const TemporaryFile file(test::write_parquet(columns, {}));
  const TemporaryFile other(test::write_parquet(columns, {}));
  const auto open = [&](const TemporaryFile& of, int64_t length) {
    FileSplit split = of.split();
    split.length -= length;
    return open_files(test::spec_of(columns), {{split}}, 1, unlimited());
  };
  EXPECT_TRUE(open(file, 0)->reads_same_files(*open(file, 0)));
  EXPECT_FALSE(open(file, 0)->reads_same_files(*open(other, 0)));
  EXPECT_FALSE(open(file, 0)->reads_same_files(*open(file, 1)));
}

TEST(ParquetScan, ReadsDictionaryPages) { expect_round_trip_of_page_versions(test::all_columns(), {}); }

TEST(ParquetScan, ReadsPlainPages) {
  FileOptions options;
  options.dictionary = false;
  expect_round_trip_of_page_versions(test::all_columns(), options);
}

TEST(ParquetScan, ReadsChunksThatLeaveTheirDictionary) {
  FileOptions options;
  options.dictionary_bytes = 40;
  options.page_bytes = 64;
  expect_round_trip_of_page_versions(test::all_columns(), options);
}

TEST(ParquetScan, ReadsTheRarerEncodings) {
  for (const auto encoding : {Encoding::DELTA_BINARY_PACKED, Encoding::DELTA_LENGTH_BYTE_ARRAY,
                              Encoding::DELTA_BYTE_ARRAY, Encoding::BYTE_STREAM_SPLIT, Encoding::RLE}) {
    SCOPED_TRACE(parquet::EncodingToString(encoding));
    FileOptions options;
    options.dictionary = false;
    options.encoding = encoding;
    expect_round_trip_of_page_versions(test::columns_for(encoding), options);
  }
}

TEST(ParquetScan, ReadsCodecs) {
  using parquet::Compression;
  for (const auto codec :
       {Compression::UNCOMPRESSED, Compression::GZIP, Compression::ZSTD, Compression::LZ4, Compression::BROTLI}) {
    FileOptions options;
    options.codec = codec;
    options.num_rows = 20;
    expect_round_trip_of_page_versions(test::all_columns(), options);
  }
}

TEST(ParquetScan, ReadsManyRowGroupsAndPages) {
  FileOptions options;
  options.num_rows = 3000;
  options.group_rows = 700;
  expect_round_trip(test::all_columns(), options);
  options.group_rows = 1;
  options.num_rows = 17;
  expect_round_trip(test::all_columns(), options);
}

TEST(ParquetScan, ReadsLongRunsAndManyDistinctValues) {
  const std::vector<TestColumn> columns = {test::long_column("same", [](int64_t) { return 5; }),
                                           test::long_column("runs", [](int64_t row) { return row / 1000; }),
                                           test::long_column("distinct", [](int64_t row) { return row * 1'000'003; }),
                                           test::text_column("words", true, [](int64_t row) {
                                             return "a word of some length " + std::to_string(row % 700);
                                           })};
  FileOptions options;
  options.num_rows = 20'000;
  options.group_rows = 100'000;
  options.page_bytes = 20'000;
  expect_round_trip(columns, options);
}

TEST(ParquetScan, ReadsEmptyFilesAndColumnsOfNulls) {
  FileOptions options;
  options.num_rows = 0;
  expect_round_trip(test::all_columns(), options);
  TestColumn nulls = test::text_column("s", true, [](int64_t) { return std::string(); });
  nulls.write = [](parquet::ColumnWriter& writer, int64_t, int64_t n) {
    const std::vector<int16_t> levels(static_cast<size_t>(n), 0);
    static_cast<parquet::ByteArrayWriter&>(writer).WriteBatch(n, levels.data(), nullptr, nullptr);
  };
  nulls.expected = [](int64_t) { return "null"; };
  options.num_rows = 50;
  expect_round_trip_of_page_versions({nulls}, options);
}

TEST(ParquetScan, CountsRowsWithoutColumns) {
  FileOptions options;
  options.group_rows = 40;
  const TemporaryFile file(test::write_parquet({test::long_column("a", [](int64_t row) { return row; })}, options));
  const auto result = run_scan(std::make_shared<ScanSpec>(), {{file.split()}}, 16);
  EXPECT_EQ(result.rows.size(), 100u);
  EXPECT_EQ(result.num_morsels, 3);
  EXPECT_EQ(result.input_bytes, 0);
}

TEST(ParquetScan, KeepsSmallDictionariesAndDecodesLargeOnes) {
  const std::vector<TestColumn> columns = {
      test::long_column("small", [](int64_t row) { return row % kMaxNumericDictionary; }),
      test::long_column("large", [](int64_t row) { return row % (kMaxNumericDictionary + 1); }),
      test::text_column("words", false, [](int64_t row) { return std::to_string(row % 500); })};
  FileOptions options;
  options.num_rows = 1000;
  const TemporaryFile file(test::write_parquet(columns, options));
  const auto result = run_scan(test::spec_of(columns), {{file.split()}}, 0);
  EXPECT_EQ(result.num_batches, 1);
  EXPECT_EQ(result.num_dictionaries, 2);
}

TEST(ParquetScan, FindsColumnsByName) {
  const auto identity = [](int64_t row) { return row; };
  const std::vector<TestColumn> stored = {test::long_column("A", identity), test::long_column("b", identity)};
  const TemporaryFile file(test::write_parquet(stored, {}));
  auto spec = std::make_shared<ScanSpec>();
  spec->columns = {{"B", DataType(TypeId::Long)}, {"missing", DataType(TypeId::String)}, {"a", DataType(TypeId::Long)}};
  EXPECT_EQ(run_scan(spec, {{file.split()}}, 3).rows[7], "7|null|7");
  spec->case_sensitive = true;
  EXPECT_EQ(run_scan(spec, {{file.split()}}, 3).rows[7], "null|null|null");
}

TEST(ParquetScan, LeavesDoubtfulNamesToSpark) {
  const auto identity = [](int64_t row) { return row; };
  auto spec = std::make_shared<ScanSpec>();
  spec->columns = {{"a", DataType(TypeId::Long)}};
  const TemporaryFile twice(
      test::write_parquet({test::long_column("a", identity), test::long_column("A", identity)}, {}));
  expect_unsupported(spec, twice, "several columns");
}

TEST(ParquetScan, FindsNamesByTheirSmallLetters) {
  const auto identity = [](int64_t row) { return row; };
  // The last is the sign of the unit kelvin, whose small letter is ASCII.
  for (const auto& [wanted, stored] : {std::pair("größe", "GRÖßE"), {"ä", "Ä"}, {"k", "\u212A"}}) {
    const TemporaryFile file(test::write_parquet(
        {test::long_column("LÄNGE", [](int64_t row) { return -row; }), test::long_column(stored, identity)}, {}));
    auto spec = std::make_shared<ScanSpec>();
    spec->columns = {{wanted, DataType(TypeId::Long)}};
    EXPECT_EQ(run_scan(spec, {{file.split()}}, 0).rows.at(7), "7") << stored;
    spec->case_sensitive = true;
    EXPECT_EQ(run_scan(spec, {{file.split()}}, 0).rows.at(7), "null") << stored;
  }
}

TEST(ParquetScan, LeavesTypesItDoesNotReadToSpark) {
  const TemporaryFile file(test::write_parquet({test::long_column("a", [](int64_t row) { return row; })}, {}));
  auto spec = std::make_shared<ScanSpec>();
  for (const DataType& type :
       {DataType(TypeId::Int), DataType(TypeId::String), DataType(TypeId::Timestamp), DataType::decimal(10, 0),
        DataType(TypeId::Double), DataType::array(DataType(TypeId::Long), true)}) {
    spec->columns = {{"a", type}};
    expect_unsupported(spec, file, "column a");
  }
}

/// Returns a file of a column, whose metadata has an entry.
TemporaryFile file_of(const TestColumn& column, std::string key, std::string value) {
  FileOptions options;
  options.metadata = {{std::move(key), std::move(value)}};
  return TemporaryFile(test::write_parquet({column}, options));
}

TestColumn column_named(const std::string& name) {
  for (auto& column : test::all_columns()) {
    if (column.node->name() == name) return column;
  }
  throw std::invalid_argument(name);
}

/// Days before those that both calendars count alike.
TestColumn old_dates() {
  TestColumn column = column_named("date");
  column.write = [](parquet::ColumnWriter& writer, int64_t first, int64_t n) {
    for (int64_t row = first; row < first + n; ++row) {
      const auto day = static_cast<int32_t>(row - 141'500);
      static_cast<parquet::Int32Writer&>(writer).WriteBatch(1, nullptr, nullptr, &day);
    }
  };
  return column;
}

constexpr const char* kVersion = "org.apache.spark.version";

TEST(ParquetScan, LeavesOldCalendarsToSpark) {
  const TestColumn dates = old_dates();
  const TestColumn int96 = column_named("int96");
  expect_unsupported(test::spec_of({dates}), file_of(dates, kVersion, "2.4.8"), "calendar");
  expect_unsupported(test::spec_of({dates}), file_of(dates, "org.apache.spark.legacyDateTime", ""), "calendar");
  expect_unsupported(test::spec_of({int96}), file_of(int96, kVersion, "3.0.3"), "calendar");
  const TemporaryFile today = file_of(dates, kVersion, "3.0.3");
  EXPECT_EQ(run_scan(test::spec_of({dates}), {{today.split()}}, 0).rows.size(), 100u);
}

TEST(ParquetScan, ReadsDatesThatBothCalendarsCountAlike) {
  for (const char* name : {"date", "micros", "millis"}) {
    const TestColumn column = column_named(name);
    const TemporaryFile file = file_of(column, kVersion, "2.4.8");
    EXPECT_EQ(run_scan(test::spec_of({column}), {{file.split()}}, 0).rows.size(), 100u) << name;
  }
}

TEST(ParquetScan, LeavesDatesOfAnyCalendarToSpark) {
  const auto doubtful = [](const TestColumn& column) {
    auto spec = test::spec_of({column});
    spec->may_have_old_dates = spec->may_have_old_timestamps = true;
    return spec;
  };
  const TestColumn dates = old_dates();
  const TestColumn int96 = column_named("int96");
  const TestColumn late_dates = column_named("date");
  expect_unsupported(doubtful(dates), file_of(dates, "writer", "another"), "names no version of Spark");
  expect_unsupported(doubtful(int96), file_of(int96, "writer", "another"), "names no version of Spark");
  const TemporaryFile others = file_of(dates, "writer", "another");
  EXPECT_EQ(run_scan(test::spec_of({dates}), {{others.split()}}, 0).rows.size(), 100u);
  const TemporaryFile today = file_of(dates, kVersion, "3.0.3");
  EXPECT_EQ(run_scan(doubtful(dates), {{today.split()}}, 0).rows.size(), 100u);
  const TemporaryFile late = file_of(late_dates, "writer", "another");
  EXPECT_EQ(run_scan(doubtful(late_dates), {{late.split()}}, 0).rows.size(), 100u);
}

TEST(ParquetScan, GivesRowGroupsToTheSplitOfTheirMidpoint) {
  const std::vector<TestColumn> columns = {test::long_column("a", [](int64_t row) { return row * 1'000'003; })};
  FileOptions options;
  options.num_rows = 1000;
  options.group_rows = 130;
  const TemporaryFile file(test::write_parquet(columns, options));
  for (const int64_t pieces : {1, 2, 3, 7, 50}) {
    std::vector<std::vector<FileSplit>> partitions;
    for (int64_t i = 0; i < pieces; ++i) {
      FileSplit split = file.split();
      split.start = i * file.num_bytes() / pieces;
      split.length = (i + 1) * file.num_bytes() / pieces - split.start;
      if (i % 2 == 0) partitions.emplace_back();
      partitions.back().push_back(split);
    }
    const auto dataset = open_files(test::spec_of(columns), partitions, 2, unlimited());
    const auto result = run_scan(*dataset, 64, unlimited());
    ASSERT_EQ(result.rows.size(), 1000u);
    for (int64_t row = 0; row < 1000; ++row)
      ASSERT_EQ(result.rows[static_cast<size_t>(row)], test::expected_row(columns, row));
    EXPECT_EQ(result.num_morsels, 8);
    EXPECT_EQ(dataset->num_morsels(), 8);
    EXPECT_EQ(result.input_files, 1);
    EXPECT_EQ(dataset->num_rows(0, dataset->num_partitions()), 1000);
    int64_t bytes = 0;
    for (int i = 0; i < dataset->num_partitions(); ++i) bytes += dataset->partition_bytes(i);
    EXPECT_EQ(bytes, file.num_bytes());
  }
}

TEST(ParquetScan, AddsPartitionColumns) {
  const std::vector<TestColumn> columns = {test::long_column("a", [](int64_t row) { return row; })};
  const TemporaryFile file(test::write_parquet(columns, {}));
  auto spec = test::spec_of(columns);
  spec->columns.push_back({"p", DataType(TypeId::String), true, 0});
  FileSplit first = file.split();
  first.partition_values = {columns::test::make_strings({"x"})};
  FileSplit second = file.split();
  second.partition_values = {columns::test::make_strings({std::nullopt})};
  const auto result = run_scan(spec, {{first}, {second}}, 7);
  EXPECT_EQ(result.rows[3], "3|x");
  EXPECT_EQ(result.rows[103], "3|null");
}

TEST(ParquetScan, SharesMorselsAmongWorkers) {
  const std::vector<TestColumn> columns = {test::long_column("a", [](int64_t row) { return row; })};
  FileOptions options;
  options.num_rows = 5000;
  options.group_rows = 50;
  const TemporaryFile file(test::write_parquet(columns, options));
  const auto dataset = open_files(test::spec_of(columns), {{file.split()}}, 2, unlimited());
  const execution::Cancellation cancellation;
  const auto scan = dataset->scan(0, 1, {unlimited(), &cancellation, nullptr, 0, 16});
  std::vector<std::atomic<int>> seen(5000);
  std::atomic<int> ends{0};
  const auto work = [&] {
    const auto worker = scan->make_worker();
    columns::Batch batch;
    while (operators::test::insist([&] { return worker->next(batch); })) {
      ends += batch.ends_morsel;
      for (int64_t i = 0; i < batch.num_rows; ++i)
        ++seen[static_cast<size_t>(batch.morsel * 50 + batch.sequence * 16 + i)];
    }
  };
  {
    std::jthread first(work);
    std::jthread second(work);
  }
  for (const auto& count : seen) ASSERT_EQ(count, 1);
  EXPECT_EQ(ends, 100);
}

TEST(ParquetScan, NoticesFilesThatChange) {
  const auto identity = [](int64_t row) { return row; };
  const TemporaryFile file(test::write_parquet({test::long_column("a", identity)}, {}));
  const auto spec = test::spec_of({test::long_column("a", identity)});
  const auto dataset = open_files(spec, {{file.split()}}, 1, unlimited());
  FileOptions longer;
  longer.num_rows = 60;
  file.overwrite(test::write_parquet({test::long_column("a", [](int64_t row) { return -row; })}, longer));
  EXPECT_EQ(run_scan(*dataset, 7, unlimited()).rows[59], "-59");

  const execution::Cancellation cancellation;
  const auto scan = dataset->scan(0, 1, {unlimited(), &cancellation, nullptr, 0, 16});
  file.overwrite(test::write_parquet({test::text_column("a", false, [](int64_t) { return "x"; })}, {}));
  const auto worker = scan->make_worker();
  columns::Batch batch;
  try {
    worker->next(batch);
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_NE(error.message().find(file.uri()), std::string::npos) << error.message();
  }
  EXPECT_THROW(dataset->scan(0, 1, {unlimited(), &cancellation, nullptr, 0, 16}), Error);
}

TEST(ParquetScan, NamesFilesThatCanNotBeRead) {
  const auto spec = std::make_shared<ScanSpec>();
  const Error missing = expect_error(spec, {{"file:///no/such/file.parquet", 0, 10, 10, 0, {}}});
  EXPECT_EQ(missing.kind(), ErrorKind::Unsupported);
  EXPECT_NE(missing.message().find("/no/such/file.parquet"), std::string::npos);
  EXPECT_EQ(expect_error(spec, {{"s3a://bucket/x", 0, 10, 10, 0, {}}}).kind(), ErrorKind::Unsupported);
  const TemporaryFile text("this is not a Parquet file at all");
  const Error error = expect_error(spec, {text.split()});
  EXPECT_EQ(error.kind(), ErrorKind::Unsupported);
  EXPECT_NE(error.message().find(text.uri()), std::string::npos);
  const TemporaryFile encrypted("PAR1 0123456789 PARE");
  EXPECT_EQ(expect_error(spec, {encrypted.split()}).kind(), ErrorKind::Unsupported);
}

TEST(ParquetScan, NamesColumnAndPageThatCanNotBeRead) {
  const std::vector<TestColumn> columns = {test::text_column(
      "words", false, [](int64_t row) { return row == 60 ? "the needle" : "some word " + std::to_string(row); })};
  FileOptions options;
  options.dictionary = false;
  options.codec = parquet::Compression::UNCOMPRESSED;
  std::string bytes = test::write_parquet(columns, options);
  bytes.replace(bytes.find("the needle") - 4, 4, "\xff\xff\xff\x7f");
  const TemporaryFile file(bytes);
  const Error error = expect_error(test::spec_of(columns), {file.split()});
  EXPECT_EQ(error.kind(), ErrorKind::Unsupported);
  EXPECT_EQ(error.message(),
            "can't read column words of " + file.uri() + ": page 1: a page holds fewer values than it says");
}

TEST(ParquetScan, DecodesPercentsInPaths) {
  const TemporaryFile file(test::write_parquet(test::all_columns(), {}), "a file%.parquet");
  FileSplit split = file.split();
  split.path = "file:" + std::filesystem::path(file.path()).parent_path().string() + "/a%20file%25.parquet";
  EXPECT_GT(run_scan(std::make_shared<ScanSpec>(), {{split}}, 7).num_batches, 0);
}

/// parquet-mr fails to open them.
TEST(ParquetScan, LeavesRowGroupsWithoutColumnsToSpark) {
  const TemporaryFile file(test::write_parquet({}, {}));
  EXPECT_THROW(open_files(std::make_shared<ScanSpec>(), {{file.split()}}, 1, unlimited()), Error);
}

TEST(ParquetScan, FailsOverItsBudgetAndGivesMemoryBack) {
  const auto columns = test::all_columns();
  FileOptions options;
  options.num_rows = 3000;
  const TemporaryFile file(test::write_parquet(columns, options));
  const auto spec = test::spec_of(columns);
  int failures = 0;
  for (int64_t limit = 1000; failures == 0 || limit < 8'000'000; limit = limit * 5 / 4) {
    const auto budget = std::make_shared<memory::Budget>("ParquetScan", limit);
    try {
      run_scan(*open_files(spec, {{file.split()}}, 2, budget), 500, budget);
    } catch (const Error& error) {
      ++failures;
      EXPECT_EQ(error.kind(), ErrorKind::Resource) << error.message();
      EXPECT_NE(error.message().find("ParquetScan"), std::string::npos) << error.message();
    }
    EXPECT_EQ(budget->used_bytes(), 0);
  }
  EXPECT_GT(failures, 10);
}

TEST(ParquetScan, StopsWhenCancelled) {
  const TemporaryFile file(test::write_parquet({test::long_column("a", [](int64_t row) { return row; })}, {}));
  const auto dataset = open_files(std::make_shared<ScanSpec>(), {{file.split()}}, 1, unlimited());
  execution::Cancellation cancellation;
  const auto scan = dataset->scan(0, 1, {unlimited(), &cancellation, nullptr, 0, 16});
  const auto worker = scan->make_worker();
  columns::Batch batch;
  worker->next(batch);
  cancellation.cancel();
  EXPECT_THROW(worker->next(batch), Error);
}

}  // namespace
}  // namespace accelerant::io
