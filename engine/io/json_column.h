#pragma once

#include "columns/column.h"
#include "io/growing_buffer.h"
#include "io/member_names.h"
#include "memory/budget.h"
#include "types/data_type.h"
#include "types/integers.h"
#include "types/string_view.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace accelerant::io {

/// Says whether a column of a type can be filled from JSON.
bool is_json_type(const types::DataType& type);

/// A column that grows by values of JSON, with columns for what is nested in it. One thread at a time. Where a call
/// throws (as Budget::reserve does), `truncate` brings it back to a length that it had.
class JsonColumn {
 public:
  JsonColumn(const types::DataType& type, const std::shared_ptr<memory::Budget>& budget);

  types::TypeId id() const { return type_.id(); }
  const types::DataType& type() const { return type_; }
  /// Rows so far.
  int64_t length() const { return length_; }
  /// Members of a struct; the elements of an array; keys and values of a map.
  std::vector<JsonColumn>& children() { return children_; }
  /// Finds members of a struct.
  const MemberNames& names() const { return names_; }

  /// Appends a value as wide as the type's physical one.
  template <class T>
  void append(T value) {
    make_room();
    values_as<T>()[length_] = value;
    end_row(true);
  }
  /// Appends a string's or binary's bytes.
  void append_text(types::StringRef text);
  /// Makes room for a text of up to so many bytes, to be written there and ended by `append_written`.
  char* text_room(int64_t bytes);
  /// Appends what was written to the room.
  void append_written(int32 length);
  void append_null();
  /// Ends a row whose nested values have been appended to the children.
  void append_nested();
  /// Forgets rows from `length` on.
  void truncate(int64_t length);

  /// Returns the rows as a flat column and starts over.
  columns::ColumnPtr finish();

 private:
  template <class T>
  T* values_as() {
    return reinterpret_cast<T*>(values_.data());
  }
  bool has_offsets() const { return type_.is(types::TypeId::Array) || type_.is(types::TypeId::Map); }
  void make_room() {
    if (length_ == capacity_) grow();
  }
  void grow();
  void end_row(bool is_valid) {
    validity_.data()[length_++] = is_valid;
    has_nulls_ |= !is_valid;
  }
  memory::BufferPtr packed_validity();

  types::DataType type_;
  types::PhysicalType physical_;
  int width_;
  std::shared_ptr<memory::Budget> budget_;
  MemberNames names_;
  std::vector<JsonColumn> children_;
  int64_t length_ = 0;
  int64_t capacity_ = 0;  ///< rows that there is room for
  GrowingBuffer values_;
  GrowingBuffer validity_;  ///< a byte a row
  bool has_nulls_ = false;
  GrowingBuffer heap_;  ///< of long texts
  int64_t heap_bytes_ = 0;
  int64_t heap_capacity_ = 0;
};

}  // namespace accelerant::io
