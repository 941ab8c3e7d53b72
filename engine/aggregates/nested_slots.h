#pragma once

#include "columns/column.h"
#include "memory/array.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace accelerant::aggregates {

/// One value of a nested type, or null, for each group, as rows of columns that it owns. What groups no longer hold is
/// dropped now and then.
class NestedSlots {
 public:
  NestedSlots(types::DataType type, std::shared_ptr<memory::Budget> budget);

  /// Makes room for groups [0, num_groups); new ones hold null.
  void resize(int64_t num_groups) { place_.resize(num_groups, kNone); }
  /// Puts rows of a flat column into groups' slots. Where it throws it may be called again.
  void set(std::span<const int32_t> groups, const columns::Column& column, std::span<const int32_t> rows);
  /// Puts values of another object's slots into groups' slots. Throws as `set`.
  void copy(std::span<const int32_t> groups, const NestedSlots& from, std::span<const int32_t> from_groups);
  /// Returns the values of groups as a flat column.
  /// @param budget of the column, and of what is made on the way
  columns::ColumnPtr values_of(std::span<const int32_t> groups, const std::shared_ptr<memory::Budget>& budget) const;

 private:
  static constexpr int32_t kNone = -1;
  /// Rows that groups may have left behind before those that they hold are copied.
  static constexpr int64_t kMostLeft = 1024;

  /// Rows, up to a place.
  struct Part {
    int32_t end;
    columns::ColumnPtr rows;
  };

  void add(columns::ColumnPtr rows, std::span<const int32_t> groups);
  /// Copies the rows that groups hold, and drops the others.
  void drop_left_rows();
  /// Returns the rows of some parts, all that are among ascending places.
  std::vector<columns::ColumnPtr> gathered(std::span<const int32_t> places,
                                           const std::shared_ptr<memory::Budget>& budget) const;

  const types::DataType type_;
  const std::shared_ptr<memory::Budget> budget_;
  memory::Array<int32_t> place_;  ///< of a group: the place of its row among all parts'
  std::vector<Part> parts_;
};

}  // namespace accelerant::aggregates
