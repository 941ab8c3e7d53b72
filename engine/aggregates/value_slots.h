#pragma once

#include "aggregates/text_store.h"
#include "columns/column.h"
#include "memory/array.h"

#include <cstdint>
#include <memory>

namespace accelerant::aggregates {

/// One value of any type that is not nested, or null, for each group. Owns copies of the values.
class ValueSlots {
 public:
  ValueSlots(const types::DataType& type, std::shared_ptr<memory::Budget> budget);

  /// Makes room for groups [0, num_groups); new ones hold null.
  void resize(int64_t num_groups);
  /// Puts a row of a flat column into a group's slot.
  void set(int32_t group, const columns::Column& column, int64_t row);
  /// Puts the value of another object's slot into a group's slot.
  void copy(int32_t group, const ValueSlots& from, int32_t from_group);
  /// Returns the values of groups [first, first + length).
  columns::ColumnPtr finish(int64_t first, int64_t length) const;

 private:
  const types::DataType type_;
  const size_t width_;  ///< bytes of a value; 0 for texts
  const std::shared_ptr<memory::Budget> budget_;
  memory::Array<uint8_t> valid_;
  memory::Array<char> values_;
  memory::Array<functions::HeldText> texts_;
  TextStore store_;
};

}  // namespace accelerant::aggregates
