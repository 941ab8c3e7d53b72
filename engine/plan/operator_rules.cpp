#include "plan/operator_rules.h"

#include "base/error.h"
#include "plan/aggregate.h"
#include "plan/broadcast.h"
#include "plan/exchange.h"
#include "plan/expand.h"
#include "plan/filter.h"
#include "plan/generate_rules.h"
#include "plan/group_limit.h"
#include "plan/join.h"
#include "plan/limit.h"
#include "plan/local_limit.h"
#include "plan/memory_scan.h"
#include "plan/project.h"
#include "plan/range.h"
#include "plan/scan.h"
#include "plan/sort.h"
#include "plan/take_ordered.h"
#include "plan/union.h"
#include "plan/window.h"
#include "plan/write_files.h"

#include <memory>
#include <unordered_map>
#include <utility>

namespace accelerant::plan {

std::vector<OutputColumn> columns_of(const std::vector<Attribute>& attributes) {
  std::vector<OutputColumn> columns;
  columns.reserve(attributes.size());
  for (const Attribute& attribute : attributes) columns.push_back(attribute.column);
  return columns;
}

void stand_above(Relation& input, std::shared_ptr<Node> node, int plan_node) {
  node->plan_node = plan_node;
  node->output = input.node->output;
  node->inputs = {input.node};
  input.node = std::move(node);
}

namespace {

/// Wrappers of what Spark runs, no operators of their own.
Relation bind_wrapping_operator(Binding& binding, NodeFields& fields) {
  Relation input = binding.input(fields.take_node("child"));
  for (const char* name : {"otherCopyArgs", "codegenStageId", "output"}) fields.ignore(name);
  fields.finish();
  return input;
}

Relation bind_adaptive(Binding& binding, NodeFields& fields) {
  Relation input = binding.input(fields.take_node("inputPlan"));
  for (const char* name : {"context", "preprocessingRules", "isSubquery", "supportsColumnar", "output"})
    fields.ignore(name);
  fields.finish();
  return input;
}

constexpr std::string_view kExecutionPackage = "org.apache.spark.sql.execution.";
/// Our own operator in Spark's plans.
constexpr std::string_view kIsland = "io.accelerant.spark.IslandExec";

}  // namespace

OperatorRule find_operator_rule(std::string_view class_name) {
  static const std::unordered_map<std::string_view, OperatorRule> kRules = {
      {"FileSourceScanExec", Scan::bind},
      {"LocalTableScanExec", MemoryScan::bind_local_table},
      {"columnar.InMemoryTableScanExec", MemoryScan::bind_cached_relation},
      {"RangeExec", Range::bind},
      {"OneRowRelationExec", Range::bind_one_row},
      {"RDDScanExec", Range::bind_rdd_scan},
      {"FilterExec", Filter::bind},
      {"ProjectExec", Project::bind},
      {"aggregate.HashAggregateExec", Aggregate::bind},
      {"aggregate.SortAggregateExec", Aggregate::bind},
      {"aggregate.ObjectHashAggregateExec", Aggregate::bind},
      {"ExpandExec", Expand::bind},
      {"GenerateExec", bind_generate},
      {"SortExec", Sort::bind},
      {"TakeOrderedAndProjectExec", TakeOrdered::bind},
      {"joins.BroadcastHashJoinExec", Join::bind_hash},
      {"joins.BroadcastNestedLoopJoinExec", Join::bind_nested_loop},
      {"joins.CartesianProductExec", Join::bind_cartesian_product},
      {"joins.ShuffledHashJoinExec", Join::bind_hash},
      {"joins.SortMergeJoinExec", Join::bind_hash},
      {"UnionExec", Union::bind},
      {"window.WindowExec", Window::bind},
      {"window.WindowGroupLimitExec", GroupLimit::bind},
      {"CollectLimitExec", Limit::bind},
      {"GlobalLimitExec", Limit::bind},
      {"LocalLimitExec", LocalLimit::bind},
      {"datasources.WriteFilesExec", WriteFiles::bind},
      {"ColumnarToRowExec", bind_wrapping_operator},
      {"InputAdapter", bind_wrapping_operator},
      {"WholeStageCodegenExec", bind_wrapping_operator},
      {"adaptive.AdaptiveSparkPlanExec", bind_adaptive},
      {"exchange.BroadcastExchangeExec", Broadcast::bind},
      {"exchange.ShuffleExchangeExec", Exchange::bind},
      {"CoalesceExec", Exchange::bind_coalesce},
  };
  if (class_name == kIsland) return MemoryScan::bind_island;
  if (!class_name.starts_with(kExecutionPackage)) return nullptr;
  const auto found = kRules.find(class_name.substr(kExecutionPackage.size()));
  return found == kRules.end() ? nullptr : found->second;
}

}  // namespace accelerant::plan
