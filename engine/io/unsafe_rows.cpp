// UnsafeRow (Spark's org.apache.spark.sql.catalyst.expressions.UnsafeRow): a bit for each null column in whole words,
// then a word a column: its value, or where the value lies in the row (offset in the upper half, size in the lower
// one).

#include "io/unsafe_rows.h"

#include "base/error.h"
#include "io/unsafe_column.h"
#include "types/string_view.h"

#include <string>
#include <vector>

namespace accelerant::io {

namespace {

/// Where rows lie, checked as far as their words go.
std::vector<types::StringRef> find_rows(const memory::BufferPtr& bytes, int64_t num_rows, int64_t fixed_bytes) {
  std::vector<types::StringRef> rows;
  rows.reserve(static_cast<size_t>(num_rows));
  int64_t position = 0;
  for (int64_t i = 0; i < num_rows; ++i) {
    if (bytes->size_bytes() - position < kUnsafeWordBytes)
      throw Error(ErrorKind::Internal, "rows of Spark's are cut off");
    const auto size = load_unaligned<int64_t>(bytes->data() + position);
    position += kUnsafeWordBytes;
    if (size < fixed_bytes || size > bytes->size_bytes() - position) {
      throw Error(ErrorKind::Internal, "a row of Spark's has " + std::to_string(size) + " bytes");
    }
    rows.push_back({bytes->as<char>() + position, static_cast<int32_t>(size)});
    position += size;
  }
  return rows;
}

/// One column of the rows.
class RowCells {
 public:
  RowCells(const std::vector<types::StringRef>& rows, size_t column, int64_t null_bytes)
      : rows_(rows),
        null_byte_(static_cast<int64_t>(column / 8)),
        null_bit_(static_cast<uint8_t>(1U << (column % 8))),
        word_(null_bytes + static_cast<int64_t>(column) * kUnsafeWordBytes) {}

  int64_t size() const { return static_cast<int64_t>(rows_.size()); }
  bool is_null(int64_t i) const { return (start(i)[null_byte_] & null_bit_) != 0; }
  const uint8_t* word(int64_t i) const { return start(i) + word_; }
  types::StringRef bytes(int64_t i) const {
    return bytes_at(rows_[static_cast<size_t>(i)], load_unaligned<uint64_t>(word(i)));
  }

 private:
  const uint8_t* start(int64_t i) const { return reinterpret_cast<const uint8_t*>(rows_[static_cast<size_t>(i)].data); }

  const std::vector<types::StringRef>& rows_;
  const int64_t null_byte_;
  const uint8_t null_bit_;
  const int64_t word_;
};

}  // namespace

columns::Batch read_unsafe_rows(const memory::BufferPtr& rows, int64_t num_rows, const types::DataType& type,
                                const std::shared_ptr<memory::Budget>& budget) {
  const auto& fields = type.fields();
  constexpr size_t kWordBits = 64;
  const auto null_bytes = static_cast<int64_t>((fields.size() + kWordBits - 1) / kWordBits) * kUnsafeWordBytes;
  const std::vector<types::StringRef> found =
      find_rows(rows, num_rows, null_bytes + static_cast<int64_t>(fields.size()) * kUnsafeWordBytes);
  columns::Batch batch;
  batch.num_rows = num_rows;
  for (size_t i = 0; i < fields.size(); ++i) {
    const RowCells cells(found, i, null_bytes);
    batch.columns.push_back(UnsafeColumn<RowCells>(cells, rows, budget).read(fields[i].type));
  }
  return batch;
}

}  // namespace accelerant::io
