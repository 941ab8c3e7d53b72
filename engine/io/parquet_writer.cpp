#include "io/parquet_writer.h"

#include "base/error.h"
#include "base/version.h"
#include "io/arrow_pool.h"
#include "io/column_encoder.h"
#include "io/dictionary_choice.h"
#include "io/local_file.h"
#include "io/nested_levels.h"
#include "io/parquet_write_options.h"
#include "io/parquet_write_schema.h"
#include "memory/memory_wait.h"

#include <arrow/io/file.h>
#include <arrow/util/key_value_metadata.h>
#include <parquet/exception.h>
#include <parquet/file_writer.h>
#include <parquet/properties.h>

#include <algorithm>
#include <filesystem>
#include <utility>
#include <vector>

namespace accelerant::io {

namespace {

/// Rows between two looks at the size of a row group.
constexpr int64_t kStepRows = 16 * 1024;
/// Rows of nested columns that are taken apart at once: each may have many elements.
constexpr int64_t kNestedStepRows = 256;

/// Levels that parquet-mr takes by default.
constexpr int kZstdLevel = 3;
constexpr int kGzipLevel = 6;

arrow::Compression::type arrow_codec(WriteCodec codec) {
  switch (codec) {
    case WriteCodec::Uncompressed:
      return arrow::Compression::UNCOMPRESSED;
    case WriteCodec::Snappy:
      return arrow::Compression::SNAPPY;
    case WriteCodec::Gzip:
      return arrow::Compression::GZIP;
    case WriteCodec::Lz4:
      return arrow::Compression::LZ4;
    case WriteCodec::Zstd:
      break;
  }
  return arrow::Compression::ZSTD;
}

/// Arrow's statistics leave out NaN, which Spark takes for the greatest value: by them its readers would lose rows.
void disable_misleading_statistics(const std::vector<WriteLeaf>& leaves, parquet::WriterProperties::Builder& builder) {
  for (const WriteLeaf& leaf : leaves) {
    if (leaf.type.is_floating()) builder.disable_statistics(leaf.path);
  }
}

/// @param dictionaries which columns may have one
std::shared_ptr<parquet::WriterProperties> properties_of(const ParquetWriteOptions& options,
                                                         const std::vector<WriteLeaf>& leaves,
                                                         const std::vector<bool>& dictionaries,
                                                         arrow::MemoryPool* pool) {
  parquet::WriterProperties::Builder builder;
  builder.memory_pool(pool)
      ->created_by("accelerant version " + std::string(kVersion))
      ->version(parquet::ParquetVersion::PARQUET_1_0)
      ->data_page_version(parquet::ParquetDataPageVersion::V1)
      ->compression(arrow_codec(options.codec))
      ->data_pagesize(options.page_bytes)
      ->max_rows_per_page(options.page_rows)
      ->dictionary_pagesize_limit(options.dictionary_page_bytes)
      ->enable_write_page_index();
  if (options.codec == WriteCodec::Zstd) builder.compression_level(kZstdLevel);
  if (options.codec == WriteCodec::Gzip) builder.compression_level(kGzipLevel);
  if (!options.dictionary) builder.disable_dictionary();
  if (options.page_checksums) builder.enable_page_checksum();
  for (const WriteLeaf& leaf : leaves) {
    if (!dictionaries[leaf.column]) builder.disable_dictionary(leaf.path);
  }
  disable_misleading_statistics(leaves, builder);
  return builder.build();
}

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

class ParquetWriter final : public FileWriter {
 public:
  ParquetWriter(const WriteSpec& spec, const std::string& uri, const std::shared_ptr<memory::Budget>& budget)
      : uri_(uri),
        columns_(spec.columns),
        options_(ParquetWriteOptions::parse(spec)),
        budget_(std::make_shared<memory::Budget>("WriteFiles", memory::Budget::kUnlimited, budget)),
        pool_(budget_, ArrowPool::Refused::IsLent),
        encoder_(budget_),
        schema_(parquet_schema(spec.columns, options_)),
        leaves_(leaves_of(schema_, spec.columns, options_)) {
    guarded([&] { sink_ = create_file(uri_); });
  }

