// Row groups decoded on the emulated device, and damaged ones: the same rows as the host's reader gives, or its error.

#include "io/encoded_scan.h"

#include "base/error.h"
#include "columns/test_columns.h"
#include "device/emulator/emulator.h"
#include "device/pinned_memory.h"
#include "io/scan.h"
#include "io/test_files.h"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <string>
#include <vector>

namespace accelerant::io {
namespace {

using columns::test::unlimited;
using parquet::Compression;
using parquet::Encoding;
using parquet::ParquetDataPageVersion;
using test::FileOptions;
using test::TemporaryFile;
using test::TestColumn;

/// What a scan for a device came to.
struct DeviceResult {
  std::vector<std::string> rows;
  std::set<std::string> on_host;   ///< columns that the host decoded
  std::set<std::string> coded;     ///< columns of codes
  std::set<std::string> pageable;  ///< columns that are copied from other memory than was asked for
  int64_t num_decoded = 0;         ///< morsels that the device did
  int64_t num_on_host = 0;
  int64_t num_without_rows = 0;
};

/// Scans as an operator does that runs on a device.
class DeviceScan {
 public:
  DeviceScan(const Dataset& dataset, const ScanSpec& spec, std::shared_ptr<memory::Budget> budget)
      : spec_(spec),
        budget_(std::move(budget)),
        ctx_{budget_, &cancellation_, &metrics_, 0, 16},
        scan_(dataset.scan(0, dataset.num_partitions(), ctx_)) {}

  DeviceResult run() {
    const auto worker = scan_->encoded()->make_encoded_worker(
        [this](int64_t bytes, const auto& budget) { return allocate_pinned(bytes, budget); });
    device::EncodedBatch encoded;
    while (worker->next(encoded)) {
      EXPECT_EQ(encoded.morsel, next_morsel_++);
      if (encoded.num_rows == 0) {
        ++result_.num_without_rows;
      } else if (!try_decode(encoded)) {
        read_on_host(*worker);
      }
    }
    return std::move(result_);
  }

 private:
  std::shared_ptr<memory::Buffer> allocate_pinned(int64_t bytes, const std::shared_ptr<memory::Budget>& budget) {
    auto buffer = device_.pinned_memory()->allocate(bytes, budget);
    pinned_.insert(buffer->data());
    return buffer;
  }

  bool try_decode(const device::EncodedBatch& encoded) {
    try {
      return decode(encoded);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::Resource) << error.message();
      return false;
    }
  }

  bool decode(const device::EncodedBatch& encoded) {
    if (encoded.columns.empty()) return false;
    for (size_t i = 0; i < spec_.columns.size(); ++i) {
      const device::EncodedColumn& column = encoded.columns[i];
      if (column.decoded) result_.on_host.insert(spec_.columns[i].name);
      if (!column.decoded && !pinned_.contains(column.bytes->data())) result_.pageable.insert(spec_.columns[i].name);
    }
    const auto batch = device::decode(*stream_, encoded, budget_);
    if (!batch) return false;
    ++result_.num_decoded;
    for (size_t i = 0; i < spec_.columns.size(); ++i) {
      EXPECT_EQ(batch->columns[i].layout, device::layout_of(encoded.columns[i]));
      if (batch->columns[i].layout == device::ColumnLayout::Codes) result_.coded.insert(spec_.columns[i].name);
    }
    collect(device::download(*stream_, *batch, budget_));
    return true;
  }

  void read_on_host(EncodedScanWorker& worker) {
    ++result_.num_on_host;
    columns::Batch batch;
    do {
      worker.next_on_host(batch);
      collect(batch);
    } while (!batch.ends_morsel);
  }

  void collect(const columns::Batch& batch) {
    for (int64_t row = 0; row < batch.num_rows; ++row) {
      std::string shown;
      for (const auto& column : batch.columns) shown += (shown.empty() ? "" : "|") + columns::test::show(*column, row);
      result_.rows.push_back(shown);
    }
  }

