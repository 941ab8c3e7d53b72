#pragma once

#include "io/scan.h"

#include <parquet/api/schema.h>
#include <parquet/api/writer.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

/// Parquet files for unit tests, written by Arrow, and scans of them: only tests include this.
namespace accelerant::io::test {

/// Levels of a leaf of a nested column.
struct TestLevels {
  std::vector<int16_t> repetitions;
  std::vector<int16_t> definitions;
};

/// A column of a test file: how to write its rows, and what a scan must show.
struct TestColumn {
  parquet::schema::NodePtr node;
  types::DataType type;
  /// Writes rows [first, first + n).
  std::function<void(parquet::ColumnWriter&, int64_t first, int64_t n)> write;
  /// Shows a row as columns::test::show does.
  std::function<std::string(int64_t row)> expected;
  /// Writes the values of some rows, of which none is null, with levels.
  std::function<void(parquet::ColumnWriter&, const TestLevels&, const std::vector<int64_t>& rows)> write_entries = {};
  /// Writes rows [first, first + n) of all leaves of a nested column, in place of `write`.
  std::function<void(parquet::RowGroupWriter&, int64_t first, int64_t n)> write_leaves = {};
};

/// How a file is written.
struct FileOptions {
  int64_t num_rows = 100;
  int64_t group_rows = 1000;
  parquet::Encoding::type encoding = parquet::Encoding::PLAIN;
  bool dictionary = true;
  int64_t dictionary_bytes = 1 << 20;  ///< beyond these the writer falls back to `encoding`
  int64_t page_bytes = 300;
  parquet::ParquetDataPageVersion page_version = parquet::ParquetDataPageVersion::V1;
  parquet::Compression::type codec = parquet::Compression::SNAPPY;
  std::vector<std::pair<std::string, std::string>> metadata;
  bool page_index = false;
  std::vector<std::string> bloom_filters = {};  ///< of these columns
  std::vector<std::string> plain_columns;       ///< written PLAIN whatever `encoding` says
};

/// Returns columns of every stored type that the scan reads, once required and once optional (every third row null).
std::vector<TestColumn> all_columns();
/// Returns the columns whose stored type has an encoding other than PLAIN.
std::vector<TestColumn> columns_for(parquet::Encoding::type encoding);
/// Makes a required bigint column whose row i is `value(i)`.
TestColumn long_column(const std::string& name, std::function<int64_t(int64_t)> value);
/// Makes a string column; every third row is null if `optional`.
TestColumn text_column(const std::string& name, bool optional, std::function<std::string(int64_t)> value);

/// Returns the bytes of a file.
std::string write_parquet(const std::vector<TestColumn>& columns, const FileOptions& options);

/// A file that is removed with this object.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& bytes, const std::string& name = "part.parquet");
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile();

  void overwrite(const std::string& bytes) const;
  const std::string& path() const { return path_; }
  std::string uri() const { return "file://" + path_; }
  int64_t num_bytes() const;
  /// The whole file as a split.
  FileSplit split() const;

 private:
  std::string folder_;
  std::string path_;
};

/// Returns a scan of all `columns`.
std::shared_ptr<ScanSpec> spec_of(const std::vector<TestColumn>& columns);
/// Returns a row as the scan must show it: columns joined by '|'.
std::string expected_row(const std::vector<TestColumn>& columns, int64_t row);

/// Makes a condition like `column LessThan value` on a bigint column of a scan.
std::shared_ptr<const expressions::Program> compare(int column, const std::string& function, int64_t value);
/// Makes a filter that wants some keys of a bigint column.
execution::KeyFilter key_filter(int column, const std::vector<std::optional<int64_t>>& keys);

/// What a scan gave.
struct ScanResult {
  std::vector<std::string> rows;
  int64_t num_morsels = 0;
  int64_t num_batches = 0;
  int64_t num_errors = 0;        ///< of batches' rows
  int64_t num_dictionaries = 0;  ///< columns of batches that came dictionary-encoded
  int64_t input_bytes = 0;
  int64_t input_files = 0;
};

/// Scans partitions on one worker and checks the order and the ends of morsels.
ScanResult run_scan(const std::shared_ptr<const ScanSpec>& spec, const std::vector<std::vector<FileSplit>>& partitions,
                    int64_t batch_rows, std::shared_ptr<memory::Budget> budget = nullptr,
                    std::vector<execution::KeyFilter> key_filters = {});
/// Scans an open dataset.
ScanResult run_scan(const Dataset& dataset, int64_t batch_rows, const std::shared_ptr<memory::Budget>& budget,
                    std::vector<execution::KeyFilter> key_filters = {});

}  // namespace accelerant::io::test
