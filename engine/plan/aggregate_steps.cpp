// Spark splits an aggregation into steps: Partial and Final; with DISTINCT functions of one set of arguments and others
// beside them, Partial and PartialMerge by keys and arguments, then PartialMerge (the DISTINCT ones: Partial) and Final
// by keys.
#include "plan/aggregate_steps.h"

#include "base/error.h"
#include "plan/operator_rules.h"

#include <algorithm>

namespace accelerant::plan {

namespace {

AggregateExpression read_call(const PlanMessage& message, int index) {
  NodeFields fields(message, index);
  if (fields.short_name() != "AggregateExpression") throw_unsupported("expression " + std::string(fields.short_name()));
  const AggregateExpression call{fields.take_node("aggregateFunction"), fields.take_enumerator("mode"),
                                 fields.take_bool("isDistinct"), fields.take_optional_node("filter"),
                                 fields.take_integer("resultId")};
  fields.finish();
  return call;
}

[[noreturn]] void throw_mismatch() { throw_unsupported("a final aggregate over a partial one that does not match"); }

std::string_view class_of(const PlanMessage& message, const AggregateExpression& call) {
  return message.node(call.function).class_name;
}

/// Spark gives a DISTINCT function a new id in each step.
void require_same_function(const PlanMessage& message, const AggregateExpression& lower,
                           const AggregateExpression& upper) {
  const bool same_id = lower.result_id == upper.result_id || (lower.is_distinct && upper.is_distinct);
  if (!same_id || class_of(message, lower) != class_of(message, upper)) throw_mismatch();
}

/// A step that only merges stands for the one below it.
void require_merge_of(const PlanMessage& message, const AggregateStep& lower, const AggregateStep& merge) {
  if (lower.calls.size() != merge.calls.size() || ids_of(message, lower.grouping) != ids_of(message, merge.grouping)) {
    throw_mismatch();
  }
  for (size_t i = 0; i < lower.calls.size(); ++i) {
    if (merge.calls[i].mode != "PartialMerge") throw_mismatch();
    require_same_function(message, lower.calls[i], merge.calls[i]);
  }
}

AggregatePart find_part(const PlanMessage& message, const AggregateStep& lowest, const AggregateExpression& call) {
  if (call.mode == "Partial" && call.is_distinct) return {call, true};
  const auto found = std::find_if(lowest.calls.begin(), lowest.calls.end(),
                                  [&](const AggregateExpression& c) { return c.result_id == call.result_id; });
  if (call.mode != "PartialMerge" || found == lowest.calls.end()) throw_mismatch();
  require_same_function(message, *found, call);
  return {*found, false};
}

void check_keys(const PlanMessage& message, const std::vector<AggregateStep>& steps) {
  const std::set<int64_t> keys = ids_of(message, steps.back().grouping);
  const std::set<int64_t> lowest = ids_of(message, steps.front().grouping);
  const bool may_have_more = steps.size() > 2;
  const bool found = std::includes(lowest.begin(), lowest.end(), keys.begin(), keys.end());
  if (!found || (!may_have_more && keys != lowest)) throw_mismatch();
  if (steps.size() > 1 && ids_of(message, steps[steps.size() - 2].grouping) != keys) throw_mismatch();
}

}  // namespace

std::set<int64_t> ids_of(const PlanMessage& message, const std::vector<int>& named) {
  std::set<int64_t> ids;
  for (const int expression : named) ids.insert(named_attribute(message, expression).expr_id);
  return ids;
}

AggregateStep read_step(const PlanMessage& message, NodeFields& fields) {
  AggregateStep step;
  step.plan_node = fields.index();
  const bool is_sorted = fields.short_name() == "SortAggregateExec";
  step.grouping = fields.take_nodes("groupingExpressions");
  for (const int index : fields.take_nodes("aggregateExpressions")) step.calls.push_back(read_call(message, index));
  step.result_attributes = fields.take_nodes("aggregateAttributes");
  step.results = fields.take_nodes("resultExpressions");
  step.sorts = is_sorted && !step.grouping.empty();
  step.child = fields.take_node("child");
  fields.require_unset("isStreaming");
  // How rows are spread, and where partial results lie in Spark's buffers.
  for (const char* name :
       {"requiredChildDistributionExpressions", "numShufflePartitions", "initialInputBufferOffset", "output"}) {
    fields.ignore(name);
  }
  fields.finish();
  return step;
}

std::string_view mode_of(const AggregateStep& step) {
  if (step.calls.empty()) return "";
  std::string_view mode = step.calls.front().mode;
  for (const AggregateExpression& call : step.calls) {
    if (call.mode == mode) continue;
    const auto is_either = [](std::string_view m) { return m == "PartialMerge" || m == "Partial"; };
    if (!is_either(call.mode) || !is_either(mode))
      throw_unsupported("aggregate functions of modes " + std::string(mode) + " and " + std::string(call.mode));
    mode = "PartialMerge";
  }
  if (mode != "Partial" && mode != "PartialMerge" && mode != "Final" && mode != "Complete")
    throw_unsupported("aggregate mode " + std::string(mode));
  return mode;
}

std::vector<AggregatePart> match_steps(const PlanMessage& message, const std::vector<AggregateStep>& steps) {
  const AggregateStep& upper = steps.back();
  if (upper.result_attributes.size() != upper.calls.size())
    throw_unsupported("an aggregate of " + std::to_string(upper.calls.size()) + " functions with " +
                      std::to_string(upper.result_attributes.size()) + " columns for their results");
  check_keys(message, steps);
  std::vector<AggregatePart> parts;
  if (steps.size() == 1) {
    for (const AggregateExpression& call : upper.calls) parts.push_back({call, false});
    return parts;
  }
  for (size_t i = 1; i + 2 < steps.size(); ++i) require_merge_of(message, steps.front(), steps[i]);
  const AggregateStep& last = steps[steps.size() - 2];
  if (last.calls.size() != upper.calls.size()) throw_mismatch();
  for (size_t i = 0; i < upper.calls.size(); ++i) {
    require_same_function(message, last.calls[i], upper.calls[i]);
    if (upper.calls[i].filter) throw_unsupported("a filter in a final aggregate");
    parts.push_back(steps.size() == 2 ? AggregatePart{last.calls[i], false}
                                      : find_part(message, steps.front(), last.calls[i]));
  }
  return parts;
}

}  // namespace accelerant::plan
