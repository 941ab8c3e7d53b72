#include "plan/generate_rules.h"

#include "plan/operator_rules.h"
#include "plan/replicate.h"
#include "plan/stack_rules.h"
#include "plan/unnest.h"

#include <optional>

namespace accelerant::plan {

namespace {

/// Takes all fields but the input.
Generate read_generate(const PlanMessage& message, NodeFields& fields) {
  Generate generate{fields.index(),
                    fields.take_node("generator"),
                    fields.take_bool("outer"),
                    fields.take_nodes("requiredChildOutput"),
                    {}};
  std::vector<int> columns = generate.kept;
  for (const int made : fields.take_nodes("generatorOutput")) columns.push_back(made);
  for (const int column : columns) {
    generate.attributes.push_back(read_attribute(message, column));
    generate.attributes.back().position = static_cast<int>(generate.attributes.size()) - 1;
  }
  fields.ignore("output");
  return generate;
}

}  // namespace

Relation bind_generate(Binding& binding, NodeFields& fields) {
  const PlanMessage& message = binding.message();
  const int generator = NodeFields(message, fields.index()).take_node("generator");
  const std::string_view name = short_name(message.node(generator).class_name);
  if (name == "ReplicateRows") return Replicate::bind(binding, fields);
  const Generate generate = read_generate(message, fields);
  const Relation input = binding.input(fields.take_node("child"));
  fields.finish();
  if (name == "Stack") {
    if (std::optional<Relation> expanded = expand_stack(message, generate, input)) return *std::move(expanded);
  }
  return Unnest::bind(message, generate, input);
}

}  // namespace accelerant::plan
