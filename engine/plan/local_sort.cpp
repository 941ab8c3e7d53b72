#include "plan/local_sort.h"

#include "expressions/moved_program.h"
#include "expressions/same_program.h"

#include <utility>

namespace accelerant::plan {

ColumnPlaces LocalSort::put_above(std::vector<NodePtr> changed, std::span<const ColumnPlaces> places) {
  for (std::optional<int>& key : keys) {
    if (key) key = places.front()[static_cast<size_t>(*key)];
  }
  move_keys(order, places.front(), changed.front()->output.size());
  computed_keys = expressions::moved(computed_keys, places.front());
  return pass_on(std::move(changed), places);
}

bool LocalSort::equals(const LocalSort& other) const {
  return keys == other.keys && order == other.order && expressions::compute_same(computed_keys, other.computed_keys);
}

}  // namespace accelerant::plan
