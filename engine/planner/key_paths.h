#pragma once

#include "plan/node.h"

#include <utility>
#include <vector>

/// Where a wish goes that rows be dropped by the value of a column: from a node down to the inputs which that column
/// comes from, but through nothing that may fail of a row, as a row that is dropped fails no more. A wish is a struct
/// with an `int column`, its position in the output of the node at hand.
namespace accelerant::planner {

/// Returns what becomes of wishes in each input of a node.
template <class Wish>
std::vector<std::vector<Wish>> pass_to_inputs(const plan::Node& node, const std::vector<Wish>& wishes) {
  std::vector<std::vector<Wish>> passed(node.inputs.size());
  if (wishes.empty() || node.can_fail()) return passed;
  for (const Wish& wish : wishes) {
    for (const plan::ColumnOrigin& origin : node.origins_of(wish.column)) {
      if (!node.drops_alike(origin.input)) continue;
      passed[origin.input].push_back(wish);
      passed[origin.input].back().column = origin.column;
    }
  }
  return passed;
}

}  // namespace accelerant::planner
