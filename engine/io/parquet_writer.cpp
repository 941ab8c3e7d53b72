#include "io/parquet_writer.h"

#include "base/error.h"
#include "io/arrow_pool.h"
#include "io/column_encoder.h"
#include "io/dictionary_choice.h"
#include "io/local_file.h"
#include "io/nested_levels.h"
#include "io/parquet_write_options.h"
#include "io/parquet_write_schema.h"
#include "io/parquet_writer_properties.h"
#include "memory/memory_wait.h"

#include <arrow/io/file.h>
#include <arrow/util/key_value_metadata.h>
#include <parquet/exception.h>
#include <parquet/file_writer.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace accelerant::io {

namespace {

/// Rows between two looks at the size of a row group, and at memory.
constexpr int64_t kStepRows = 16 * 1024;
/// Likewise, of a file that has none.
constexpr int64_t kFirstStepRows = 1024;
/// Likewise, where small row groups are asked for, and near the end of any: as often as parquet-mr looks.
constexpr int64_t kLeastStepRows = 100;
/// Row groups that kFirstStepRows may go beyond.
constexpr int64_t kSmallRowGroupBytes = 1 << 20;
/// Bytes of encoded rows between two looks.
constexpr int64_t kStepBytes = 4 << 20;
/// Row groups that are not worth ending for their memory.
constexpr int64_t kLeastRowGroupBytes = 256 << 10;
/// Rows of nested columns that are taken apart at once: each may have many elements.
constexpr int64_t kNestedStepRows = 256;

std::shared_ptr<arrow::io::FileOutputStream> create_file(const std::string& uri) {
  const std::filesystem::path path = local_path(uri);
  std::filesystem::create_directories(path.parent_path());
  PARQUET_ASSIGN_OR_THROW(auto file, arrow::io::FileOutputStream::Open(path.string()));
  return file;
}

std::shared_ptr<const parquet::KeyValueMetadata> metadata_of(const ParquetWriteOptions& options) {
  auto metadata = std::make_shared<arrow::KeyValueMetadata>();
  for (const auto& [key, value] : options.metadata) metadata->Append(key, value);
  return metadata;
}

/// A file whose row group ends early where memory is short.
class WrittenFile final : public memory::MemoryReclaimer {
 public:
  WrittenFile(const WriteSpec& spec, const std::string& uri, const std::shared_ptr<memory::Budget>& budget)
      : uri_(uri),
        columns_(spec.columns),
        options_(ParquetWriteOptions::parse(spec)),
        budget_(std::make_shared<memory::Budget>("WriteFiles", memory::Budget::kUnlimited, budget)),
        pool_(budget_, ArrowPool::Refused::IsLent),
        schema_(parquet_schema(spec.columns, options_)),
        leaves_(leaves_of(schema_, spec.columns, options_)) {
    guarded([&] {
      charge_encoder();
      sink_ = create_file(uri_);
    });
  }

  ~WrittenFile() override { abandon(); }

  const std::shared_ptr<memory::Budget>& budget() const { return budget_; }

  void write(const columns::Batch& batch, int64_t offset, int64_t length) {
    ACC_CHECK(batch.columns.size() == columns_.size() && !batch.selection);
    guarded([&] {
      const std::vector<columns::ColumnPtr> columns = rows_of(batch, offset, length);
      for (int64_t row = 0; row < length;) {
        const std::optional<int64_t> num_rows = step(columns, row, length - row);
        if (!num_rows) return;
        row += *num_rows;
        settle();
      }
    });
  }

  void close() {
    guarded([&] {
      const std::lock_guard lock(mutex_);
      if (!is_open()) return;
      if (!file_) open_file(std::vector<bool>(columns_.size(), true));
      row_group_ = nullptr;
      file_->Close();
      file_.reset();
      PARQUET_THROW_NOT_OK(sink_->Close());
      sink_.reset();
    });
  }

  /// Ends the row group, after the step that its thread is in.
  void reclaim() noexcept override {
    const std::lock_guard lock(mutex_);
    if (!row_group_ || error_) return;
    try {
      if (row_group_bytes() >= kLeastRowGroupBytes) end_row_group();
    } catch (...) {
      error_ = std::current_exception();
    }
  }

 private:
  /// Says whether rows are wanted. Throws what ending a row group for others came to.
  bool is_open() {
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
    return sink_ != nullptr;
  }

