#pragma once

#include "base/error.h"
#include "column_functions/stored_rows.h"

#include <cstdint>

namespace accelerant::column_functions {

/// Reads a column of integers of any width.
class Integers {
 public:
  explicit Integers(const columns::Column& column) : rows_(column), width_(types::width_of(rows_.values().physical())) {
    ACC_CHECK(width_ == 1 || width_ == 2 || width_ == 4 || width_ == 8);
  }

  int64_t at(int64_t row) const {
    const columns::Column& values = rows_.values();
    const int64_t place = rows_.place(row);
    switch (width_) {
      case 1:
        return values.values<int8_t>()[place];
      case 2:
        return values.values<int16_t>()[place];
      case 4:
        return values.values<int32_t>()[place];
      case 8:
        return values.values<int64_t>()[place];
      default:
        __builtin_unreachable();  // the constructor checks the width, once for all rows
    }
  }

 private:
  const StoredRows rows_;
  const int width_;  ///< of a value in bytes
};

}  // namespace accelerant::column_functions
