#include "operators/group_keys.h"

#include "base/error.h"
#include "columns/string_heap.h"
#include "operators/key_bytes.h"
#include "operators/nested_keys.h"
#include "plan/constants.h"
#include "types/floating.h"
#include "types/integers.h"

#include <cstring>
#include <type_traits>

namespace accelerant::operators {

using columns::Column;
using columns::ColumnPtr;
using types::PhysicalType;

namespace {

/// Says whether a key has a length and bytes.
bool is_text(const types::DataType& type) { return type.physical() == PhysicalType::String || type.is_nested(); }

/// The width at which the value of a key is written; of strings, that of the length.
int encoded_width(const types::DataType& type) {
  return is_text(type) ? static_cast<int>(sizeof(int32_t)) : types::width_of(type.physical());
}

/// Tells the nulls of a flat column whose type is not void.
class Nulls {
 public:
  explicit Nulls(const Column& column) : validity_(column.validity()), offset_(column.offset()) {}

  bool at(int64_t row) const { return validity_ != nullptr && !bits::get(validity_, offset_ + row); }

 private:
  const uint8_t* validity_;
  int64_t offset_;
};

template <class T>
T normalized(T value) {
  if constexpr (std::is_floating_point_v<T>) return types::normalize_nan_and_zero(value);
  return value;
}

/// Reads one key column out of encoded keys, moving each cursor past what it read.
/// @param kWidth bytes of a value
template <size_t kWidth>
ColumnPtr decode_width(const types::DataType& type, std::span<const char*> cursors,
                       const std::shared_ptr<memory::Budget>& budget) {
  const auto num_rows = static_cast<int64_t>(cursors.size());
  columns::FlatBuilder builder(type, type.physical(), num_rows, budget);
  auto* values = builder.values<char>();
  for (int64_t row = 0; row < num_rows; ++row) {
    const char*& cursor = cursors[static_cast<size_t>(row)];
    if (*cursor++ == 0) bits::clear(builder.validity(), row);
    if constexpr (kWidth > 0) std::memcpy(values + static_cast<size_t>(row) * kWidth, cursor, kWidth);
    cursor += kWidth;
  }
  return builder.finish();
}

ColumnPtr decode_fixed(const types::DataType& type, std::span<const char*> cursors,
                       const std::shared_ptr<memory::Budget>& budget) {
  switch (const auto width = encoded_width(type)) {
    case 0:
      return decode_width<0>(type, cursors, budget);
    case 1:
      return decode_width<1>(type, cursors, budget);
    case 2:
      return decode_width<2>(type, cursors, budget);
    case 4:
      return decode_width<4>(type, cursors, budget);
    case 8:
      return decode_width<8>(type, cursors, budget);
    case 16:
      return decode_width<16>(type, cursors, budget);
    default:
      throw Error(ErrorKind::Internal, "group keys of " + std::to_string(width) + " bytes");
  }
}

int32_t read_length(const char* cursor) {
  int32_t length;
  std::memcpy(&length, cursor, sizeof length);
  return length;
}

ColumnPtr decode_strings(const types::DataType& type, std::span<const char*> cursors,
                         const std::shared_ptr<memory::Budget>& budget) {
  const auto num_rows = static_cast<int64_t>(cursors.size());
  int64_t heap_bytes = 0;
  for (const char* cursor : cursors) {
    const int32_t length = read_length(cursor + 1);
    if (length > types::StringView::kMaxInlineBytes) heap_bytes += length;
  }
  columns::StringHeap heap(heap_bytes, budget);
  columns::FlatBuilder builder(type, PhysicalType::String, num_rows, budget);
  auto* views = builder.values<types::StringView>();
  for (int64_t row = 0; row < num_rows; ++row) {
    const char*& cursor = cursors[static_cast<size_t>(row)];
    if (*cursor++ == 0) bits::clear(builder.validity(), row);
    const int32_t length = read_length(cursor);
    cursor += sizeof length;
    views[row] = heap.add({cursor, length});
    cursor += length;
  }
  builder.set_heap(heap.finish());
  return builder.finish();
}

}  // namespace

bool KeyEncoder::supports(const types::DataType& type) { return plan::may_be_grouped(type); }

ColumnPtr KeyEncoder::read_values(const types::DataType& type, std::span<const char*> cursors,
                                  const std::shared_ptr<memory::Budget>& budget) {
  return is_text(type) ? decode_strings(type, cursors, budget) : decode_fixed(type, cursors, budget);
}

KeyEncoder::KeyEncoder(std::vector<types::DataType> key_types, std::shared_ptr<memory::Budget> budget)
    : types_(std::move(key_types)), budget_(std::move(budget)), offsets_(budget_), cursors_(budget_), bytes_(budget_) {
  for (const auto& type : types_) {
    fixed_bytes_ += 1 + encoded_width(type);
    has_strings_ |= is_text(type);
  }
}

void KeyEncoder::encode(std::span<const ColumnPtr> given, int64_t num_rows) {
  std::vector<ColumnPtr> keys(given.begin(), given.end());
  for (ColumnPtr& key : keys) {
    if (key->type().is_nested()) key = encode_nested_keys(*key, budget_);
  }
  place_rows(keys, num_rows);
  bytes_.resize(offsets_.back());
  cursors_.clear();
  cursors_.append(offsets_.span().first(static_cast<size_t>(num_rows)));
  for (size_t k = 0; k < keys.size(); ++k) write_column(*keys[k], types_[k]);
}

void KeyEncoder::place_rows(std::span<const ColumnPtr> keys, int64_t num_rows) {
  offsets_.clear();
  offsets_.append(num_rows + 1, fixed_bytes_);
  offsets_[0] = 0;
  for (size_t k = 0; k < keys.size(); ++k) {
    if (!is_text(types_[k])) continue;
    const Column& column = *keys[k];
    const Nulls nulls(column);
    const auto* views = column.values<types::StringView>();
    for (int64_t row = 0; row < num_rows; ++row) {
      if (!nulls.at(row)) offsets_[row + 1] += views[row].length;
    }
  }
  for (int64_t row = 1; row <= num_rows; ++row) offsets_[row] += offsets_[row - 1];
}

template <class Stored, class T>
void KeyEncoder::write_values(const Column& column) {
  const T* values = column.values<T>();
  const Nulls nulls(column);
  for (int64_t row = 0; row < cursors_.size(); ++row) {
    const bool valid = !nulls.at(row);
    const Stored value = valid ? normalized(static_cast<Stored>(values[row])) : Stored{};
    char* to = bytes_.data() + cursors_[row];
    *to = static_cast<char>(valid);
    std::memcpy(to + 1, &value, sizeof value);
    cursors_[row] += 1 + static_cast<int64_t>(sizeof value);
  }
}

void KeyEncoder::write_strings(const Column& column) {
  const Nulls nulls(column);
  for (int64_t row = 0; row < cursors_.size(); ++row) {
    const bool valid = !nulls.at(row);
    const types::StringRef text = valid ? column.string_at(row) : types::StringRef{"", 0};
    char* to = bytes_.data() + cursors_[row];
    *to = static_cast<char>(valid);
    std::memcpy(to + 1, &text.length, sizeof text.length);
    copy_key(to + 1 + sizeof text.length, text.data, static_cast<size_t>(text.length));
    cursors_[row] += 1 + static_cast<int64_t>(sizeof text.length) + text.length;
  }
}

void KeyEncoder::write_column(const Column& column, const types::DataType& type) {
  const bool wide = encoded_width(type) == sizeof(int128);
  switch (column.physical()) {
    case PhysicalType::Bool:
    case PhysicalType::Int8:
      return write_values<int8_t, int8_t>(column);
    case PhysicalType::Int16:
      return write_values<int16_t, int16_t>(column);
    case PhysicalType::Int32:
      return write_values<int32_t, int32_t>(column);
    case PhysicalType::Float32:
      return write_values<float, float>(column);
    case PhysicalType::Float64:
      return write_values<double, double>(column);
    case PhysicalType::Int64:
      return wide ? write_values<int128, int64_t>(column) : write_values<int64_t, int64_t>(column);
    case PhysicalType::Int128:
      return wide ? write_values<int128, int128>(column) : write_values<int64_t, int128>(column);
    case PhysicalType::String:
      return write_strings(column);
    case PhysicalType::Null:
    case PhysicalType::Array:
    case PhysicalType::Map:
    case PhysicalType::Struct:
      for (int64_t& cursor : cursors_) bytes_[cursor++] = 0;  // of type void: null
  }
}

std::vector<ColumnPtr> KeyEncoder::decode(std::span<const std::string_view> keys) const {
  std::vector<const char*> cursors;
  cursors.reserve(keys.size());
  for (std::string_view key : keys) cursors.push_back(key.data());
  std::vector<ColumnPtr> columns;
  for (const auto& type : types_) {
    const types::DataType of_bytes = type.is_nested() ? types::DataType(types::TypeId::Binary) : type;
    columns.push_back(read_values(of_bytes, cursors, budget_));
    if (type.is_nested()) columns.back() = decode_nested_keys(type, *columns.back(), budget_);
  }
  return columns;
}

}  // namespace accelerant::operators
