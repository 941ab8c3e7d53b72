#include "plan/row_order.h"

#include "plan/aggregate.h"

#include <algorithm>
#include <cstddef>

namespace accelerant::plan {

bool order_varies(const Node& root) {
  return root.varies_in_order() ||
         std::ranges::any_of(root.inputs, [](const NodePtr& input) { return order_varies(*input); });
}

bool tells_order(const Node& root) {
  switch (root.role) {
    case Role::Source:
      return true;
    case Role::Transform:
    case Role::Concatenation:
      return std::ranges::all_of(root.inputs, [](const NodePtr& input) { return tells_order(*input); });
    case Role::Join:
      for (size_t i = 0; i < root.inputs.size(); ++i) {
        const Node& input = *root.inputs[i];
        if (i == root.passing_input() ? !tells_order(input) : order_varies(input)) return false;
      }
      return true;
    case Role::Breaker:
      return root.is<Aggregate>() || !order_varies(root);
  }
  return false;
}

}  // namespace accelerant::plan
