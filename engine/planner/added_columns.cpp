#include "planner/added_columns.h"

#include "plan/project.h"

#include <memory>
#include <utility>
#include <vector>

namespace accelerant::planner {

using expressions::ProgramBuilder;
using expressions::Slot;
using plan::NodePtr;

namespace {

std::vector<Slot> read_all(ProgramBuilder& builder, const std::vector<plan::OutputColumn>& columns) {
  std::vector<Slot> slots;
  for (const plan::OutputColumn& column : columns) {
    slots.push_back(builder.input(static_cast<int>(slots.size()), column.type, column.nullable));
  }
  return slots;
}

std::shared_ptr<plan::Project> project(const NodePtr& input, int plan_node) {
  auto node = std::make_shared<plan::Project>();
  node->plan_node = plan_node;
  node->inputs = {input};
  return node;
}

}  // namespace

NodePtr add_columns(const NodePtr& input, const expressions::Program& program, const std::string& name, int plan_node) {
  auto node = project(input, plan_node);
  ProgramBuilder builder;
  node->output = input->output;
  // First, as its inputs know which of Spark's attributes they are: errors are told with the values of these.
  const std::vector<Slot> all_added = builder.include_all(program, plan::in_place(node->output.size()));
  std::vector<Slot> outputs = read_all(builder, node->output);
  for (const Slot added : all_added) {
    outputs.push_back(added);
    node->output.push_back({name, builder.type(added), builder.nullable(added)});
  }
  node->program = std::move(builder).finish(outputs);
  return node;
}

NodePtr choose_first_columns(const NodePtr& input, const std::vector<plan::OutputColumn>& output, int plan_node) {
  auto node = project(input, plan_node);
  ProgramBuilder builder;
  const std::vector<Slot> outputs = read_all(builder, output);
  node->output = output;
  node->program = std::move(builder).finish(outputs);
  return node;
}

}  // namespace accelerant::planner
