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

/// Returns how many of some rows have so many bytes, the one that exceeds them included.
int64_t rows_of(const std::vector<ColumnPtr>& columns, int64_t num_rows, int64_t max_bytes) {
  int64_t bytes = 0;
  for (int64_t row = 0; row < num_rows; ++row) {
    if (bytes >= max_bytes) return row;
    for (const ColumnPtr& column : columns) bytes += cached_bytes_of_row(*column, row);
  }
  return num_rows;
}

/// Says whether some rows may have more than so many bytes, nulls, which Spark counts as four, included.
bool may_exceed(const std::vector<ColumnPtr>& columns, int64_t max_bytes) {
  int64_t bytes = 0;
  for (const ColumnPtr& column : columns) bytes += columns::concatenated_bytes(*column) + column->length() * 4;
  return bytes >= max_bytes;
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
  if (batch.num_rows > 0) waiting_.push_back(batch);
  num_waiting_ += batch.num_rows;
  std::vector<Bytes> batches;
  while (num_waiting_ >= limits.max_rows) batches.push_back(take(limits));
  return batches;
}

std::vector<CachedBatchWriter::Bytes> CachedBatchWriter::finish(MessageLimits limits) {
  std::vector<Bytes> batches;
  while (num_waiting_ > 0) batches.push_back(take(limits));
  return batches;
}

CachedBatchWriter::Bytes CachedBatchWriter::take(MessageLimits limits) {
  int64_t num_rows = std::min(limits.max_rows, num_waiting_);
  std::vector<ColumnPtr> columns;
  for (size_t i = 0; i < waiting_.front().columns.size(); ++i) columns.push_back(next_rows(i, num_rows));
  if (may_exceed(columns, limits.max_bytes)) {
    num_rows = rows_of(columns, num_rows, limits.max_bytes);
    for (ColumnPtr& column : columns) column = columns::flatten(column->slice(0, num_rows), budget_);
  }
  Bytes bytes = encode(columns, num_rows);
  drop(num_rows);
  return bytes;
}

ColumnPtr CachedBatchWriter::next_rows(size_t column, int64_t num_rows) const {
  std::vector<ColumnPtr> parts;
  for (auto batch = waiting_.begin(); num_rows > 0; ++batch) {
    const int64_t taken = std::min(num_rows, batch->num_rows);
    parts.push_back(batch->columns[column]->slice(0, taken));
    num_rows -= taken;
  }
  return parts.size() == 1 ? columns::flatten(parts.front(), budget_) : columns::concatenate(parts, budget_);
}

void CachedBatchWriter::drop(int64_t num_rows) {
  num_waiting_ -= num_rows;
  while (num_rows > 0) {
    columns::Batch& first = waiting_.front();
    const int64_t dropped = std::min(num_rows, first.num_rows);
    num_rows -= dropped;
    if (dropped == first.num_rows) {
      waiting_.pop_front();
    } else {
      first = slice(first, dropped, first.num_rows - dropped);
    }
  }
}

CachedBatchWriter::Bytes CachedBatchWriter::encode(const std::vector<ColumnPtr>& columns, int64_t num_rows) const {
  const size_t num_parts = columns.size() + 1;
  Bytes out((2 + num_parts) * sizeof(int32_t));
  put_count(static_cast<size_t>(num_rows), out, 0);
  put_count(num_parts, out, 1);
  StatisticsRow statistics(columns.size());
  for (size_t i = 0; i < columns.size(); ++i) {
    const size_t start = out.size();
    statistics.add(write_cached_column(*columns[i], is_compressed_, out));
    put_count(out.size() - start, out, 2 + i);
  }
  put_count(statistics.bytes().size(), out, 1 + num_parts);
  out.insert(out.end(), statistics.bytes().begin(), statistics.bytes().end());
  return out;
}

}  // namespace accelerant::io
