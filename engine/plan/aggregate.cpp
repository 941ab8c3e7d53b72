#include "plan/aggregate.h"

#include "aggregates/registry.h"
#include "expressions/moved_program.h"
#include "plan/estimates.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace accelerant::plan {

AggregateCall aggregate_call(std::string_view name, std::vector<int> arguments,
                             std::vector<types::DataType> argument_types, types::DataType result_type) {
  return {aggregates::call_of(name, std::move(argument_types), std::move(result_type)), std::move(arguments)};
}

std::vector<ColumnOrigin> Aggregate::origins_of(int column) const {
  const std::optional<int> key = result->input_of(column);
  return key && *key < static_cast<int>(keys.size()) ? origins_in(*input, *key) : std::vector<ColumnOrigin>();
}

ColumnPositions Aggregate::put_above(std::vector<NodePtr> changed, std::span<const ColumnPositions> places) {
  input = expressions::moved(input, places.front());
  return stay_above(std::move(changed));
}

double Aggregate::estimate_rows(Estimates& estimates) const {
  if (keys.empty()) return 1;
  const Node& below = *inputs.front();
  double groups = 1;
  for (size_t key = 0; key < keys.size(); ++key) {
    groups *= estimates.value(below, *input, static_cast<int>(key)).num_distinct;
  }
  return std::min(groups, estimates.rows(below));
}

ValueEstimate Aggregate::estimate_column(int column, Estimates& estimates) const {
  const std::optional<int> key = result->input_of(column);
  if (!key || *key >= static_cast<int>(keys.size())) return estimates.unknown_column(*this);
  ValueEstimate estimate = estimates.value(*inputs.front(), *input, *key);
  estimate.table_rows = estimates.rows(*this);
  return estimate;
}

bool is_same(const AggregateCall& a, const AggregateCall& b) {
  AggregateCall elsewhere = a;
  elsewhere.expression = b.expression;
  return elsewhere == b;
}

bool is_same(const Spreading& a, const Spreading& b) {
  return is_same(a.key_hash, b.key_hash) && a.num_partitions == b.num_partitions &&
         a.reads_together == b.reads_together;
}

bool Aggregate::has_same_groups(const Aggregate& other) const {
  return are_same(members_of_groups(), other.members_of_groups());
}

bool Aggregate::fails_by_itself() const {
  return std::ranges::any_of(calls, [](const AggregateCall& call) { return call.can_fail(); });
}

bool Aggregate::is_spread() const {
  return key_hash && (inputs.empty() || partitioning_of(*inputs.front()) != Partitioning::Single);
}

std::vector<types::DataType> Aggregate::key_types() const {
  std::vector<types::DataType> types;
  for (const OutputColumn& key : keys) types.push_back(key.type);
  return types;
}

bool Aggregate::chooses_rows() const {
  return std::ranges::any_of(calls, [](const AggregateCall& call) { return call.is_order_sensitive(); });
}

namespace {

std::string describe_call(const AggregateCall& call) {
  std::string text = std::string(call.name()) + (call.distinct ? "(distinct " : "(");
  for (size_t i = 0; i < call.arguments.size(); ++i) {
    text += (i > 0 ? ", " : "") + std::to_string(call.arguments[i]);
  }
  return text + (call.arguments.empty() ? "*)" : ")");
}

}  // namespace

std::string Aggregate::describe() const {
  std::string text = "keys=" + std::to_string(keys.size()) + " calls=[";
  for (size_t i = 0; i < calls.size(); ++i) text += (i > 0 ? ", " : "") + describe_call(calls[i]);
  return text + "]";
}

Partitioning Aggregate::partitioning(std::span<const Partitioning>) const {
  return keys.empty() ? Partitioning::Single : Partitioning::Shared;
}

}  // namespace accelerant::plan
