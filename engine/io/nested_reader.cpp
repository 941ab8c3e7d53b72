#include "io/nested_reader.h"

#include "base/error.h"
#include "columns/arrow_c_data.h"
#include "columns/gather.h"
#include "io/arrow_pool.h"
#include "io/file_fields.h"
#include "io/thrift_limits.h"

#include <arrow/array.h>
#include <arrow/buffer.h>
#include <arrow/c/bridge.h>
#include <arrow/io/interfaces.h>
#include <arrow/record_batch.h>
#include <parquet/arrow/reader.h>

#include <algorithm>
#include <exception>
#include <utility>
#include <vector>

namespace accelerant::io {

using columns::Column;
using columns::ColumnPtr;
using types::DataType;
using types::Field;

namespace {

using BudgetPtr = std::shared_ptr<memory::Budget>;

/// Rows that Arrow decodes at a time.
constexpr int64_t kBatchRows = 4096;

/// A file of ours in Arrow's hands.
class ArrowFile final : public arrow::io::RandomAccessFile {
 public:
  ArrowFile(const LocalFile& bytes, arrow::MemoryPool* pool)
      : bytes_(bytes), pool_(pool), size_(bytes.identity().size_bytes) {}

  arrow::Status Close() override { return arrow::Status::OK(); }
  bool closed() const override { return false; }
  arrow::Result<int64_t> Tell() const override { return position_; }
  arrow::Result<int64_t> GetSize() override { return size_; }
  arrow::Status Seek(int64_t position) override {
    position_ = position;
    return arrow::Status::OK();
  }
  arrow::Result<int64_t> Read(int64_t num_bytes, void* to) override {
    ARROW_ASSIGN_OR_RAISE(const int64_t read, ReadAt(position_, num_bytes, to));
    position_ += read;
    return read;
  }
  arrow::Result<std::shared_ptr<arrow::Buffer>> Read(int64_t num_bytes) override {
    ARROW_ASSIGN_OR_RAISE(auto buffer, ReadAt(position_, num_bytes));
    position_ += buffer->size();
    return buffer;
  }
  arrow::Result<int64_t> ReadAt(int64_t position, int64_t num_bytes, void* to) override {
    num_bytes = std::clamp<int64_t>(num_bytes, 0, std::max<int64_t>(size_ - position, 0));
    try {
      if (num_bytes > 0) bytes_.read(position, num_bytes, static_cast<uint8_t*>(to));
    } catch (const std::exception& error) {
      return arrow::Status::IOError(error.what());
    }
    return num_bytes;
  }
  arrow::Result<std::shared_ptr<arrow::Buffer>> ReadAt(int64_t position, int64_t num_bytes) override {
    ARROW_ASSIGN_OR_RAISE(auto buffer, arrow::AllocateResizableBuffer(num_bytes, pool_));
    ARROW_ASSIGN_OR_RAISE(const int64_t read, ReadAt(position, num_bytes, buffer->mutable_data()));
    ARROW_RETURN_NOT_OK(buffer->Resize(read));
    return buffer;
  }

 private:
  const LocalFile& bytes_;
  arrow::MemoryPool* const pool_;
  const int64_t size_;
  int64_t position_ = 0;
};

/// What keeps the memory of an exported array, and where it came from.
struct KeptArray {
  ArrowArray array;
  std::shared_ptr<ArrowPool> pool;
};

void release_kept(ArrowArray* array) {
  const std::unique_ptr<KeptArray> kept(static_cast<KeptArray*>(array->private_data));
  kept->array.release(&kept->array);
  array->release = nullptr;
}

/// Brings members of structs into the order in which they are wanted, and makes nulls of those that are lacking.
ColumnPtr arranged(const ColumnPtr& column, const DataType& wanted, bool case_sensitive, const BudgetPtr& budget) {
  if (!wanted.is_nested()) return column->type() == wanted ? column : column->with_type(wanted);
  columns::FlatParts parts = column->parts();
  const std::vector<Field>& stored = parts.type.fields();
  parts.children.clear();
  for (size_t i = 0; i < wanted.fields().size(); ++i) {
    const Field& field = wanted.fields()[i];
    const auto is_named = [&](const Field& other) {
      return case_sensitive ? other.name == field.name : lower_case(other.name) == lower_case(field.name);
    };
    const size_t place = wanted.is(types::TypeId::Struct)
                             ? static_cast<size_t>(std::ranges::find_if(stored, is_named) - stored.begin())
                             : i;
    parts.children.push_back(place < stored.size()
                                 ? arranged(column->children()[place], field.type, case_sensitive, budget)
                                 : Column::nulls(field.type, parts.offset + parts.length, budget));
  }
  parts.type = wanted;
  return Column::flat(std::move(parts));
}

class NestedReader final : public ColumnReader {
 public:
  NestedReader(const ParquetFile& file, const LocalFile& bytes, int row_group, const FileColumn& column,
               bool case_sensitive, const BudgetPtr& budget)
      : column_(column), case_sensitive_(case_sensitive), budget_(budget), pool_(std::make_shared<ArrowPool>(budget)) {
    // The footer was parsed within limits already; headers of pages are small.
    constexpr int64_t kMostHeaderBytes = 16 << 20;
    parquet::ReaderProperties limits(pool_.get());
    const parquet::ReaderProperties bounded = thrift_limits(kMostHeaderBytes);
    limits.set_thrift_string_size_limit(bounded.thrift_string_size_limit());
    limits.set_thrift_container_size_limit(bounded.thrift_container_size_limit());
    const auto metadata = std::const_pointer_cast<parquet::FileMetaData>(file.metadata);  // it is only read
    try {
      auto parquet =
          parquet::ParquetFileReader::Open(std::make_shared<ArrowFile>(bytes, pool_.get()), limits, metadata);
      reader_ = value_of(parquet::arrow::FileReader::Make(pool_.get(), std::move(parquet), nested_reader_properties()));
      batches_ = value_of(reader_->GetRecordBatchReader({row_group}, column.leaves));
    } catch (const parquet::ParquetStatusException& error) {
      check(error.status());
    }
  }

