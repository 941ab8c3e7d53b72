#include "io/bloom_filter.h"

#include "io/arrow_pool.h"

#include <arrow/buffer.h>
#include <arrow/io/memory.h>
#include <parquet/bloom_filter.h>
#include <parquet/properties.h>

#include <optional>
#include <utility>

namespace accelerant::io {

using columns::Column;
using memory::Buffer;
using types::PhysicalType;

namespace {

/// Says whether equal values of the scan are stored as equal bytes, and which bytes these are is known here.
bool is_hashed(ValueKind kind) {
  switch (kind) {
    case ValueKind::Int32ToInt8:
    case ValueKind::Int32ToInt16:
    case ValueKind::Int32ToInt32:
    case ValueKind::Int32ToInt64:
    case ValueKind::Int64ToInt64:
    case ValueKind::Bytes:
      return true;
    case ValueKind::Boolean:
    case ValueKind::Int32ToInt128:
    case ValueKind::Int32ToDouble:
    case ValueKind::UInt32ToInt64:
    case ValueKind::Int64ToInt128:
    case ValueKind::Int64MillisToMicros:
    case ValueKind::UInt64ToInt128:
    case ValueKind::Int96ToMicros:
    case ValueKind::Float:
    case ValueKind::FloatToDouble:
    case ValueKind::Double:
    case ValueKind::BytesToInt128:
    case ValueKind::FixedBytes:
    case ValueKind::FixedBytesToInt64:
    case ValueKind::FixedBytesToInt128:
      break;
  }
  return false;
}

int64_t integer_of(const Column& constant) {
  switch (constant.physical()) {
    case PhysicalType::Int8:
      return constant.values<int8_t>()[0];
    case PhysicalType::Int16:
      return constant.values<int16_t>()[0];
    case PhysicalType::Int32:
      return constant.values<int32_t>()[0];
    case PhysicalType::Null:
    case PhysicalType::Bool:
    case PhysicalType::Int64:
    case PhysicalType::Int128:
    case PhysicalType::Float32:
    case PhysicalType::Float64:
    case PhysicalType::String:
    case PhysicalType::Array:
    case PhysicalType::Map:
    case PhysicalType::Struct:
      break;
  }
  return constant.values<int64_t>()[0];
}

/// A filter of Parquet's kind, read at the first question.
class BloomFilter final : public expressions::ValueSet {
 public:
  BloomFilter(const IndexedChunk& chunk, parquet::IndexLocation location, std::shared_ptr<memory::Budget> budget)
      : chunk_(chunk), location_(location), budget_(std::move(budget)), pool_(budget_) {}

  bool may_contain(const Column& constant) const override {
    if (constant.physical() != chunk_.column.physical()) return true;
    if (!is_read_) read();
    if (!filter_) return true;
    if (chunk_.column.kind == ValueKind::Bytes) {
      const types::StringRef text = constant.string_at(0);
      const parquet::ByteArray bytes(static_cast<uint32_t>(text.length), reinterpret_cast<const uint8_t*>(text.data));
      return filter_->FindHash(filter_->Hash(&bytes));
    }
    const int64_t value = integer_of(constant);
    if (chunk_.column.kind == ValueKind::Int64ToInt64) return filter_->FindHash(filter_->Hash(value));
    const auto stored = static_cast<int32_t>(value);
    return stored == value && filter_->FindHash(filter_->Hash(stored));
  }

 private:
  /// Leaves no filter where the file's is corrupt.
  void read() const {
    is_read_ = true;
    const auto bytes = Buffer::allocate(location_.length, budget_);
    chunk_.bytes.read(location_.offset, location_.length, bytes->mutable_data());
    arrow::io::BufferReader stream(std::make_shared<arrow::Buffer>(bytes->data(), location_.length));
    try {
      filter_.emplace(
          parquet::BlockSplitBloomFilter::Deserialize(parquet::ReaderProperties(&pool_), &stream, location_.length));
    } catch (const parquet::ParquetException&) {
      filter_.reset();
    }
  }

  const IndexedChunk chunk_;
  const parquet::IndexLocation location_;
  const std::shared_ptr<memory::Budget> budget_;
  mutable ArrowPool pool_;
  mutable bool is_read_ = false;
  mutable std::optional<parquet::BlockSplitBloomFilter> filter_;
};

}  // namespace

std::shared_ptr<const expressions::ValueSet> find_bloom_filter(const IndexedChunk& chunk,
                                                               std::shared_ptr<memory::Budget> budget) {
  if (chunk.column.leaf < 0 || !is_hashed(chunk.column.kind)) return nullptr;
  const auto stored = chunk.file.metadata->RowGroup(chunk.row_group)->ColumnChunk(chunk.column.leaf);
  const auto offset = stored->bloom_filter_offset();
  const auto length = stored->bloom_filter_length();
  const int64_t file_bytes = chunk.file.identity.size_bytes;
  if (!offset || !length || *offset < 0 || *length <= 0 || *length > parquet::BloomFilter::kMaximumBloomFilterBytes ||
      *offset > file_bytes - *length) {
    return nullptr;
  }
  return std::make_shared<BloomFilter>(chunk, parquet::IndexLocation{*offset, static_cast<int32_t>(*length)},
                                       std::move(budget));
}

}  // namespace accelerant::io
