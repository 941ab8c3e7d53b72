#include "planner/failures.h"

#include "plan/aggregate.h"
#include "plan/expand.h"
#include "plan/filter.h"
#include "plan/join.h"
#include "plan/project.h"
#include "plan/scan.h"

#include <algorithm>

namespace accelerant::planner {

namespace {

bool fails_itself(const plan::Node& node) {
  if (node.is<plan::Scan>()) {
    const auto& spec = node.as<plan::Scan>().spec;
    return spec && std::ranges::any_of(spec->filters, [](const auto& filter) { return filter->can_fail(); });
  }
  if (node.is<plan::Filter>()) return node.as<plan::Filter>().program->can_fail();
  if (node.is<plan::Project>()) return node.as<plan::Project>().program->can_fail();
  if (node.is<plan::Aggregate>()) return node.as<plan::Aggregate>().can_fail();
  if (node.is<plan::Expand>()) return node.as<plan::Expand>().can_fail();
  return node.is<plan::Join>() && node.as<plan::Join>().can_fail();
}

}  // namespace

bool may_fail(const plan::Node& node) {
  return fails_itself(node) ||
         std::ranges::any_of(node.inputs, [](const plan::NodePtr& input) { return may_fail(*input); });
}

}  // namespace accelerant::planner
