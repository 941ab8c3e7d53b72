#include "plan/generate_rules.h"

#include "plan/operator_rules.h"
#include "plan/replicate.h"
#include "plan/unnest.h"

namespace accelerant::plan {

Relation bind_generate(Binding& binding, NodeFields& fields) {
  const PlanMessage& message = binding.message();
  const int generator = NodeFields(message, fields.index()).take_node("generator");
  const bool copies_rows = short_name(message.node(generator).class_name) == "ReplicateRows";
  return copies_rows ? Replicate::bind(binding, fields) : Unnest::bind(binding, fields);
}

}  // namespace accelerant::plan
