#include "planner/push_filters.h"

#include "plan/filter.h"
#include "plan/scan.h"
#include "planner/change_nodes.h"

#include <memory>
#include <utility>

namespace accelerant::planner {

using plan::NodePtr;

namespace {

/// Returns a filter's conjunct as a program of its own.
plan::ProgramPtr conjunct_of(const plan::Filter& filter, int conjunct) {
  expressions::ProgramBuilder builder;
  const auto columns = plan::in_place(filter.output.size());
  const auto slot = builder.include(*filter.program, conjunct, columns);
  return std::move(builder).finish({&*slot, 1});
}

NodePtr push(const NodePtr& node) {
  if (!node->is<plan::Filter>() || !node->inputs.front()->is<plan::Scan>()) return node;
  const auto& filter = node->as<plan::Filter>();
  const auto& scan = filter.inputs.front()->as<plan::Scan>();
  if (scan.has_pushed_filter()) return node;
  auto spec = std::make_shared<io::ScanSpec>(*scan.spec);
  for (int i = 0; i < filter.program->num_outputs(); ++i) spec->filters.push_back(conjunct_of(filter, i));
  spec->filter_plan_node = filter.plan_node;
  auto filtered = std::make_shared<plan::Scan>(scan);
  filtered->spec = std::move(spec);
  filtered->fused.insert(filtered->fused.end(), filter.fused.begin(), filter.fused.end());
  return filtered;
}

}  // namespace

NodePtr push_filters(const NodePtr& root) { return change_nodes(root, push); }

}  // namespace accelerant::planner
