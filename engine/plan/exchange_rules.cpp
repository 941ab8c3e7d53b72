#include "plan/exchange.h"
#include "plan/operator_rules.h"

#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace accelerant::plan {

namespace {

Asked asked_of(NodeFields& fields) {
  const std::string_view origin = fields.take_enumerator("shuffleOrigin");
  const auto* partitioning = fields.take("outputPartitioning").get_if<Product>();
  if (origin == "ENSURE_REQUIREMENTS") return Asked::Nothing;
  if (!origin.starts_with("REPARTITION") && !origin.starts_with("REBALANCE")) {
    fields.fail("shuffleOrigin", "is " + std::string(origin));
  }
  if (!partitioning) return Asked::Together;  // an expression
  return short_name(partitioning->class_name) == "SinglePartition" ? Asked::OneOfAll : Asked::Number;
}

Relation spread(Relation input, Asked asked, int plan_node) {
  auto exchange = std::make_shared<Exchange>();
  exchange->asked = asked;
  stand_above(input, std::move(exchange), plan_node);
  return input;
}

}  // namespace

Relation Exchange::bind(Binding& binding, NodeFields& fields) {
  Relation input = binding.input(fields.take_node("child"));
  const Asked asked = asked_of(fields);
  fields.require_unset("pipelined");  // of streams; since Spark 4.3
  for (const char* name : {"advisoryPartitionSize", "output"}) fields.ignore(name);
  fields.finish();
  return spread(std::move(input), asked, fields.index());
}

Relation Exchange::bind_coalesce(Binding& binding, NodeFields& fields) {
  Relation input = binding.input(fields.take_node("child"));
  const Asked asked = fields.take_integer("numPartitions") == 1 ? Asked::One : Asked::Number;
  for (const char* name : {"partitionCoalescer", "output"}) fields.ignore(name);
  fields.finish();
  return spread(std::move(input), asked, fields.index());
}

}  // namespace accelerant::plan
