#pragma once

#include "base/bits.h"
#include "base/error.h"
#include "columns/column.h"
#include "io/spark_decimal.h"
#include "io/unsafe_values.h"
#include "memory/buffer.h"
#include "types/string_view.h"

#include <cstdint>
#include <cstring>
#include <memory>

namespace accelerant::io {

/// What a value, or what tells where it is, takes in a row of Spark's.
inline constexpr int64_t kUnsafeWordBytes = 8;

/// Reads a value that may lie anywhere.
template <class T>
T load_unaligned(const uint8_t* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

/// Returns the bytes that a word of Spark's tells of: where they begin in what holds the word (upper half), how many.
inline types::StringRef bytes_at(types::StringRef holder, uint64_t word) {
  const auto offset = static_cast<int64_t>(word >> 32);
  const auto size = static_cast<int64_t>(word & 0xffffffffU);
  if (offset + size > holder.length) throw Error(ErrorKind::Internal, "a value reaches beyond its row of Spark's");
  return {holder.data + offset, static_cast<int32_t>(size)};
}

/// Makes a column of values in Spark's unsafe formats.
/// @tparam Cells where they are: `size()`, `is_null(i)`, `word(i)`, the first of a value's bytes, and `bytes(i)`, what
/// its word tells of; the latter two of values that are not null
template <class Cells>
class UnsafeColumn {
 public:
  /// @param whole holds all bytes, so that long strings stay in place
  UnsafeColumn(const Cells& cells, const memory::BufferPtr& whole, const std::shared_ptr<memory::Budget>& budget)
      : cells_(cells), whole_(whole), budget_(budget) {}

  columns::ColumnPtr read(const types::DataType& type) const {
    const types::PhysicalType physical = spark_physical(type);
    if (physical == types::PhysicalType::Null) return columns::Column::nulls(type, cells_.size(), budget_);
    if (type.is_nested()) return read_nested(type);
    columns::FlatBuilder builder(type, physical, cells_.size(), budget_);
    for (int64_t i = 0; i < cells_.size(); ++i) {
      if (cells_.is_null(i)) bits::clear(builder.validity(), i);
    }
    read_values(builder, physical);
    return builder.finish();
  }

 private:
  void read_values(columns::FlatBuilder& builder, types::PhysicalType physical) const {
    switch (physical) {
      case types::PhysicalType::Bool:
      case types::PhysicalType::Int8:
        return copy<uint8_t>(builder);
      case types::PhysicalType::Int16:
        return copy<int16_t>(builder);
      case types::PhysicalType::Int32:
      case types::PhysicalType::Float32:
        return copy<int32_t>(builder);
      case types::PhysicalType::Int64:
      case types::PhysicalType::Float64:
        return copy<int64_t>(builder);
      case types::PhysicalType::Int128:
        return read_wide(builder);
      case types::PhysicalType::String:
        return read_strings(builder);
      case types::PhysicalType::Null:
      case types::PhysicalType::Array:
      case types::PhysicalType::Map:
      case types::PhysicalType::Struct:
        break;
    }
    throw Error(ErrorKind::Internal, "values of Spark's without a width");
  }

  template <class T>
  void copy(columns::FlatBuilder& builder) const {
    T* values = builder.values<T>();
    for (int64_t i = 0; i < cells_.size(); ++i) values[i] = load_unaligned<T>(cells_.word(i));
  }

  void read_wide(columns::FlatBuilder& builder) const {
    auto* values = builder.values<__int128>();
    for (int64_t i = 0; i < cells_.size(); ++i) values[i] = cells_.is_null(i) ? 0 : read_unscaled(cells_.bytes(i));
  }

  void read_strings(columns::FlatBuilder& builder) const {
    auto* views = builder.values<types::StringView>();
    for (int64_t i = 0; i < cells_.size(); ++i) {
      views[i] = {};
      if (cells_.is_null(i)) continue;
      const types::StringRef text = cells_.bytes(i);
      views[i] = text.length <= types::StringView::kMaxInlineBytes
                     ? types::inline_view(text)
                     : types::heap_view(text, 0, static_cast<int32_t>(text.data - whole_->as<char>()));
    }
    if (whole_) builder.set_heap({whole_});
  }

  columns::ColumnPtr read_nested(const types::DataType& type) const {
    UnsafeBodies bodies(cells_.size(), budget_);
    for (int64_t i = 0; i < cells_.size(); ++i) {
      bodies[i] = cells_.is_null(i) ? types::StringRef{nullptr, 0} : cells_.bytes(i);
    }
    return read_unsafe_values(bodies, type, whole_, budget_);
  }

  const Cells& cells_;
  const memory::BufferPtr& whole_;
  const std::shared_ptr<memory::Budget>& budget_;
};

}  // namespace accelerant::io
