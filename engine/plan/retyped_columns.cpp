#include "plan/retyped_columns.h"

#include "base/error.h"
#include "plan/project.h"
#include "types/same_values.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>

namespace accelerant::plan {

using expressions::ProgramBuilder;
using expressions::Slot;

Slot retyped(ProgramBuilder& builder, Slot value, const OutputColumn& column) {
  const types::DataType type = builder.type(value);
  if (!types::same_values(type, column.type)) {
    throw_unsupported("values of " + type.to_string() + " in column " + column.name + " of type " +
                      column.type.to_string());
  }
  return builder.call("org.apache.spark.sql.catalyst.expressions.Cast", {value},
                      types::null_as_either(column.type, type), expressions::EvalMode::Ansi, -1);
}

NodePtr retyped(const NodePtr& input, const std::vector<OutputColumn>& columns, int plan_node) {
  const auto same_type = [](const OutputColumn& a, const OutputColumn& b) { return a.type == b.type; };
  if (std::ranges::equal(input->output, columns, same_type)) return input;
  ProgramBuilder builder;
  std::vector<Slot> slots;
  auto project = std::make_shared<Project>();
  for (size_t i = 0; i < columns.size(); ++i) {
    const OutputColumn& column = input->output[i];
    slots.push_back(retyped(builder, builder.input(static_cast<int>(i), column.type, column.nullable), columns[i]));
    project->output.push_back({column.name, builder.type(slots.back()), column.nullable});
  }
  project->plan_node = plan_node;
  project->program = std::move(builder).finish(slots);
  project->inputs = {input};
  return project;
}

}  // namespace accelerant::plan
