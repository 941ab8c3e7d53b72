// Damages small files in every place. A scan must end in rows or in an Error that names the file, never in a crash
// (which the sanitizers would see) nor in an endless loop.

#include "base/error.h"
#include "columns/test_columns.h"
#include "io/parquet_writer.h"
#include "io/scan.h"
#include "io/test_files.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

namespace accelerant::io {
namespace {

using test::FileOptions;
using test::TemporaryFile;
using test::TestColumn;
using types::DataType;
using types::TypeId;

constexpr int64_t kBudgetBytes = int64_t{64} << 20;

/// Every place and pattern is tried where ACCELERANT_THOROUGH_TESTS is set (minutes under sanitizers), else some.
bool is_thorough() { return std::getenv("ACCELERANT_THOROUGH_TESTS") != nullptr; }

/// Counts how scans of damaged files end.
struct Outcomes {
  int rows = 0;
  int errors = 0;
};

void scan_damaged(const TemporaryFile& file, const std::shared_ptr<const ScanSpec>& spec, FileSplit split,
                  Outcomes& outcomes) {
  const auto budget = std::make_shared<memory::Budget>("ParquetScan", kBudgetBytes);
  try {
    test::run_scan(*open_files(spec, {{std::move(split)}}, 1, budget), 16, budget);
    ++outcomes.rows;
  } catch (const Error& error) {
    ++outcomes.errors;
    EXPECT_NE(error.kind(), ErrorKind::Internal) << error.message();
    EXPECT_NE(error.message().find(file.uri()), std::string::npos) << error.message();
  }
  EXPECT_EQ(budget->used_bytes(), 0);
}

/// Columns of few bytes that take every path: levels, dictionaries, plain and delta pages, long and short strings.
std::vector<TestColumn> few_columns() {
  std::vector<TestColumn> all = test::all_columns();
  std::vector<TestColumn> few;
  for (auto& column : all) {
    for (const char* name : {"int_optional", "boolean_optional", "string", "string_optional", "bytes_decimal",
                             "fixed_decimal9", "millis", "int96"}) {
      if (column.node->name() == name) few.push_back(column);
    }
  }
  return few;
}

std::vector<FileOptions> variants() {
  FileOptions dictionary;
  dictionary.num_rows = 40;
  dictionary.codec = parquet::Compression::UNCOMPRESSED;
  FileOptions plain = dictionary;
  plain.dictionary = false;
  plain.page_version = parquet::ParquetDataPageVersion::V2;
  FileOptions compressed = dictionary;
  compressed.codec = parquet::Compression::SNAPPY;
  compressed.group_rows = 25;
  FileOptions falling_back = dictionary;
  falling_back.dictionary_bytes = 40;
  falling_back.page_bytes = 64;
  return {dictionary, plain, compressed, falling_back};
}

FileSplit whole(const TemporaryFile& file) { return {file.uri(), 0, int64_t{1} << 40, 0, 0, {}}; }

void flip_every_byte(const std::vector<TestColumn>& columns, const FileOptions& options) {
  const std::string bytes = test::write_parquet(columns, options);
  const auto spec = test::spec_of(columns);
  const TemporaryFile file(bytes);
  const std::vector<int> patterns = {0xff, 0x01, 0x80, 0x10};
  Outcomes outcomes;
  for (size_t i = 0, tried = 0; i < bytes.size(); i += is_thorough() ? 1 : 7) {
    for (size_t j = 0; j < (is_thorough() ? patterns.size() : 1); ++j) {
      std::string damaged = bytes;
      damaged[i] = static_cast<char>(damaged[i] ^ patterns[tried++ % patterns.size()]);
      file.overwrite(damaged);
      scan_damaged(file, spec, whole(file), outcomes);
    }
  }
  EXPECT_GT(outcomes.errors, 20);
  EXPECT_GT(outcomes.rows, 20);
}

TEST(ParquetCorruption, SurvivesFlippedBytes) {
  for (const auto& options : variants()) flip_every_byte(few_columns(), options);
}

TEST(ParquetCorruption, SurvivesFlippedBytesOfDeltaPages) {
  using parquet::Encoding;
  for (const auto encoding : {Encoding::DELTA_BINARY_PACKED, Encoding::DELTA_LENGTH_BYTE_ARRAY,
                              Encoding::DELTA_BYTE_ARRAY, Encoding::BYTE_STREAM_SPLIT, Encoding::RLE}) {
    FileOptions options = variants()[0];
    options.dictionary = false;
    options.encoding = encoding;
    auto columns = test::columns_for(encoding);
    columns.resize(std::min<size_t>(columns.size(), 4));
    flip_every_byte(columns, options);
  }
}

TEST(ParquetCorruption, SurvivesRandomDamage) {
  const auto columns = few_columns();
  const auto spec = test::spec_of(columns);
  std::mt19937 random(20240611);
  Outcomes outcomes;
  for (const auto& options : variants()) {
    const std::string bytes = test::write_parquet(columns, options);
    const TemporaryFile file(bytes);
    for (int round = 0; round < (is_thorough() ? 2000 : 100); ++round) {
      std::string damaged = bytes;
      const size_t places = 1 + random() % 8;
      for (size_t i = 0; i < places; ++i) damaged[random() % damaged.size()] = static_cast<char>(random());
      file.overwrite(damaged);
      scan_damaged(file, spec, whole(file), outcomes);
    }
  }
  EXPECT_GT(outcomes.errors, 100);
}

TEST(ParquetCorruption, RefusesTruncatedFiles) {
  const auto columns = few_columns();
  const auto spec = test::spec_of(columns);
  const std::string bytes = test::write_parquet(columns, variants()[0]);
  const TemporaryFile file(bytes);
  Outcomes outcomes;
  for (size_t length = 0; length < bytes.size(); length += is_thorough() ? 1 : 5) {
    file.overwrite(bytes.substr(0, length));
    scan_damaged(file, spec, whole(file), outcomes);
  }
  EXPECT_EQ(outcomes.rows, 0);
}

/// Cuts out the middle, so that the footer is whole and points beyond the data.
TEST(ParquetCorruption, SurvivesMissingData) {
  const auto columns = few_columns();
  const auto spec = test::spec_of(columns);
  const std::string bytes = test::write_parquet(columns, variants()[0]);
  const TemporaryFile file(bytes);
  Outcomes outcomes;
  for (size_t cut = 1; cut < bytes.size() / 2; cut += is_thorough() ? 3 : 23) {
    file.overwrite(bytes.substr(cut));
    scan_damaged(file, spec, whole(file), outcomes);
  }
  EXPECT_GT(outcomes.errors, 10);
}

/// Writes an array of structs with texts, and an array of texts.
std::string write_nested(const std::vector<WriteColumn>& columns) {
  std::vector<columns::ColumnPtr> values;
  for (const WriteColumn& column : columns) {
    for (const auto& sample : columns::test::samples(40)) {
      if (sample.column->type() == column.type && sample.column->may_have_nulls()) {
        values.push_back(sample.column);
        break;
      }
    }
  }
  const TemporaryFile file("");
  const auto writer = open_parquet_writer({columns, "4.3.0", {}}, file.uri(), columns::test::unlimited());
  columns::Batch batch;
  batch.num_rows = 40;
  batch.columns = values;
  writer->write(batch, 0, 40);
  writer->close();
  std::ifstream written(file.path(), std::ios::binary);
  return {std::istreambuf_iterator<char>(written), {}};
}

TEST(ParquetCorruption, DamagedNestedColumnsEndInRowsOrErrors) {
  const DataType texts(TypeId::String);
  const DataType members = DataType::structure({{"a", DataType(TypeId::Long), true}, {"b", texts, true}});
  const std::vector<WriteColumn> columns = {{"a", DataType::array(members, true)}, {"b", DataType::array(texts, true)}};
  const std::string bytes = write_nested(columns);
  auto spec = std::make_shared<ScanSpec>();
  for (const WriteColumn& column : columns) spec->columns.push_back({column.name, column.type});
  const TemporaryFile file(bytes);
  std::mt19937 random(20260101);
  Outcomes outcomes;
  for (int i = 0; i < (is_thorough() ? 20'000 : 1500); ++i) {
    std::string damaged = bytes;
    for (int flips = 1 + static_cast<int>(random() % 3); flips > 0; --flips) {
      damaged[random() % damaged.size()] ^= static_cast<char>(1 << (random() % 8));
    }
    file.overwrite(damaged);
    scan_damaged(file, spec, whole(file), outcomes);
  }
  EXPECT_GT(outcomes.rows, 0);
  EXPECT_GT(outcomes.errors, 100);
}

}  // namespace
}  // namespace accelerant::io
