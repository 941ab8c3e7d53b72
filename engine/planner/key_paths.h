#pragma once

#include "plan/node.h"

#include <utility>
#include <vector>

/// Where a request goes to drop rows by the value of a column: from a node down to the inputs which that column
/// comes from, but through nothing that may fail of a row, as a row that is dropped fails no more. A request is a
/// struct with an `int column`, its position in the output of the node at hand.
namespace accelerant::planner {

/// Returns what becomes of requests in each input of a node.
template <class Request>
std::vector<std::vector<Request>> pass_to_inputs(const plan::Node& node, const std::vector<Request>& requests) {
  std::vector<std::vector<Request>> passed(node.inputs.size());
  if (requests.empty() || node.can_fail()) return passed;
  for (const Request& request : requests) {
    for (const plan::ColumnOrigin& origin : node.origins_of(request.column)) {
      if (!node.drops_alike(origin.input)) continue;
      passed[origin.input].push_back(request);
      passed[origin.input].back().column = origin.column;
    }
  }
  return passed;
}

}  // namespace accelerant::planner
