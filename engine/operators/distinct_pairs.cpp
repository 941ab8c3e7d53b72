#include "operators/distinct_pairs.h"

#include "execution/context.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace accelerant::operators {

void DistinctPairs::grow_to(size_t num_pairs) {
  constexpr size_t kLeastPlaces = 64;
  if (num_pairs * 3 <= places_.span().size() * 2) return;
  const size_t num_places = std::bit_ceil(std::max(num_pairs * 2, kLeastPlaces));
  memory::Array<GroupValue> places(budget_);
  places.reserve(static_cast<int64_t>(num_places));
  places.resize(static_cast<int64_t>(num_places));
  const memory::Array<GroupValue> old = std::exchange(places_, std::move(places));
  visit_places(old.span(), cancellation_, [this](const GroupValue& pair) {
    if (pair.group != 0) places_[find(pair)] = pair;
  });
}

void DistinctPairs::check_cancelled(const execution::Cancellation* cancellation) {
  if (cancellation) cancellation->check();
}

}  // namespace accelerant::operators
