#include "planner/program_above.h"

#include "plan/aggregate.h"
#include "plan/project.h"

#include <memory>
#include <utility>

namespace accelerant::planner {

using plan::NodePtr;
using plan::ProgramPtr;

ProgramPtr program_above(const plan::Node& node) {
  if (node.is<plan::Project>()) return node.as<plan::Project>().program;
  return node.is<plan::Aggregate>() ? node.as<plan::Aggregate>().input : nullptr;
}

NodePtr with_program(const plan::Node& node, ProgramPtr program, NodePtr input) {
  if (node.is<plan::Project>()) {
    auto project = std::make_shared<plan::Project>(node.as<plan::Project>());
    project->program = std::move(program);
    project->inputs = {std::move(input)};
    return project;
  }
  auto aggregate = std::make_shared<plan::Aggregate>(node.as<plan::Aggregate>());
  aggregate->input = std::move(program);
  aggregate->inputs = {std::move(input)};
  return aggregate;
}

}  // namespace accelerant::planner
