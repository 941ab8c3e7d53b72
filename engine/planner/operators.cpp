#include "planner/operators.h"

#include "base/error.h"
#include "operators/aggregate.h"
#include "operators/expand.h"
#include "operators/filter.h"
#include "operators/join_build.h"
#include "operators/join_probe.h"
#include "operators/limit.h"
#include "operators/project.h"
#include "operators/scalar_value.h"
#include "operators/select_columns.h"
#include "operators/sort.h"
#include "plan/aggregate.h"
#include "plan/expand.h"
#include "plan/filter.h"
#include "plan/join.h"
#include "plan/limit.h"
#include "plan/project.h"
#include "plan/scalar_value.h"
#include "plan/scan.h"
#include "plan/sort.h"

#include <utility>
#include <vector>

namespace accelerant::planner {

using plan::NodeKind;

std::unique_ptr<operators::Transform> make_transform(const plan::NodePtr& node, const Results& results,
                                                     const execution::OperatorContext& ctx) {
  switch (node->kind) {
    case NodeKind::Filter:
      return std::make_unique<operators::Filter>(node->as<plan::Filter>().program, ctx);
    case NodeKind::Project:
      return std::make_unique<operators::Project>(node->as<plan::Project>().program, ctx);
    case NodeKind::Expand:
      return std::make_unique<operators::Expand>(std::static_pointer_cast<const plan::Expand>(node), ctx);
    case NodeKind::Join: {
      const auto& build = static_cast<const operators::JoinBuild&>(*results.breakers.at(node.get()));
      return std::make_unique<operators::JoinProbe>(std::static_pointer_cast<const plan::Join>(node), build.result(),
                                                    ctx);
    }
    default:
      ACC_CHECK(!"an operator that rows pass through");
  }
  return nullptr;
}

std::shared_ptr<operators::Breaker> make_breaker(const plan::NodePtr& node, const execution::OperatorContext& ctx) {
  switch (node->kind) {
    case NodeKind::Aggregate:
      return std::make_shared<operators::AggregateSink>(std::static_pointer_cast<const plan::Aggregate>(node), ctx);
    case NodeKind::Sort:
      return std::make_shared<operators::SortSink>(std::static_pointer_cast<const plan::Sort>(node), ctx);
    case NodeKind::Join:
      return std::make_shared<operators::JoinBuild>(std::static_pointer_cast<const plan::Join>(node), ctx);
    case NodeKind::ScalarValue:
      return std::make_shared<operators::ScalarValueSink>(node->inputs.front()->output.front().type,
                                                          node->as<plan::ScalarValue>().expression, ctx);
    case NodeKind::Limit:
      return std::make_shared<operators::LimitSink>(node->as<plan::Limit>().limit, node->as<plan::Limit>().offset, ctx);
    default:
      ACC_CHECK(!"a pipeline breaker");
  }
  return nullptr;
}

namespace {

/// Drops the columns that only the scan's own filters need.
std::unique_ptr<operators::Transform> make_column_selection(const plan::Scan& scan) {
  std::vector<size_t> kept;
  for (size_t i = 0; i < scan.spec->columns.size(); ++i) {
    if (!scan.spec->columns[i].filter_only) kept.push_back(i);
  }
  if (kept.size() == scan.spec->columns.size()) return nullptr;
  return std::make_unique<operators::SelectColumns>(std::move(kept));
}

}  // namespace

std::unique_ptr<operators::Transform> make_output_transform(const plan::NodePtr& source,
                                                            const execution::OperatorContext& ctx) {
  switch (source->kind) {
    case NodeKind::Scan:
      return make_column_selection(source->as<plan::Scan>());
    case NodeKind::Aggregate:
      return std::make_unique<operators::Project>(source->as<plan::Aggregate>().result, ctx);
    default:
      return nullptr;
  }
}

}  // namespace accelerant::planner
