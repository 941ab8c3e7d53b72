#include "expressions/key_bound.h"

namespace accelerant::expressions {

void KeyBound::move_to(int64_t place) {
  int64_t known = bound();
  while (place < known && !bound_.compare_exchange_weak(known, place, std::memory_order_relaxed)) {
  }
}

void KeyBound::keep_members(const columns::Column& column, std::vector<int32_t>& rows) const {
  const int64_t bound = this->bound();
  if (bound == kUnknown) return;
  const bool may_have_nulls = column.may_have_nulls();
  // Of encoded columns, the values that rows refer to.
  const columns::Column& values = column.is_dictionary() || column.is_constant() ? *column.child_values() : column;
  const auto place_of = [&](int32_t row) -> int64_t {
    if (column.is_dictionary()) return column.indices()[row];
    return column.is_constant() ? 0 : row;
  };
  std::erase_if(rows, [&](int32_t row) {
    if (may_have_nulls && column.is_null(row)) return !nulls_first_;
    return (number_at(values, place_of(row)) ^ inversion_) > bound;
  });
}

}  // namespace accelerant::expressions