  ColumnPtr read(int64_t n) override {
    std::vector<ColumnPtr> pieces;
    for (pass_skipped(); n > 0;) {
      if (left() == 0) decode_next();
      const int64_t taken = std::min(n, left());
      pieces.push_back(decoded_->slice(position_, taken));
      position_ += taken;
      n -= taken;
    }
    if (pieces.empty()) return Column::nulls(column_.type, 0, budget_);
    return pieces.size() == 1 ? pieces[0] : columns::concatenate(pieces, budget_);
  }

  ColumnPtr read_at(std::span<const int32_t> rows, int64_t n) override {
    return columns::gather(*read(n), rows, budget_);
  }

  void skip(int64_t n) override { pending_skip_ += n; }
  const ChunkSource* chunk() const override { return nullptr; }

 private:
  int64_t left() const { return decoded_ ? decoded_->length() - position_ : 0; }

  void pass_skipped() {
    while (pending_skip_ > left()) {
      pending_skip_ -= left();
      decode_next();
    }
    position_ += std::exchange(pending_skip_, 0);
  }

  void decode_next() {
    decoded_ = nullptr;
    position_ = 0;
    const auto batch = value_of(batches_->Next());
    if (!batch) throw Error(ErrorKind::Resource, "it has fewer rows than its row group");
    if (batch->num_columns() != 1) throw Error(ErrorKind::Internal, "Arrow reads other columns");
    ArrowArray array;
    check(arrow::ExportArray(*batch->column(0), &array));
    std::unique_ptr<KeptArray> kept(new KeptArray{array, pool_});
    array.private_data = kept.release();
    array.release = release_kept;
    decoded_ =
        arranged(columns::import_column(&array, column_.stored_type, budget_), column_.type, case_sensitive_, budget_);
  }

  void check(const arrow::Status& status) const {
    if (status.ok()) return;
    if (status.IsOutOfMemory()) pool_->raise_out_of_memory();
    throw Error(ErrorKind::Resource, status.ToString());
  }

  template <class T>
  T value_of(arrow::Result<T> result) const {
    check(result.status());
    return std::move(result).ValueUnsafe();
  }

  const FileColumn& column_;
  const bool case_sensitive_;
  const BudgetPtr budget_;
  const std::shared_ptr<ArrowPool> pool_;
  std::unique_ptr<parquet::arrow::FileReader> reader_;
  std::unique_ptr<arrow::RecordBatchReader> batches_;
  ColumnPtr decoded_;  ///< the rows that were decoded last
  int64_t position_ = 0;
  int64_t pending_skip_ = 0;
};

}  // namespace

parquet::ArrowReaderProperties nested_reader_properties() {
  parquet::ArrowReaderProperties properties;
  properties.set_use_threads(false);
  properties.set_pre_buffer(false);
  properties.set_batch_size(kBatchRows);
  properties.set_coerce_int96_timestamp_unit(arrow::TimeUnit::MICRO);
  return properties;
}

std::unique_ptr<ColumnReader> read_nested_column(const ParquetFile& file, const LocalFile& bytes, int row_group,
                                                 const FileColumn& column, bool case_sensitive,
                                                 const BudgetPtr& budget) {
  return std::make_unique<NestedReader>(file, bytes, row_group, column, case_sensitive, budget);
}

}  // namespace accelerant::io
