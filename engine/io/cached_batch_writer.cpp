#include "io/cached_batch_writer.h"

#include "base/error.h"
#include "columns/gather.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

namespace accelerant::io {

namespace {

using columns::ColumnPtr;
using Bound = CachedStatistics::Bound;
using Message = CachedBatchWriter::Bytes;

/// Fields of a column's statistics: both bounds, the numbers of nulls and rows, the bytes.
constexpr size_t kFields = 5;
constexpr size_t kFieldBytes = 8;

/// Spark's UnsafeRow: a bit a field that is null, eight bytes a field, then what takes more, each from a word on.
class StatisticsRow {
 public:
  explicit StatisticsRow(size_t num_columns)
      : null_bytes_((num_columns * kFields + 63) / 64 * kFieldBytes),
        bytes_(null_bytes_ + num_columns * kFields * kFieldBytes) {}

  void add(const CachedStatistics& statistics) {
    add(statistics.lower);
    add(statistics.upper);
    add(static_cast<uint64_t>(statistics.num_nulls));
    add(static_cast<uint64_t>(statistics.num_rows));
    add(static_cast<uint64_t>(statistics.size_bytes));
  }
  const Message& bytes() const { return bytes_; }

 private:
  void add(const Bound& bound) {
    switch (bound.kind) {
      case Bound::Kind::Null:
        bytes_[field_ / 8] = static_cast<uint8_t>(bytes_[field_ / 8] | 1U << field_ % 8);
        return add(uint64_t{0});
      case Bound::Kind::Slot:
        return add(bound.slot);
      case Bound::Kind::Bytes:
        const size_t start = bytes_.size();
        add(uint64_t{start} << 32 | bound.bytes.size());
        bytes_.insert(bytes_.end(), bound.bytes.begin(), bound.bytes.end());
        bytes_.resize((bytes_.size() + kFieldBytes - 1) / kFieldBytes * kFieldBytes);
    }
  }
  void add(uint64_t slot) { std::memcpy(bytes_.data() + null_bytes_ + field_++ * kFieldBytes, &slot, kFieldBytes); }

  const size_t null_bytes_;
  Message bytes_;
  size_t field_ = 0;
};

void put_count(size_t number, Message& out, size_t at) {
  const auto native = static_cast<int32_t>(number);
  std::memcpy(out.data() + at * sizeof native, &native, sizeof native);
}

Message encode(const std::vector<ColumnPtr>& columns, int64_t num_rows, bool is_compressed) {
  const size_t num_parts = columns.size() + 1;
  Message out((2 + num_parts) * sizeof(int32_t));
  put_count(static_cast<size_t>(num_rows), out, 0);
  put_count(num_parts, out, 1);
  StatisticsRow statistics(columns.size());
  for (size_t i = 0; i < columns.size(); ++i) {
    const size_t start = out.size();
    statistics.add(write_cached_column(*columns[i], is_compressed, out));
    put_count(out.size() - start, out, 2 + i);
  }
  put_count(statistics.bytes().size(), out, 1 + num_parts);
  out.insert(out.end(), statistics.bytes().begin(), statistics.bytes().end());
  return out;
}

}  // namespace

CachedBatchWriter::CachedBatchWriter(const types::DataType& type, bool is_compressed,
                                     std::shared_ptr<memory::Budget> budget)
    : is_compressed_(is_compressed), budget_(std::move(budget)) {
  for (const types::Field& field : type.fields()) {
    if (!can_cache(field.type)) throw_unsupported("a cached column of type " + field.type.to_string());
  }
}

std::vector<CachedBatchWriter::Bytes> CachedBatchWriter::write(const columns::Batch& batch, MessageLimits limits) {
  ACC_CHECK(!batch.selection && limits.max_rows > 0 && limits.max_bytes > 0);
  std::vector<Bytes> batches;
  for (int64_t first = 0; first < batch.num_rows;) {
    const int64_t num_rows = count(batch, first, limits);
    waiting_.push_back(slice(batch, first, num_rows));
    num_waiting_ += num_rows;
    first += num_rows;
    if (num_waiting_ == limits.max_rows || waiting_bytes_ >= limits.max_bytes) batches.push_back(take());
  }
  let_go_of_others();
  return batches;
}

std::vector<CachedBatchWriter::Bytes> CachedBatchWriter::finish() {
  std::vector<Bytes> batches;
  if (num_waiting_ > 0) batches.push_back(take());
  return batches;
}

int64_t CachedBatchWriter::count(const columns::Batch& batch, int64_t first, MessageLimits limits) {
  const int64_t num_rows = std::min(limits.max_rows - num_waiting_, batch.num_rows - first);
  int64_t bytes = 0;
  for (const ColumnPtr& column : batch.columns) bytes += cached_bytes(*column, first, num_rows);
  if (waiting_bytes_ + bytes < limits.max_bytes) {
    waiting_bytes_ += bytes;
    return num_rows;
  }
  int64_t row = first;
  while (row < first + num_rows && waiting_bytes_ < limits.max_bytes) {
    for (const ColumnPtr& column : batch.columns) waiting_bytes_ += cached_bytes(*column, row, 1);
    ++row;
  }
  return row - first;
}

CachedBatchWriter::Bytes CachedBatchWriter::take() {
  std::vector<ColumnPtr> columns;
  for (size_t i = 0; i < waiting_.front().columns.size(); ++i) columns.push_back(waiting_column(i));
  Bytes bytes = encode(columns, num_waiting_, is_compressed_);
  waiting_.clear();
  num_waiting_ = waiting_bytes_ = 0;
  return bytes;
}

void CachedBatchWriter::let_go_of_others() {
  constexpr int64_t kMostTimes = 4;
  if (waiting_.empty()) return;
  for (ColumnPtr& column : waiting_.back().columns) {
    const bool is_little = column->memory_bytes() > kMostTimes * columns::concatenated_bytes(*column);
    if (is_little) column = columns::copy_compact(*column, budget_);
  }
}

ColumnPtr CachedBatchWriter::waiting_column(size_t column) const {
  std::vector<ColumnPtr> parts;
  for (const columns::Batch& batch : waiting_) parts.push_back(batch.columns[column]);
  return parts.size() == 1 ? columns::flatten(parts.front(), budget_) : columns::concatenate(parts, budget_);
}

}  // namespace accelerant::io
