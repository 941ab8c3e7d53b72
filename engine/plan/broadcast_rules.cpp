#include "plan/broadcast.h"
#include "plan/operator_rules.h"

#include <memory>

namespace accelerant::plan {

Relation Broadcast::bind(Binding& binding, NodeFields& fields) {
  Relation input = binding.input(fields.take_node("child"));
  for (const char* name : {"mode", "output"}) fields.ignore(name);
  fields.finish();
  stand_above(input, std::make_shared<Broadcast>(), fields.index());
  return input;
}

}  // namespace accelerant::plan