  ~ParquetWriter() override { abandon(); }

  void write(const columns::Batch& batch, int64_t offset, int64_t length) override {
    if (!sink_) return;
    ACC_CHECK(batch.columns.size() == columns_.size() && !batch.selection);
    guarded([&] {
      if (!file_) start_file(batch, offset, length);
      std::vector<columns::ColumnPtr> columns;
      for (const columns::ColumnPtr& column : batch.columns) {
        columns.push_back(column->slice(offset, length));
        if (column->type().is_nested()) columns.back() = flatten_deeply(columns.back(), budget_);
      }
      for (int64_t row = 0; row < length;) {
        if (!row_group_) start_row_group();
        const int64_t num_rows = std::min({length - row, kStepRows, options_.row_group_rows - row_group_rows_});
        append(columns, row, num_rows);
        row += num_rows;
      }
    });
  }

  void close() override {
    if (!sink_) return;
    guarded([&] {
      if (!file_) open_file(std::vector<bool>(columns_.size(), true));
      file_->Close();
      pool_.raise_refusal();
      PARQUET_THROW_NOT_OK(sink_->Close());
    });
    file_.reset();
    sink_.reset();
  }

 private:
  /// Starts the file with its first rows, which tell of which columns dictionaries are worth their while.
  void start_file(const columns::Batch& batch, int64_t offset, int64_t length) {
    std::vector<bool> dictionaries;
    for (const columns::ColumnPtr& column : batch.columns) {
      dictionaries.push_back(column->type().is_nested() || is_worth_a_dictionary(*column, offset, length));
    }
    open_file(dictionaries);
  }

  void open_file(const std::vector<bool>& dictionaries) {
    file_ = parquet::ParquetFileWriter::Open(sink_, schema_, properties_of(options_, leaves_, dictionaries, &pool_),
                                             metadata_of(options_));
  }

  void start_row_group() {
    row_group_ = file_->AppendBufferedRowGroup();
    row_group_rows_ = 0;
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
        encoder_.write(column, offset, num_rows, leaves_[static_cast<size_t>(leaf)].storage, *row_group_->column(leaf));
        ++leaf;
      }
      pool_.raise_refusal();
    }
    row_group_rows_ += num_rows;
    if (row_group_rows_ < options_.row_group_rows && row_group_bytes() < options_.row_group_bytes) return;
    row_group_->Close();
    row_group_ = nullptr;
    pool_.raise_refusal();
  }

  /// Appends rows to the leaves of a column from `first` on; returns the leaf after them.
  int append_nested(const columns::Column& column, bool nullable, int64_t offset, int64_t num_rows, int first) {
    int leaf = first;
    for (int64_t begin = offset; begin < offset + num_rows; begin += kNestedStepRows) {
      leaf = first;
      const int64_t length = std::min(kNestedStepRows, offset + num_rows - begin);
      for_each_leaf(column, nullable, begin, length, [&](const columns::Column& values, const LeafEntries& entries) {
        encoder_.write(values, entries, leaves_[static_cast<size_t>(leaf)].storage, *row_group_->column(leaf));
        ++leaf;
      });
      pool_.raise_refusal();
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
  ColumnEncoder encoder_;
  const std::shared_ptr<parquet::schema::GroupNode> schema_;
  const std::vector<WriteLeaf> leaves_;
  std::shared_ptr<arrow::io::FileOutputStream> sink_;
  std::unique_ptr<parquet::ParquetFileWriter> file_;
  parquet::RowGroupWriter* row_group_ = nullptr;
  int64_t row_group_rows_ = 0;
};

}  // namespace

std::unique_ptr<FileWriter> open_parquet_writer(const WriteSpec& spec, const std::string& uri,
                                                const std::shared_ptr<memory::Budget>& budget) {
  return std::make_unique<ParquetWriter>(spec, uri, budget);
}

}  // namespace accelerant::io
