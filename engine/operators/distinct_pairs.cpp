#include "operators/distinct_pairs.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace accelerant::operators {

void DistinctPairs::grow_to(size_t num_pairs) {
  constexpr size_t kLeastPlaces = 64;
  if (num_pairs * 3 <= places_.size() * 2) return;
  const size_t num_places = std::bit_ceil(std::max(num_pairs * 2, kLeastPlaces));
  const auto bytes = static_cast<int64_t>(num_places * sizeof(GroupValue));
  reservation_.resize(memory_bytes() + bytes);
  std::vector<GroupValue> old = std::exchange(places_, std::vector<GroupValue>(num_places));
  for (const GroupValue& pair : old) {
    if (pair.group != 0) places_[find(pair)] = pair;
  }
  old = std::vector<GroupValue>();
  reservation_.resize(bytes);
}

}  // namespace accelerant::operators