  const ScanSpec& spec_;
  const std::shared_ptr<memory::Budget> budget_;
  const execution::Cancellation cancellation_;
  execution::Metrics metrics_;
  const execution::OperatorContext ctx_;
  const std::unique_ptr<Scan> scan_;
  device::emulator::Emulator device_{{device::emulator::Turns::Random, 7, 4}};
  const std::unique_ptr<device::DeviceStream> stream_ = device_.create_stream(budget_);
  std::set<const uint8_t*> pinned_;  ///< where buffers that were asked for begin
  int64_t next_morsel_ = 0;
  DeviceResult result_;
};

DeviceResult scan_on_device(const std::vector<TestColumn>& columns, const TemporaryFile& file) {
  const auto spec = test::spec_of(columns);
  const auto dataset = open_files(spec, {{file.split()}}, 1, unlimited());
  return DeviceScan(*dataset, *spec, unlimited()).run();
}

/// Returns those columns that a device does not decode, whatever their pages are like.
std::set<std::string> host_columns(const std::vector<TestColumn>& columns) {
  static const std::set<std::string> kOnHost = {"millis",        "unsigned_int",  "unsigned_long", "float_as_double",
                                                "int_as_double", "bytes_decimal", "fixed",         "int96"};
  std::set<std::string> found;
  for (const TestColumn& column : columns) {
    const std::string& name = column.node->name();
    if (kOnHost.contains(name.substr(0, name.find("_optional")))) found.insert(name);
  }
  return found;
}

/// Returns columns that differ in how they are decoded.
std::vector<TestColumn> few_columns() {
  std::vector<TestColumn> columns;
  for (const TestColumn& column : test::all_columns()) {
    for (const char* name : {"int_optional", "boolean_optional", "string", "string_optional", "fixed_decimal9"}) {
      if (column.node->name() == name) columns.push_back(column);
    }
  }
  return columns;
}

/// Says whether a column may lie in the host's own memory: where the host was to decompress it, and no page of it is
/// compressed, as it is too small.
bool may_be_pageable(const std::string& column, Compression::type codec) {
  const bool is_of_host = codec != Compression::UNCOMPRESSED && codec != Compression::SNAPPY;
  return is_of_host && column == "boolean_optional";
}

/// Decodes a file and compares every row.
void expect_decoded(const std::vector<TestColumn>& columns, FileOptions options, const std::set<std::string>& on_host) {
  for (const auto version : {ParquetDataPageVersion::V1, ParquetDataPageVersion::V2}) {
    options.page_version = version;
    const TemporaryFile file(test::write_parquet(columns, options));
    const DeviceResult result = scan_on_device(columns, file);
    EXPECT_EQ(result.on_host, on_host);
    for (const std::string& name : result.pageable) EXPECT_TRUE(may_be_pageable(name, options.codec)) << name;
    EXPECT_EQ(result.num_decoded, (options.num_rows + options.group_rows - 1) / options.group_rows);
    ASSERT_EQ(static_cast<int64_t>(result.rows.size()), options.num_rows);
    for (int64_t row = 0; row < options.num_rows; ++row) {
      ASSERT_EQ(result.rows[static_cast<size_t>(row)], test::expected_row(columns, row)) << "row " << row;
    }
  }
}

TEST(EncodedScan, DecodesDictionaryPages) {
  const auto columns = test::all_columns();
  expect_decoded(columns, {}, host_columns(columns));
}

TEST(EncodedScan, DecodesPlainPages) {
  const auto columns = test::all_columns();
  FileOptions options;
  options.dictionary = false;
  expect_decoded(columns, options, host_columns(columns));
}

TEST(EncodedScan, DecodesChunksThatLeaveTheirDictionary) {
  const auto columns = test::all_columns();
  FileOptions options;
  options.dictionary_bytes = 40;
  options.page_bytes = 64;
  expect_decoded(columns, options, host_columns(columns));
}

TEST(EncodedScan, DecodesSeveralRowGroups) {
  const auto columns = few_columns();
  FileOptions options;
  options.num_rows = 70;
  options.group_rows = 33;
  expect_decoded(columns, options, {});
}

TEST(EncodedScan, DecodesPagesOfAllCodecs) {
  const auto columns = few_columns();
  for (const auto codec : {Compression::UNCOMPRESSED, Compression::GZIP, Compression::BROTLI, Compression::ZSTD,
                           Compression::LZ4_HADOOP}) {
    FileOptions options;
    options.codec = codec;
    options.num_rows = 50;
    options.dictionary_bytes = 40;
    expect_decoded(columns, options, host_columns(columns));
  }
}

TEST(EncodedScan, DecodesPackedDeltasAndRunsOfBooleans) {
  for (const auto encoding : {Encoding::DELTA_BINARY_PACKED, Encoding::RLE}) {
    FileOptions options;
    options.dictionary = false;
    options.encoding = encoding;
    const auto columns = test::columns_for(encoding);
    expect_decoded(columns, options, host_columns(columns));
  }
}

TEST(EncodedScan, LeavesOtherEncodingsToTheHost) {
  for (const auto encoding :
       {Encoding::DELTA_LENGTH_BYTE_ARRAY, Encoding::DELTA_BYTE_ARRAY, Encoding::BYTE_STREAM_SPLIT}) {
    FileOptions options;
    options.dictionary = false;
    options.encoding = encoding;
    const auto columns = test::columns_for(encoding);
    std::set<std::string> all;
    for (const TestColumn& column : columns) all.insert(column.node->name());
    expect_decoded(columns, options, all);
  }
}

TEST(EncodedScan, DecodesStringsOfAllKinds) {
  const auto text = [](int64_t row) { return std::string(static_cast<size_t>(row * row % 977), 'a' + row % 26); };
  const auto none = [](int64_t) { return std::string(); };
  const std::vector<TestColumn> columns = {
      test::text_column("long", false, text), test::text_column("long_optional", true, text),
      test::text_column("empty", false, none), test::text_column("empty_optional", true, none)};
  for (const bool dictionary : {false, true}) {
    FileOptions options;
    options.num_rows = 300;
    options.page_bytes = 2000;
    options.dictionary = dictionary;
    options.dictionary_bytes = 5000;
    expect_decoded(columns, options, {});
  }
}

/// Strings of a dictionary stay codes where they all are, as the host has them.
TEST(EncodedScan, KeepsCodesOfDictionaries) {
  const std::vector<TestColumn> columns = {
      test::text_column("few", true, [](int64_t row) { return "value " + std::to_string(row % 5); }),
      test::text_column("many", true, [](int64_t row) { return "value " + std::to_string(row); })};
  FileOptions options;
  options.dictionary_bytes = 200;
  const TemporaryFile file(test::write_parquet(columns, options));
  const auto spec = test::spec_of(columns);
  const execution::Cancellation cancellation;
  const execution::OperatorContext ctx{unlimited(), &cancellation, nullptr, 0, 0};
  const auto scan = open_files(spec, {{file.split()}}, 1, unlimited())->scan(0, 1, ctx);
  device::EncodedBatch encoded;
  ASSERT_TRUE(scan->encoded()->make_encoded_worker(memory::Buffer::allocate)->next(encoded));
  device::emulator::Emulator emulator({device::emulator::Turns::Forward, 1, 4});
  const auto stream = emulator.create_stream(memory::process_budget());
  const auto batch = device::decode(*stream, encoded, unlimited());
  ASSERT_TRUE(batch);
  EXPECT_EQ(batch->columns[0].layout, device::ColumnLayout::Codes);
  EXPECT_EQ(batch->columns[0].dictionary->length(), 5);
  EXPECT_EQ(batch->columns[1].layout, device::ColumnLayout::Strings);
}

TEST(EncodedScan, GivesPartitionColumnsAndMissingOnes) {
  const auto number = test::long_column("a", [](int64_t row) { return row; });
  const TemporaryFile file(test::write_parquet({number}, {}));
  ScanSpec spec = *test::spec_of({number});
  spec.columns.push_back({"day", types::DataType(types::TypeId::String), true, 0});
  spec.columns.push_back({"missing", types::DataType(types::TypeId::Int), true});
  spec.columns.push_back({"no_text", types::DataType(types::TypeId::String), true});
  FileSplit split = file.split();
  split.partition_values = {columns::test::make_strings({"monday"})};
  const auto dataset = open_files(std::make_shared<ScanSpec>(spec), {{split}}, 1, unlimited());
  const DeviceResult result = DeviceScan(*dataset, spec, unlimited()).run();
  ASSERT_EQ(result.rows.size(), 100U);
  EXPECT_EQ(result.rows[42], "42|monday|null|null");
  EXPECT_EQ(result.num_decoded, 1);
  EXPECT_EQ(result.coded, (std::set<std::string>{"day", "no_text"}));
}

/// What statistics rule out is not read; other filters are left to whoever has the rows.
TEST(EncodedScan, PrunesRowGroups) {
  const std::vector<TestColumn> columns = {test::long_column("a", [](int64_t row) { return row; })};
  FileOptions options;
  options.group_rows = 30;
  const TemporaryFile file(test::write_parquet(columns, options));
  auto spec = test::spec_of(columns);
  spec->filters = {test::compare(0, "LessThan", 40)};
  const auto dataset = open_files(spec, {{file.split()}}, 1, unlimited());
  const DeviceResult result = DeviceScan(*dataset, *spec, unlimited()).run();
  EXPECT_EQ(result.num_without_rows, 2);
  EXPECT_EQ(result.num_decoded, 2);
  EXPECT_EQ(result.rows.size(), 60U);
}

/// Where a page is bad, the host reads the row group, and says what is wrong.
void expect_bad_page_named(bool optional) {
  const auto columns = std::vector<TestColumn>{
      test::text_column("text", optional, [](int64_t row) { return "value " + std::to_string(row); })};
  FileOptions options;
  options.dictionary = false;
  options.codec = Compression::UNCOMPRESSED;
  std::string bytes = test::write_parquet(columns, options);
  const size_t place = bytes.find("value 4") - 4;
  bytes[place] = 100;
  bytes[place + 1] = 100;
  const TemporaryFile file(bytes);
  try {
    scan_on_device(columns, file);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_NE(error.message().find(file.uri()), std::string::npos) << error.message();
    EXPECT_NE(error.message().find("page 0"), std::string::npos) << error.message();
    EXPECT_NE(error.message().find("column text"), std::string::npos) << error.message();
  }
}

TEST(EncodedScan, LeavesBadPagesToTheHost) {
  expect_bad_page_named(true);
  expect_bad_page_named(false);
}

/// Where the budget is too small for all columns at once, the host reads the row group.
TEST(EncodedScan, LeavesWhatHasNoRoomToTheHost) {
  const auto columns = test::all_columns();
  const TemporaryFile file(test::write_parquet(columns, {}));
  const auto spec = test::spec_of(columns);
  const auto budget = std::make_shared<memory::Budget>("scan", int64_t{1} << 20);
  const auto dataset = open_files(spec, {{file.split()}}, 1, unlimited());
  for (int64_t limit = 1000;; limit *= 2) {
    budget->set_limit_bytes(limit);
    try {
      const DeviceResult result = DeviceScan(*dataset, *spec, budget).run();
      EXPECT_EQ(budget->used_bytes(), 0);
      if (result.num_decoded == 1) break;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::Resource) << error.message();
    }
    EXPECT_EQ(budget->used_bytes(), 0);
  }
}

