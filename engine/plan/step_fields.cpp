#include "plan/step_fields.h"

#include "base/error.h"

namespace accelerant::plan {

AggregateExpression read_aggregate_expression(const PlanMessage& message, int index) {
  NodeFields fields(message, index);
  if (fields.short_name() != "AggregateExpression") throw_unsupported("expression " + std::string(fields.short_name()));
  const AggregateExpression call{fields.take_node("aggregateFunction"), fields.take_enumerator("mode"),
                                 fields.take_bool("isDistinct"), fields.take_optional_node("filter"),
                                 fields.take_integer("resultId")};
  fields.finish();
  return call;
}

StepFields read_step(const PlanMessage& message, NodeFields& fields) {
  StepFields step;
  step.plan_node = fields.index();
  const bool is_sorted = fields.short_name() == "SortAggregateExec";
  step.grouping = fields.take_nodes("groupingExpressions");
  for (const int index : fields.take_nodes("aggregateExpressions")) {
    step.calls.push_back(read_aggregate_expression(message, index));
  }
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

std::string_view mode_of(const StepFields& step) {
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

}  // namespace accelerant::plan