  /// Appends some of the rows; returns how many, or nothing if none are wanted. Asks for no memory: who reclaims some
  /// waits for it.
  std::optional<int64_t> step(const std::vector<columns::ColumnPtr>& columns, int64_t offset, int64_t length) {
    const std::lock_guard lock(mutex_);
    if (!is_open()) return std::nullopt;
    if (!file_) start_file(columns, offset, length);
    if (!row_group_) start_row_group();
    const int64_t num_rows = std::min({length, step_rows(), options_.row_group_rows - row_group_rows_});
    append(columns, offset, num_rows);
    return num_rows;
  }

  /// Gives back what a step was lent, or reserves it. What lies on disk goes with the row group, unless that is small.
  void settle() {
    if (pool_.has_lent() || pool_.has_any_on_disk()) {
      const std::lock_guard lock(mutex_);
      if (row_group_ && (pool_.has_lent() || row_group_bytes() >= kLeastRowGroupBytes)) end_row_group();
    }
    pool_.charge_lent();
    charge_encoder();
  }

  /// Reserves what the encoder has; where there is no room, another one takes its place that lies on disk.
  void charge_encoder() {
    try {
      encoder_memory_.resize(encoder_budget_->used_bytes());
      return;
    } catch (const Error&) {
      if (!budget_->disk_memory()) throw;
    } catch (const memory::MemoryWait&) {
      if (!budget_->disk_memory()) throw;
    }
    encoder_.reset();
    encoder_memory_.resize(0);
    encoder_budget_ = std::make_shared<memory::Budget>("WriteFiles", 0);
    encoder_budget_->set_disk_memory(budget_->disk_memory());
    encoder_.emplace(encoder_budget_);
  }

  /// Starts the file with its first rows, which tell of which columns dictionaries are worth their while.
  void start_file(const std::vector<columns::ColumnPtr>& columns, int64_t offset, int64_t length) {
    std::vector<bool> dictionaries;
    for (const columns::ColumnPtr& column : columns) {
      dictionaries.push_back(column->type().is_nested() || is_worth_a_dictionary(*column, offset, length));
    }
    open_file(dictionaries);
  }

  /// Returns rows of a batch, nested columns flat.
  std::vector<columns::ColumnPtr> rows_of(const columns::Batch& batch, int64_t offset, int64_t length) const {
    std::vector<columns::ColumnPtr> columns;
    for (const columns::ColumnPtr& column : batch.columns) {
      columns.push_back(column->slice(offset, length));
      if (column->type().is_nested()) columns.back() = flatten_deeply(columns.back(), budget_);
    }
    return columns;
  }

  void open_file(const std::vector<bool>& dictionaries) {
    file_ = parquet::ParquetFileWriter::Open(sink_, schema_, writer_properties(options_, leaves_, dictionaries, &pool_),
                                             metadata_of(options_));
  }

  void start_row_group() {
    row_group_ = file_->AppendBufferedRowGroup();
    row_group_rows_ = 0;
    bytes_left_ = options_.row_group_bytes;
  }

  void append(const std::vector<columns::ColumnPtr>& columns, int64_t offset, int64_t num_rows) {
    int leaf = 0;
    for (size_t i = 0; i < columns.size(); ++i) {
      const columns::Column& column = *columns[i];
      if (column.type().is_nested()) {
        // The levels of its leaves are those of the schema.
        const columns::ColumnPtr typed = column.with_type(columns_[i].type);
        leaf = append_nested(*typed, columns_[i].nullable, offset, num_rows, leaf);
      } else {
        encoder_->write(column, offset, num_rows, leaves_[static_cast<size_t>(leaf)].storage,
                        *row_group_->column(leaf));
        ++leaf;
      }
    }
    row_group_rows_ += num_rows;
    const int64_t num_bytes = row_group_bytes();
    bytes_of_row_ = num_bytes / row_group_rows_;
    bytes_left_ = options_.row_group_bytes - num_bytes;
    if (row_group_rows_ >= options_.row_group_rows || num_bytes >= options_.row_group_bytes) end_row_group();
  }

  int64_t step_rows() const {
    if (bytes_of_row_ < 0) return options_.row_group_bytes < kSmallRowGroupBytes ? kLeastStepRows : kFirstStepRows;
    const int64_t bytes_of_row = std::max<int64_t>(bytes_of_row_, 1);
    const int64_t rows_left = std::max(bytes_left_ / bytes_of_row, kLeastStepRows);
    return std::clamp<int64_t>(kStepBytes / bytes_of_row, 1, std::min(kStepRows, rows_left));
  }

