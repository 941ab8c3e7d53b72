#pragma once

#include "column_functions/value_hash.h"
#include "column_functions/value_order.h"
#include "columns/column.h"
#include "memory/array.h"

#include <bit>
#include <cstdint>
#include <memory>
#include <utility>

namespace accelerant::column_functions {

/// A set of a column's values, among them null, each by its first place there; for one row of a call after another.
/// Few values are looked through, more are hashed.
template <class Equal>
class PlaceSet {
 public:
  /// Refers to the column.
  PlaceSet(const columns::Column& column, Equal equal, const std::shared_ptr<memory::Budget>& budget)
      : column_(column),
        nulls_(column),
        equal_(std::move(equal)),
        places_(budget),
        is_removed_(budget),
        slots_(budget) {}

  /// Empties the set, which then takes up to `most` values.
  void start(int64_t most) {
    places_.clear();
    is_removed_.clear();
    slots_.clear();
    has_null_ = false;
    if (most > kFew) slots_.resize(static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(most) * 2)), 0);
  }
  bool has_null() const { return has_null_; }
  bool has(int64_t place) const { return nulls_.has(place) ? has_null_ : number_of(place) >= 0; }
  /// Adds the value at a place; says whether the set lacked it.
  bool add(int64_t place) {
    if (nulls_.has(place)) return !std::exchange(has_null_, true);
    if (number_of(place) >= 0) return false;
    if (!slots_.empty()) slots_[slot_of(place)] = static_cast<int32_t>(places_.size()) + 1;
    places_.push_back(static_cast<int32_t>(place));
    return true;
  }
  /// Takes the value at a place out; says whether the set had it. It is never added again.
  bool remove(int64_t place) {
    if (nulls_.has(place)) return std::exchange(has_null_, false);
    const int64_t number = number_of(place);
    is_removed_.resize(places_.size(), false);
    return number >= 0 && !std::exchange(is_removed_[number], true);
  }
  /// Returns the number of a value that is not null among those that were added; -1 where it is none.
  int64_t number_of(int64_t place) const {
    if (!slots_.empty()) return int64_t{slots_[slot_of(place)]} - 1;
    for (int64_t number = 0; number < places_.size(); ++number) {
      if (equal_(places_[number], place)) return number;
    }
    return -1;
  }

 private:
  static constexpr int64_t kFew = 16;

  /// Returns the slot that has the value at a place, or would take it.
  int64_t slot_of(int64_t place) const {
    const auto mask = static_cast<uint64_t>(slots_.size()) - 1;
    uint64_t slot = hash_value(column_, place) & mask;
    while (slots_[static_cast<int64_t>(slot)] != 0 && !equal_(place_in(static_cast<int64_t>(slot)), place)) {
      slot = (slot + 1) & mask;
    }
    return static_cast<int64_t>(slot);
  }
  int32_t place_in(int64_t slot) const { return places_[slots_[slot] - 1]; }

  const columns::Column& column_;
  const NullRows nulls_;
  const Equal equal_;
  memory::Array<int32_t> places_;
  memory::Array<uint8_t> is_removed_;  ///< of each place, where some value was removed
  memory::Array<int32_t> slots_;       ///< 0, or the number of a place, from 1 on; none where values are few
  bool has_null_ = false;
};

/// Calls `run` with an empty set of values of a column.
template <class Run>
void with_set(const columns::Column& column, const std::shared_ptr<memory::Budget>& budget, Run run) {
  with_equality(column, column, [&](auto equal) {
    PlaceSet set(column, equal, budget);
    run(set);
  });
}

}  // namespace accelerant::column_functions
