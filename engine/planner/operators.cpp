#include "planner/operators.h"

#include "base/error.h"
#include "operators/aggregate.h"
#include "operators/expand.h"
#include "operators/filter.h"
#include "operators/grouping_sets.h"
#include "operators/join_build.h"
#include "operators/join_probe.h"
#include "operators/limit.h"
#include "operators/project.h"
#include "operators/replicate.h"
#include "operators/scalar_value.h"
#include "operators/select_columns.h"
#include "operators/sort.h"
#include "operators/top_k.h"
#include "operators/unnest.h"
#include "operators/window.h"
#include "plan/aggregate.h"
#include "plan/expand.h"
#include "plan/filter.h"
#include "plan/join.h"
#include "plan/limit.h"
#include "plan/project.h"
#include "plan/replicate.h"
#include "plan/scalar_value.h"
#include "plan/scan.h"
#include "plan/sort.h"
#include "plan/top_k.h"
#include "plan/unnest.h"
#include "plan/window.h"
#include "planner/physical_plan.h"

#include <string>
#include <utility>
#include <vector>

namespace accelerant::planner {

namespace {

[[noreturn]] void fail_for(const plan::NodePtr& node, const char* role) {
  throw Error(ErrorKind::Internal, std::string(node->name()) + " is no " + role);
}

}  // namespace

std::unique_ptr<operators::Transform> make_transform(const plan::NodePtr& node, const operators::StageResults& results,
                                                     const execution::OperatorContext& ctx,
                                                     std::shared_ptr<operators::SetAsideRows> set_aside) {
  if (const auto filter = plan::node_as<plan::Filter>(node)) {
    return std::make_unique<operators::Filter>(filter->program, ctx);
  }
  if (const auto project = plan::node_as<plan::Project>(node)) {
    return std::make_unique<operators::Project>(project->program, ctx);
  }
  if (const auto expand = plan::node_as<plan::Expand>(node)) return std::make_unique<operators::Expand>(expand, ctx);
  if (const auto rows = plan::node_as<plan::Replicate>(node)) return std::make_unique<operators::Replicate>(rows, ctx);
  if (const auto rows = plan::node_as<plan::Unnest>(node)) return std::make_unique<operators::Unnest>(rows, ctx);
  if (const auto join = plan::node_as<plan::Join>(node)) {
    return std::make_unique<operators::JoinProbe>(join, results.built_sides.at(node.get()), ctx, std::move(set_aside));
  }
  fail_for(node, "transform");
}

std::shared_ptr<operators::Breaker> make_breaker(const Stage& stage, const execution::OperatorContext& ctx,
                                                 std::shared_ptr<spill::SpillTarget> target,
                                                 std::shared_ptr<operators::DeviceAggregation> device) {
  const plan::NodePtr& node = stage.breaker;
  if (const auto aggregate = plan::node_as<plan::Aggregate>(node)) {
    const auto& sets = stage.grouping_sets;
    if (sets && !device && target->limit_bytes() >= sets->least_bytes)
      return std::make_shared<operators::GroupingSetsSink>(aggregate, sets, ctx, target);
    return std::make_shared<operators::AggregateSink>(aggregate, ctx, std::move(target), std::move(device));
  }
  if (const auto sort = plan::node_as<plan::Sort>(node)) {
    return std::make_shared<operators::SortSink>(sort, ctx, std::move(target));
  }
  if (const auto top_k = plan::node_as<plan::TopK>(node)) return std::make_shared<operators::TopKSink>(top_k, ctx);
  if (const auto window = plan::node_as<plan::Window>(node)) {
    return std::make_shared<operators::WindowSink>(window, ctx, std::move(target));
  }
  if (const auto join = plan::node_as<plan::Join>(node)) {
    return std::make_shared<operators::JoinBuild>(join, ctx, std::move(target));
  }
  if (const auto value = plan::node_as<plan::ScalarValue>(node)) {
    return std::make_shared<operators::ScalarValueSink>(value->inputs.front()->output.front().type, value->expression,
                                                        ctx);
  }
  if (const auto limit = plan::node_as<plan::Limit>(node)) {
    return std::make_shared<operators::LimitSink>(limit->limit, limit->offset, ctx, std::move(target));
  }
  fail_for(node, "pipeline breaker");
}

namespace {

/// Drops the columns that only the scan's own filters need.
std::unique_ptr<operators::Transform> make_column_selection(const plan::Scan& scan) {
  std::vector<size_t> kept = scan.emitted_columns();
  if (kept.size() == scan.spec->columns.size()) return nullptr;
  return std::make_unique<operators::SelectColumns>(std::move(kept));
}

}  // namespace

std::unique_ptr<operators::Transform> make_output_transform(const plan::NodePtr& source,
                                                            const execution::OperatorContext& ctx) {
  if (const auto scan = plan::node_as<plan::Scan>(source)) return make_column_selection(*scan);
  if (const auto aggregate = plan::node_as<plan::Aggregate>(source)) {
    return std::make_unique<operators::Project>(aggregate->result, ctx);
  }
  return nullptr;
}

}  // namespace accelerant::planner
