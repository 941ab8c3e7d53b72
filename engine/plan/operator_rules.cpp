#include "plan/operator_rules.h"

#include "base/error.h"
#include "plan/aggregate.h"
#include "plan/expand.h"
#include "plan/expression_binder.h"
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

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace accelerant::plan {

using expressions::Slot;

std::vector<OutputColumn> columns_of(const std::vector<Attribute>& attributes) {
  std::vector<OutputColumn> columns;
  columns.reserve(attributes.size());
  for (const Attribute& attribute : attributes) columns.push_back(attribute.column);
  return columns;
}

std::vector<OutputColumn> node_columns(const Relation& relation) {
  return relation.node ? relation.node->output : std::vector<OutputColumn>{};
}

void check_conjuncts(ExpressionBinder& binder, const std::vector<Slot>& slots) {
  for (const Slot slot : slots) {
    if (slot == ExpressionBinder::kFailed || binder.builder().type(slot).is(types::TypeId::Boolean)) continue;
    binder.note("a filter of type " + binder.builder().type(slot).to_string());
  }
  binder.throw_if_failed();
}

namespace {

/// Returns the id of the column of which an expression only asks whether it is not null, if there is one.
std::optional<int64_t> find_null_checked(const PlanMessage& message, int expression) {
  if (short_name(message.node(expression).class_name) != "IsNotNull") return std::nullopt;
  const int child = NodeFields(message, expression).take_node("child");
  if (short_name(message.node(child).class_name) != "AttributeReference") return std::nullopt;
  return NodeFields(message, child).take_integer("exprId");
}

/// Returns conjuncts in the order in which a filter of Spark's asks them: whether a column is not null before the first
/// one that reads the column, or at the end.
std::vector<int> in_order_of_asking(const PlanMessage& message, const std::vector<int>& conjuncts) {
  std::vector<std::pair<int64_t, int>> null_checks;  // a column's id, and the conjunct
  std::vector<int> others;
  for (const int conjunct : conjuncts) {
    const std::optional<int64_t> column = find_null_checked(message, conjunct);
    if (column) {
      null_checks.emplace_back(*column, conjunct);
    } else {
      others.push_back(conjunct);
    }
  }
  std::vector<int> ordered;
  for (const int conjunct : others) {
    std::unordered_set<int64_t> columns;
    collect_references(message, conjunct, columns);
    const auto is_due = [&](const auto& check) { return columns.contains(check.first); };
    for (const auto& check : null_checks) {
      if (is_due(check)) ordered.push_back(check.second);
    }
    std::erase_if(null_checks, is_due);
    ordered.push_back(conjunct);
  }
  for (const auto& check : null_checks) ordered.push_back(check.second);
  return ordered;
}

Relation bind_filter(Binding& binding, NodeFields& fields) {
  const PlanMessage& message = binding.message();
  const int condition = fields.take_node("condition");
  Relation input = binding.input(fields.take_node("child"));
  fields.ignore("output");
  fields.finish();
  const std::vector<int> conjuncts = in_order_of_asking(message, flatten(message, condition, "And"));
  const bool into_scan = input.scan && input.scan->conjuncts.empty();
  if (!into_scan) close_scan(message, input);
  ExpressionBinder binder(message, input.attributes);
  const std::vector<Slot> slots = binder.bind_all(conjuncts);
  check_conjuncts(binder, slots);
  if (into_scan) {
    input.scan->conjuncts = conjuncts;
    input.scan->filter_plan_node = fields.index();
    return input;
  }
  auto node = std::make_shared<Filter>();
  node->plan_node = fields.index();
  node->program = binder.finish(slots);
  node->num_conjuncts = static_cast<int>(slots.size());
  node->num_selective = count_selective(message, conjuncts);
  node->output = node_columns(input);
  node->inputs = {input.node};
  input.node = std::move(node);
  return input;
}

Relation bind_project(Binding& binding, NodeFields& fields) {
  const std::vector<int> expressions = fields.take_nodes("projectList");
  Relation input = binding.input(fields.take_node("child"));
  fields.ignore("output");
  fields.finish();
  return project(binding.message(), std::move(input), expressions, fields.index());
}

/// Takes what a limit stands above. A limit of each partition there only spares work.
Relation take_limited(Binding& binding, int child, int64_t rows) {
  Relation input = binding.unfinished_input(child);
  if (input.local_limit) {
    if (rows < 0 || input.local_limit->rows < rows)
      throw_unsupported("a limit of each partition that is lower than the limit of all");
    input.local_limit.reset();
    input.unfinished.clear();
  }
  if (!input.unfinished.empty()) throw_unsupported("over " + input.unfinished);
  return input;
}

/// GlobalLimit and CollectLimit.
Relation bind_limit(Binding& binding, NodeFields& fields) {
  const int64_t rows = fields.take_integer("limit");
  const int64_t offset = fields.take_integer("offset");
  Relation input = take_limited(binding, fields.take_node("child"), rows);
  fields.ignore("output");
  fields.finish();
  return limit(binding.message(), std::move(input), rows, offset, fields.index());
}

Relation bind_local_limit(Binding& binding, NodeFields& fields) {
  const int64_t rows = fields.take_integer("limit");
  Relation input = take_limited(binding, fields.take_node("child"), rows);
  input.distinct.reset();
  input.local_limit = LocalLimit{fields.index(), rows};
  input.unfinished = "a limit of each partition";
  fields.ignore("output");
  fields.finish();
  return input;
}

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

}  // namespace

OperatorRule find_operator_rule(std::string_view class_name) {
  static const std::unordered_map<std::string_view, OperatorRule> kRules = {
      {"FileSourceScanExec", Scan::bind},
      {"LocalTableScanExec", MemoryScan::bind_local_table},
      {"columnar.InMemoryTableScanExec", MemoryScan::bind_cached_relation},
      {"RangeExec", Range::bind},
      {"OneRowRelationExec", Range::bind_one_row},
      {"RDDScanExec", Range::bind_rdd_scan},
      {"FilterExec", bind_filter},
      {"ProjectExec", bind_project},
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
      {"CollectLimitExec", bind_limit},
      {"GlobalLimitExec", bind_limit},
      {"LocalLimitExec", bind_local_limit},
      {"ColumnarToRowExec", bind_wrapper},
      {"InputAdapter", bind_wrapper},
      {"WholeStageCodegenExec", bind_wrapper},
      {"adaptive.AdaptiveSparkPlanExec", bind_adaptive},
      {"exchange.BroadcastExchangeExec", bind_broadcast},
      {"exchange.ShuffleExchangeExec", bind_exchange},
  };
  if (!class_name.starts_with(kPackage)) return nullptr;
  const auto found = kRules.find(class_name.substr(kPackage.size()));
  return found == kRules.end() ? nullptr : found->second;
}

}  // namespace accelerant::plan
