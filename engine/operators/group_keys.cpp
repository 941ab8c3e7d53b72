#include "operators/group_keys.h"

#include "columns/string_heap.h"
#include "types/floating.h"
#include "types/integers.h"

#include <cstring>
#include <type_traits>

namespace accelerant::operators {

using columns::Column;
using columns::ColumnPtr;
using types::PhysicalType;

namespace {

/// The width at which a key of this type is written; 0 for strings.
int encoded_width(const types::DataType& type) {
  const PhysicalType physical = type.physical();
  return physical == PhysicalType::String ? 0 : types::width_of(physical);
}

int64_t encoded_bytes(const Column& column, const types::DataType& type, int64_t row) {
  if (column.is_null(row)) return 1;
  const int width = encoded_width(type);
  if (width > 0 || type.is(types::TypeId::Null)) return 1 + width;
  return 1 + 4 + column.string_at(row).length;
}

template <class T>
char* write_value(char* to, T value) {
  if constexpr (std::is_floating_point_v<T>) value = types::normalize_nan_and_zero(value);
  std::memcpy(to, &value, sizeof value);
  return to + sizeof value;
}

/// Writes a value that is not null; returns the end.
char* write(char* to, const Column& column, const types::DataType& type, int64_t row) {
  switch (column.physical()) {
    case PhysicalType::Bool:
    case PhysicalType::Int8:
      return write_value(to, column.values<int8_t>()[row]);
    case PhysicalType::Int16:
      return write_value(to, column.values<int16_t>()[row]);
    case PhysicalType::Int32:
      return write_value(to, column.values<int32_t>()[row]);
    case PhysicalType::Float32:
      return write_value(to, column.values<float>()[row]);
    case PhysicalType::Float64:
      return write_value(to, column.values<double>()[row]);
    case PhysicalType::Int64: {
      const int64_t value = column.values<int64_t>()[row];
      return encoded_width(type) == 16 ? write_value<int128>(to, value) : write_value(to, value);
    }
    case PhysicalType::Int128: {
      const int128 value = column.values<int128>()[row];
      return encoded_width(type) == 8 ? write_value(to, static_cast<int64_t>(value)) : write_value(to, value);
    }
    case PhysicalType::String: {
      const types::StringRef text = column.string_at(row);
      to = write_value(to, text.length);
      std::memcpy(to, text.data, static_cast<size_t>(text.length));
      return to + text.length;
    }
    default:
      return to;
  }
}

/// Reads one key column out of encoded keys, moving each cursor past what it read.
ColumnPtr decode_fixed(const types::DataType& type, std::span<const char*> cursors,
                       const std::shared_ptr<memory::Budget>& budget) {
  const auto num_rows = static_cast<int64_t>(cursors.size());
  const auto width = static_cast<size_t>(encoded_width(type));
  columns::FlatBuilder builder(type, type.physical(), num_rows, budget);
  auto* values = builder.values<char>();
  for (int64_t row = 0; row < num_rows; ++row) {
    const char*& cursor = cursors[static_cast<size_t>(row)];
    const bool valid = *cursor++ != 0;
    if (valid) {
      std::memcpy(values + static_cast<size_t>(row) * width, cursor, width);
      cursor += width;
    } else {
      std::memset(values + static_cast<size_t>(row) * width, 0, width);
      bits::clear(builder.validity(), row);
    }
  }
  return builder.finish();
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
    if (*cursor && read_length(cursor + 1) > types::StringView::kMaxInlineBytes) heap_bytes += read_length(cursor + 1);
  }
  columns::StringHeap heap(heap_bytes, budget);
  columns::FlatBuilder builder(type, PhysicalType::String, num_rows, budget);
  auto* views = builder.values<types::StringView>();
  for (int64_t row = 0; row < num_rows; ++row) {
    const char*& cursor = cursors[static_cast<size_t>(row)];
    if (*cursor++ == 0) {
      views[row] = {};
      bits::clear(builder.validity(), row);
      continue;
    }
    const int32_t length = read_length(cursor);
    cursor += sizeof length;
    views[row] = heap.add({cursor, length});
    cursor += length;
  }
  builder.set_heap(heap.finish());
  return builder.finish();
}

}  // namespace

bool KeyEncoder::supports(const types::DataType& type) { return !type.is_nested(); }

void KeyEncoder::encode(std::span<const ColumnPtr> keys, int64_t num_rows) {
  offsets_.assign(static_cast<size_t>(num_rows) + 1, 0);
  for (size_t k = 0; k < keys.size(); ++k) {
    for (int64_t row = 0; row < num_rows; ++row) {
      offsets_[static_cast<size_t>(row) + 1] += encoded_bytes(*keys[k], types_[k], row);
    }
  }
  for (size_t row = 1; row < offsets_.size(); ++row) offsets_[row] += offsets_[row - 1];
  bytes_.resize(static_cast<size_t>(offsets_.back()));
  for (int64_t row = 0; row < num_rows; ++row) {
    char* to = bytes_.data() + offsets_[static_cast<size_t>(row)];
    for (size_t k = 0; k < keys.size(); ++k) {
      const bool valid = !keys[k]->is_null(row);
      *to++ = static_cast<char>(valid);
      if (valid) to = write(to, *keys[k], types_[k], row);
    }
  }
}

std::vector<ColumnPtr> KeyEncoder::decode(std::span<const std::string_view> keys,
                                          const std::shared_ptr<memory::Budget>& budget) const {
  std::vector<const char*> cursors;
  cursors.reserve(keys.size());
  for (std::string_view key : keys) cursors.push_back(key.data());
  std::vector<ColumnPtr> columns;
  for (const auto& type : types_) {
    const bool is_string = type.physical() == PhysicalType::String;
    columns.push_back(is_string ? decode_strings(type, cursors, budget) : decode_fixed(type, cursors, budget));
  }
  return columns;
}

}  // namespace accelerant::operators
