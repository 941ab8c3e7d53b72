#include "plan/aggregate_results.h"

#include "base/error.h"
#include "plan/operator_rules.h"
#include "plan/settings.h"
#include "plan/spark_hash.h"
#include "types/same_values.h"

#include <charconv>
#include <set>
#include <string>
#include <string_view>

namespace accelerant::plan {

using expressions::Slot;

std::vector<Attribute> read_result_scope(const PlanMessage& message, const StepFields& step) {
  if (step.result_attributes.size() != step.calls.size())
    throw_unsupported("an aggregate of " + std::to_string(step.calls.size()) + " functions with " +
                      std::to_string(step.result_attributes.size()) + " columns for their results");
  std::vector<Attribute> scope;
  std::set<int64_t> seen;
  for (const int key : step.grouping) {
    Attribute attribute = named_attribute(message, key);
    if (seen.insert(attribute.expr_id).second) scope.push_back(attribute);
  }
  for (const int result : step.result_attributes) scope.push_back(read_attribute(message, result));
  for (size_t i = 0; i < scope.size(); ++i) scope[i].position = static_cast<int>(i);
  return scope;
}

void check_result(const OutputColumn& column, const AggregateCall& call) {
  if (types::same_values(column.type, call.result_type)) return;
  throw_unsupported("column " + column.name + " of type " + column.type.to_string() + " for the results of " +
                    std::string(call.name()) + ", which are of type " + call.result_type.to_string());
}

namespace {

/// Returns the number of partitions into which Spark spreads rows that it groups.
int num_shuffle_partitions(const PlanMessage& message) {
  constexpr int kDefault = 200;
  const std::string_view usual = setting_or(message, "spark.sql.shuffle.partitions", "");
  const std::string_view text = setting_or(message, "spark.sql.adaptive.coalescePartitions.initialPartitionNum", usual);
  int number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number > 0 ? number : kDefault;
}

}  // namespace

Spreading spreading_of(const PlanMessage& message, const std::vector<OutputColumn>& columns, int plan_node) {
  Spreading spreading;
  if (columns.empty()) return spreading;
  const auto is_on = [&](std::string_view name) {
    return equal_setting_values(setting_or(message, name, "true"), "true");
  };
  spreading.reads_together =
      is_on("spark.sql.adaptive.enabled") && is_on("spark.sql.adaptive.coalescePartitions.enabled");
  expressions::ProgramBuilder builder;
  try {
    std::vector<Slot> keys;
    for (const OutputColumn& column : columns) {
      keys.push_back(builder.input(static_cast<int>(keys.size()), column.type, column.nullable));
    }
    const Slot hash = spark_hash(builder, keys, kPartitioningSeed, plan_node);
    spreading.key_hash = std::move(builder).finish({&hash, 1});
    spreading.num_partitions = num_shuffle_partitions(message);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::Unsupported) throw;
  }
  return spreading;
}

std::vector<Attribute> read_given(const PlanMessage& message, const StepFields& step) {
  std::vector<Attribute> given;
  for (const int expression : step.results) {
    given.push_back(named_attribute(message, expression));
    given.back().position = static_cast<int>(given.size()) - 1;
  }
  return given;
}

}  // namespace accelerant::plan
