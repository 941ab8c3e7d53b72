#pragma once

#include "columns/column.h"

#include <cstdint>

namespace accelerant::column_functions {

/// Where the values of a column's rows lie, whatever its encoding. Refers to the column.
class StoredRows {
 public:
  explicit StoredRows(const columns::Column& column)
      : column_(column),
        values_(column.is_flat() ? column : *column.child_values()),
        indices_(column.is_dictionary() ? column.indices() : nullptr),
        mask_(column.is_constant() ? 0 : -1) {}

  bool is_null(int64_t row) const { return column_.is_null(row); }
  /// Returns the flat column of the values.
  const columns::Column& values() const { return values_; }
  /// Returns the place of a row's value among them.
  int64_t place(int64_t row) const { return indices_ ? indices_[row] : row & mask_; }

 protected:
  const columns::Column& column_;
  const columns::Column& values_;
  const int32_t* indices_;
  const int64_t mask_;  ///< of a row's number: none of a constant's
};

/// Says which rows of a column are null; at once where none is. Refers to the column.
class NullRows {
 public:
  explicit NullRows(const columns::Column& column) : column_(column), may_have_nulls_(column.may_have_nulls()) {}

  bool has(int64_t row) const { return may_have_nulls_ && column_.is_null(row); }
  /// Says whether there may be some; false is certain.
  bool may_have_some() const { return may_have_nulls_; }

 private:
  const columns::Column& column_;
  const bool may_have_nulls_;
};

/// A row's elements: places in a column.
struct ElementRange {
  int64_t first;
  int64_t end;

  int64_t size() const { return end - first; }
};

/// The elements of an array's or a map's rows. Below a row that is null there may be some, too.
class ListRows : public StoredRows {
 public:
  explicit ListRows(const columns::Column& column) : StoredRows(column), offsets_(values_.values<int32_t>()) {}

  /// Returns the place of a row's first element in each child of `values()`.
  int32_t first(int64_t row) const { return offsets_[place(row)]; }
  int32_t size(int64_t row) const {
    const int64_t at = place(row);
    return offsets_[at + 1] - offsets_[at];
  }
  /// Returns the places of a row's elements in each child of `values()`.
  ElementRange range(int64_t row) const {
    const int64_t at = place(row);
    return {offsets_[at], offsets_[at + 1]};
  }
  /// Returns the elements of an array, the keys of a map.
  const columns::Column& elements() const { return *values_.children().front(); }
  /// Returns the values of a map.
  const columns::Column& map_values() const { return *values_.children().back(); }

 private:
  const int32_t* offsets_;
};

}  // namespace accelerant::column_functions
