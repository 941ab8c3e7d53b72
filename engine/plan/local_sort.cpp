#include "plan/local_sort.h"

#include "expressions/moved_program.h"

#include <utility>

namespace accelerant::plan {

ColumnPositions LocalSort::put_above(std::vector<NodePtr> changed, std::span<const ColumnPositions> places) {
  for (std::optional<int>& key : keys) {
    if (key) key = places.front()[static_cast<size_t>(*key)];
  }
  move_keys(order, places.front(), changed.front()->output.size());
  computed_keys = expressions::moved(computed_keys, places.front());
  return pass_on(std::move(changed), places);
}

}  // namespace accelerant::plan
