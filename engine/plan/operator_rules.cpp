#include "plan/operator_rules.h"

#include "base/error.h"
#include "plan/aggregate.h"
#include "plan/expand.h"
#include "plan/filter.h"
#include "plan/join.h"
#include "plan/limit.h"
#include "plan/memory_scan.h"
#include "plan/project.h"
#include "plan/range.h"
#include "plan/replicate.h"
#include "plan/scan.h"
#include "plan/sort.h"
#include "plan/union.h"
#include "plan/write_files.h"

#include <unordered_map>

namespace accelerant::plan {

std::vector<OutputColumn> columns_of(const std::vector<Attribute>& attributes) {
  std::vector<OutputColumn> columns;
  columns.reserve(attributes.size());
  for (const Attribute& attribute : attributes) columns.push_back(attribute.column);
  return columns;
}

std::vector<OutputColumn> node_columns(const Relation& relation) {
  const std::shared_ptr<Node> node = relation.node();
  return node ? node->output : std::vector<OutputColumn>{};
}

namespace {

/// Operators that only say how Spark moves rows.
Relation bind_wrapper(Binding& binding, NodeFields& fields) {
  Relation input = binding.unfinished_input(fields.take_node("child"));
  for (const char* name : {"otherCopyArgs", "codegenStageId", "output"}) fields.ignore(name);
  fields.finish();
  return input;
}

Relation bind_adaptive(Binding& binding, NodeFields& fields) {
  Relation input = binding.unfinished_input(fields.take_node("inputPlan"));
  for (const char* name : {"context", "preprocessingRules", "isSubquery", "supportsColumnar", "output"})
    fields.ignore(name);
  fields.finish();
  return input;
}

/// An exchange that Spark put in for an operator above; how rows are spread does not matter to one process.
Relation bind_exchange(Binding& binding, NodeFields& fields) {
  Relation input = binding.unfinished_input(fields.take_node("child"));
  const std::string_view origin = fields.take_enumerator("shuffleOrigin");
  if (origin.starts_with("REPARTITION") || origin.starts_with("REBALANCE")) {
    throw_unsupported("a repartition that the program asks for, whose partitions are Spark's");
  }
  if (origin != "ENSURE_REQUIREMENTS") fields.fail("shuffleOrigin", "is " + std::string(origin));
  fields.require_unset("pipelined");  // of streams; since Spark 4.3
  for (const char* name : {"outputPartitioning", "advisoryPartitionSize", "output"}) fields.ignore(name);
  fields.finish();
  return input;
}

/// An exchange below a join, which holds one side in memory in its own way.
Relation bind_broadcast(Binding& binding, NodeFields& fields) {
  Relation input = binding.input(fields.take_node("child"));
  for (const char* name : {"mode", "output"}) fields.ignore(name);
  fields.finish();
  return input;
}

constexpr std::string_view kPackage = "org.apache.spark.sql.execution.";
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
      {"GenerateExec", Replicate::bind},
      {"SortExec", Sort::bind},
      {"TakeOrderedAndProjectExec", Sort::bind_top_k},
      {"joins.BroadcastHashJoinExec", Join::bind_hash},
      {"joins.BroadcastNestedLoopJoinExec", Join::bind_nested_loop},
      {"joins.CartesianProductExec", Join::bind_cartesian_product},
      {"joins.ShuffledHashJoinExec", Join::bind_hash},
      {"joins.SortMergeJoinExec", Join::bind_hash},
      {"UnionExec", Union::bind},
      {"CollectLimitExec", Limit::bind},
      {"GlobalLimitExec", Limit::bind},
      {"LocalLimitExec", Limit::bind_local},
      {"datasources.WriteFilesExec", bind_write_files},
      {"ColumnarToRowExec", bind_wrapper},
      {"InputAdapter", bind_wrapper},
      {"WholeStageCodegenExec", bind_wrapper},
      {"adaptive.AdaptiveSparkPlanExec", bind_adaptive},
      {"exchange.BroadcastExchangeExec", bind_broadcast},
      {"exchange.ShuffleExchangeExec", bind_exchange},
  };
  if (class_name == kIsland) return MemoryScan::bind_island;
  if (!class_name.starts_with(kPackage)) return nullptr;
  const auto found = kRules.find(class_name.substr(kPackage.size()));
  return found == kRules.end() ? nullptr : found->second;
}

}  // namespace accelerant::plan
