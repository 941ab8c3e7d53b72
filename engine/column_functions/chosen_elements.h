#pragma once

#include "column_functions/definition.h"
#include "column_functions/stored_rows.h"
#include "columns/gather.h"
#include "memory/array.h"
#include "memory/offset_limit.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace accelerant::column_functions {

/// Arrays that are made, row by row, of elements chosen from a column.
class ChosenElements {
 public:
  explicit ChosenElements(const ColumnCall& call) : call_(call), places_(call.budget()), offsets_(call.budget()) {
    offsets_.push_back(0);
  }

  /// Appends the element at a place to the row; null for -1.
  void add(int64_t place) { places_.push_back(static_cast<int32_t>(place)); }
  /// Appends the element at a place `count` times. Throws as `end_row`.
  void add_times(int64_t place, int64_t count) {
    check(places_.size() + count);
    places_.append(count, static_cast<int32_t>(place));
  }
  /// Appends elements [first, end).
  void add_all(int64_t first, int64_t end) {
    for (int64_t place = first; place < end; ++place) add(place);
  }
  /// Adds to all rows, and ends them, those elements for which a flat condition is true.
  /// @param offsets where each row's elements begin, and the end
  void add_where(const columns::Column& condition, std::span<const int32_t> offsets) {
    const NullRows nulls(condition);
    const auto* is_true = condition.values<uint8_t>();
    int64_t num_chosen = places_.size();
    places_.resize(num_chosen + offsets.back() + 1);  // every element is written, and overwritten if it is not chosen
    for (size_t row = 0; row + 1 < offsets.size(); ++row) {
      for (int32_t element = offsets[row]; element < offsets[row + 1]; ++element) {
        places_[num_chosen] = element;
        num_chosen += is_true[element] != 0 && !nulls.has(element);
      }
      check(num_chosen);
      offsets_.push_back(static_cast<int32_t>(num_chosen));
    }
    places_.resize(num_chosen);
  }
  /// Ends a row; every row is ended.
  /// @throws Error Unsupported where a batch's elements are too many
  void end_row() {
    check(places_.size());
    offsets_.push_back(static_cast<int32_t>(places_.size()));
  }
  /// Returns where each row's elements begin, and the end.
  std::span<const int32_t> offsets() const { return offsets_.span(); }
  /// Returns what was chosen of a column of elements.
  columns::ColumnPtr take(const columns::Column& elements) const {
    return columns::gather_or_null(elements, places_.span(), call_.budget());
  }
  /// Returns the arrays.
  columns::ColumnPtr finish(const columns::Column& elements) const { return finish_of({take(elements)}); }
  /// Returns the arrays or maps of children with as many elements as were chosen.
  columns::ColumnPtr finish_of(std::vector<columns::ColumnPtr> children) const {
    const int64_t num_rows = offsets_.size() - 1;
    auto offsets = memory::Buffer::allocate((num_rows + 1) * static_cast<int64_t>(sizeof(int32_t)), call_.budget());
    std::ranges::copy(offsets_.span(), offsets->mutable_as<int32_t>());
    return columns::Column::flat(
        {call_.type(), call_.type().physical(), num_rows, 0, std::move(offsets), nullptr, {}, std::move(children)});
  }

 private:
  static void check(int64_t num_elements) { memory::check_offsets(num_elements, "array elements"); }

  const ColumnCall& call_;
  memory::Array<int32_t> places_;
  memory::Array<int32_t> offsets_;
};

/// Returns arrays of elements of the first argument, an array: `choose(lists, row, chosen)` adds those of a row that
/// counts.
template <class Choose>
columns::ColumnPtr choose_elements(const ColumnCall& call, const Choose& choose) {
  const ListRows lists(call.argument(0));
  ChosenElements chosen(call);
  for (int64_t row = 0; row < call.num_rows(); ++row) {
    if (call.counts(row)) choose(lists, row, chosen);
    chosen.end_row();
  }
  return chosen.finish(lists.elements());
}

}  // namespace accelerant::column_functions