/// Returns the rows of a file, or the error that they end in.
template <class Scan>
std::string outcome_of(Scan scan) {
  try {
    std::string rows;
    for (const std::string& row : scan()) rows += row + "\n";
    return rows;
  } catch (const Error& error) {
    return error.message();
  }
}

TEST(EncodedScan, ReadsDamagedFilesAsTheHostDoes) {
  const auto columns = few_columns();
  std::mt19937 random(20261123);
  int num_decoded = 0;
  for (const auto codec : {Compression::UNCOMPRESSED, Compression::SNAPPY}) {
    FileOptions options;
    options.num_rows = 40;
    options.codec = codec;
    options.dictionary_bytes = 40;
    options.page_bytes = 64;
    const std::string bytes = test::write_parquet(columns, options);
    const TemporaryFile file(bytes);
    for (int round = 0; round < 40; ++round) {
      std::string damaged = bytes;
      damaged[random() % (bytes.size() / 2)] ^= static_cast<char>(1 << random() % 8);
      file.overwrite(damaged);
      const auto on_device = [&] {
        DeviceResult result = scan_on_device(columns, file);
        num_decoded += result.num_decoded > 0;
        return result.rows;
      };
      const auto on_host = [&] { return test::run_scan(test::spec_of(columns), {{file.split()}}, 16).rows; };
      EXPECT_EQ(outcome_of(on_device), outcome_of(on_host));
    }
  }
  EXPECT_GT(num_decoded, 15);
}

}  // namespace
}  // namespace accelerant::io