  void end_row_group() {
    row_group_->Close();
    row_group_ = nullptr;
  }

  /// Appends rows to the leaves of a column from `first` on; returns the leaf after them.
  int append_nested(const columns::Column& column, bool nullable, int64_t offset, int64_t num_rows, int first) {
    int leaf = first;
    for (int64_t begin = offset; begin < offset + num_rows; begin += kNestedStepRows) {
      leaf = first;
      const int64_t length = std::min(kNestedStepRows, offset + num_rows - begin);
      for_each_leaf(column, nullable, begin, length, [&](const columns::Column& values, const LeafEntries& entries) {
        encoder_->write(values, entries, leaves_[static_cast<size_t>(leaf)].storage, *row_group_->column(leaf));
        ++leaf;
      });
    }
    return leaf;
  }

  /// Returns the bytes of encoded pages, those that are not finished before their compression.
  int64_t row_group_bytes() {
    int64_t bytes = row_group_->total_compressed_bytes() + row_group_->total_compressed_bytes_written();
    for (int i = 0; i < row_group_->num_columns(); ++i) {
      bytes += row_group_->column(i)->estimated_buffered_value_bytes();
    }
    return bytes;
  }

  /// Runs what may throw Arrow's exceptions; any makes the writer useless.
  template <class Body>
  void guarded(Body body) {
    try {
      body();
    } catch (const Error&) {
      abandon();
      throw;
    } catch (const memory::MemoryWait&) {
      // Some of the rows are written: nobody can ask for that again.
      abandon();
      throw memory::error_without_wait("a writer of files");
    } catch (const std::exception& error) {
      abandon();
      const auto* of_arrow = dynamic_cast<const parquet::ParquetStatusException*>(&error);
      if (of_arrow && of_arrow->status().IsOutOfMemory()) pool_.raise_out_of_memory();
      throw Error(ErrorKind::Resource, "can't write " + uri_ + ": " + error.what());
    }
  }

  /// Gives up a file that is not complete. It is closed first: Arrow's writer would add a footer.
  void abandon() noexcept {
    const std::lock_guard lock(mutex_);
    row_group_ = nullptr;
    if (sink_) static_cast<void>(sink_->Abort());
    file_.reset();
    sink_.reset();
  }

  const std::string uri_;
  const std::vector<WriteColumn> columns_;
  const ParquetWriteOptions options_;
  const std::shared_ptr<memory::Budget> budget_;
  ArrowPool pool_;
  /// What the encoder has in memory, which is reserved between steps.
  std::shared_ptr<memory::Budget> encoder_budget_ =
      std::make_shared<memory::Budget>("WriteFiles", memory::Budget::kUnlimited);
  std::optional<ColumnEncoder> encoder_{encoder_budget_};
  memory::Reservation encoder_memory_{budget_, 0};
  const std::shared_ptr<parquet::schema::GroupNode> schema_;
  const std::vector<WriteLeaf> leaves_;
  std::shared_ptr<arrow::io::FileOutputStream> sink_;
  std::unique_ptr<parquet::ParquetFileWriter> file_;
  parquet::RowGroupWriter* row_group_ = nullptr;
  int64_t row_group_rows_ = 0;
  int64_t bytes_of_row_ = -1;  ///< of the rows so far; -1: there were none
  int64_t bytes_left_ = 0;     ///< of the row group, as far as it is known
  std::exception_ptr error_;   ///< that others met who ended a row group
  std::mutex mutex_;           ///< nobody who holds it asks for memory
};

class ParquetWriter final : public FileWriter {
 public:
  ParquetWriter(const WriteSpec& spec, const std::string& uri, const std::shared_ptr<memory::Budget>& budget)
      : file_(std::make_shared<WrittenFile>(spec, uri, budget)) {
    file_->budget()->add_reclaimer(file_);
  }

  void write(const columns::Batch& batch, int64_t offset, int64_t length) override {
    file_->write(batch, offset, length);
  }
  void close() override { file_->close(); }

 private:
  const std::shared_ptr<WrittenFile> file_;
};

}  // namespace

std::unique_ptr<FileWriter> open_parquet_writer(const WriteSpec& spec, const std::string& uri,
                                                const std::shared_ptr<memory::Budget>& budget) {
  return std::make_unique<ParquetWriter>(spec, uri, budget);
}

}  // namespace accelerant::io
