#pragma once

#include "aggregates/nested_slots.h"
#include "aggregates/text_store.h"
#include "columns/column.h"
#include "memory/array.h"

#include <cstdint>
#include <memory>
#include <span>

namespace accelerant::aggregates {

/// One value of any type, or null, for each group. Owns copies of the values.
class ValueSlots {
 public:
  ValueSlots(const types::DataType& type, std::shared_ptr<memory::Budget> budget);

  /// Makes room for groups [0, num_groups); new ones hold null.
  void resize(int64_t num_groups);
  /// Says whether values are best put in many at a time, by `set_rows`.
  bool is_nested() const { return type_.is_nested() || type_.is(types::TypeId::Null); }
  /// Puts a row of a flat column into a group's slot. Not where values are nested.
  void set(int32_t group, const columns::Column& column, int64_t row);
  /// Says whether a group's slot holds a value. Not where values are nested.
  bool has_value(int32_t group) const { return valid_[group] != 0; }
  /// Puts rows of a flat column into groups' slots; of several for one group the last stays.
  void set_rows(std::span<const int32_t> groups, const columns::Column& column, std::span<const int32_t> rows);
  /// Puts the values of another object's slots into groups' slots, likewise.
  void copy_slots(std::span<const int32_t> groups, const ValueSlots& from, std::span<const int32_t> from_groups);
  /// Returns the values of groups [first, first + length).
  columns::ColumnPtr finish(int64_t first, int64_t length) const;

 private:
  void copy(int32_t group, const ValueSlots& from, int32_t from_group);

  const types::DataType type_;
  const size_t width_;  ///< bytes of a value; 0 for texts
  const std::shared_ptr<memory::Budget> budget_;
  memory::Array<uint8_t> valid_;
  memory::Array<char> values_;
  memory::Array<functions::HeldText> texts_;
  TextStore store_;
  NestedSlots nested_;  ///< is_nested: instead of all others
};

}  // namespace accelerant::aggregates
