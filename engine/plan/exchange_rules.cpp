#include "base/error.h"
#include "plan/exchange.h"
#include "plan/operator_rules.h"

#include <memory>
#include <string>
#include <string_view>

namespace accelerant::plan {

Relation Exchange::bind(Binding& binding, NodeFields& fields) {
  Relation input = binding.input(fields.take_node("child"));
  const std::string_view origin = fields.take_enumerator("shuffleOrigin");
  if (origin.starts_with("REPARTITION") || origin.starts_with("REBALANCE")) {
    throw_unsupported("a repartition that the program asks for, whose partitions are Spark's");
  }
  if (origin != "ENSURE_REQUIREMENTS") fields.fail("shuffleOrigin", "is " + std::string(origin));
  fields.require_unset("pipelined");  // of streams; since Spark 4.3
  for (const char* name : {"outputPartitioning", "advisoryPartitionSize", "output"}) fields.ignore(name);
  fields.finish();
  stand_above(input, std::make_shared<Exchange>(), fields.index());
  return input;
}

}  // namespace accelerant::plan
