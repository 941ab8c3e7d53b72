// UnsafeRow (Spark's org.apache.spark.sql.catalyst.expressions.UnsafeRow): a bit for each null column in whole words,
// then a word a column: its value, or where the value lies in the row (offset in the upper half, size in the lower
// one).

#include "io/unsafe_rows.h"

#include "base/bits.h"
#include "base/error.h"
#include "io/spark_decimal.h"
#include "types/string_view.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace accelerant::io {

namespace {

using types::PhysicalType;

constexpr int64_t kWordBytes = 8;

template <class T>
T load(const uint8_t* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

struct Row {
  const uint8_t* start;
  int64_t size_bytes;
};

/// Where rows lie, checked as far as their words go.
std::vector<Row> find_rows(const memory::BufferPtr& bytes, int64_t num_rows, int64_t fixed_bytes) {
  std::vector<Row> rows;
  rows.reserve(static_cast<size_t>(num_rows));
  int64_t position = 0;
  for (int64_t i = 0; i < num_rows; ++i) {
    if (bytes->size_bytes() - position < kWordBytes) throw Error(ErrorKind::Internal, "rows of Spark's are cut off");
    const auto size = load<int64_t>(bytes->data() + position);
    position += kWordBytes;
    if (size < fixed_bytes || size > bytes->size_bytes() - position) {
      throw Error(ErrorKind::Internal, "a row of Spark's has " + std::to_string(size) + " bytes");
    }
    rows.push_back({bytes->data() + position, size});
    position += size;
  }
  return rows;
}

/// Returns the bytes that a word tells of.
types::StringRef bytes_at(const Row& row, uint64_t word) {
  const auto offset = static_cast<int64_t>(word >> 32);
  const auto size = static_cast<int64_t>(word & 0xffffffffU);
  if (offset + size > row.size_bytes) throw Error(ErrorKind::Internal, "a value reaches beyond its row of Spark's");
  return {reinterpret_cast<const char*>(row.start) + offset, static_cast<int32_t>(size)};
}

/// One column of the rows.
class ColumnReader {
 public:
  ColumnReader(const memory::BufferPtr& bytes, const std::vector<Row>& rows, size_t column, int64_t null_bytes)
      : bytes_(bytes),
        rows_(rows),
        null_byte_(static_cast<int64_t>(column / 8)),
        null_bit_(static_cast<uint8_t>(1U << (column % 8))),
        word_(null_bytes + static_cast<int64_t>(column) * kWordBytes) {}

  columns::ColumnPtr read(const types::DataType& type, const std::shared_ptr<memory::Budget>& budget) const {
    const PhysicalType physical = spark_physical(type);
    const auto length = static_cast<int64_t>(rows_.size());
    if (physical == PhysicalType::Null) return columns::Column::nulls(type, length, budget);
    columns::FlatBuilder builder(type, physical, length, budget);
    for (int64_t i = 0; i < length; ++i) {
      if (is_null(rows_[static_cast<size_t>(i)])) bits::clear(builder.validity(), i);
    }
    read_values(builder, physical);
    return builder.finish();
  }

 private:
  bool is_null(const Row& row) const { return (row.start[null_byte_] & null_bit_) != 0; }

  void read_values(columns::FlatBuilder& builder, PhysicalType physical) const {
    switch (physical) {
      case PhysicalType::Bool:
      case PhysicalType::Int8:
        return copy<uint8_t>(builder);
      case PhysicalType::Int16:
        return copy<int16_t>(builder);
      case PhysicalType::Int32:
      case PhysicalType::Float32:
        return copy<int32_t>(builder);
      case PhysicalType::Int64:
      case PhysicalType::Float64:
        return copy<int64_t>(builder);
      case PhysicalType::Int128:
        return read_wide(builder);
      case PhysicalType::String:
        return read_strings(builder);
      default:
        throw_unsupported("rows of Spark's with nested values");
    }
  }

  template <class T>
  void copy(columns::FlatBuilder& builder) const {
    T* values = builder.values<T>();
    for (const Row& row : rows_) *values++ = load<T>(row.start + word_);
  }

  void read_wide(columns::FlatBuilder& builder) const {
    auto* values = builder.values<__int128>();
    for (const Row& row : rows_)
      *values++ = is_null(row) ? 0 : read_unscaled(bytes_at(row, load<uint64_t>(row.start + word_)));
  }

  void read_strings(columns::FlatBuilder& builder) const {
    auto* views = builder.values<types::StringView>();
    for (const Row& row : rows_) {
      types::StringView& view = *views++;
      view = {};
      if (is_null(row)) continue;
      const types::StringRef text = bytes_at(row, load<uint64_t>(row.start + word_));
      view = text.length <= types::StringView::kMaxInlineBytes
                 ? types::inline_view(text)
                 : types::heap_view(text, 0,
                                    static_cast<int32_t>(text.data - reinterpret_cast<const char*>(bytes_->data())));
    }
    if (bytes_) builder.set_heap({bytes_});
  }

  const memory::BufferPtr& bytes_;
  const std::vector<Row>& rows_;
  const int64_t null_byte_;
  const uint8_t null_bit_;
  const int64_t word_;
};

}  // namespace

columns::Batch read_unsafe_rows(const memory::BufferPtr& rows, int64_t num_rows, const types::DataType& type,
                                const std::shared_ptr<memory::Budget>& budget) {
  const auto& fields = type.fields();
  constexpr size_t kWordBits = 64;
  const auto null_bytes = static_cast<int64_t>((fields.size() + kWordBits - 1) / kWordBits) * kWordBytes;
  const std::vector<Row> found =
      find_rows(rows, num_rows, null_bytes + static_cast<int64_t>(fields.size()) * kWordBytes);
  columns::Batch batch;
  batch.num_rows = num_rows;
  for (size_t i = 0; i < fields.size(); ++i) {
    batch.columns.push_back(ColumnReader(rows, found, i, null_bytes).read(fields[i].type, budget));
  }
  return batch;
}

}  // namespace accelerant::io
