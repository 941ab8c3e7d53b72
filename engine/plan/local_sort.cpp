#include "plan/local_sort.h"

#include <utility>

namespace accelerant::plan {

ColumnPlaces LocalSort::put_above(std::vector<NodePtr> changed, std::span<const ColumnPlaces> places) {
  for (std::optional<int>& key : keys) {
    if (key) key = places.front()[static_cast<size_t>(*key)];
  }
  return pass_on(std::move(changed), places);
}

}  // namespace accelerant::plan
