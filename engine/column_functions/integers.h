#pragma once

#include "column_functions/stored_rows.h"

#include <cstdint>

namespace accelerant::column_functions {

/// Reads a column of integers of any width.
class Integers {
 public:
  explicit Integers(const columns::Column& column) : rows_(column) {}

  int64_t at(int64_t row) const {
    const columns::Column& values = rows_.values();
    const int64_t place = rows_.place(row);
    switch (types::width_of(values.physical())) {
      case 1:
        return values.values<int8_t>()[place];
      case 2:
        return values.values<int16_t>()[place];
      case 4:
        return values.values<int32_t>()[place];
      default:
        return values.values<int64_t>()[place];
    }
  }

 private:
  const StoredRows rows_;
};

}  // namespace accelerant::column_functions
