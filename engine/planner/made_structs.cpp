#include "planner/made_structs.h"

#include "expressions/instruction.h"
#include "expressions/member_path.h"
#include "plan/filter.h"
#include "plan/project.h"
#include "planner/change_nodes.h"
#include "planner/program_above.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

namespace accelerant::planner {

using expressions::Instruction;
using expressions::MemberPath;
using plan::NodePtr;

namespace {

/// Returns what makes the struct that an output of a program is; nullptr: it is none, or a member may fail.
const Instruction* maker_of(const expressions::Program& program, int output) {
  const expressions::ProgramParts& parts = program.parts();
  const Instruction& made = parts.instructions[static_cast<size_t>(parts.outputs[static_cast<size_t>(output)])];
  const bool is_made = made.operation == expressions::Operation::ColumnCall && class_of(made) == "CreateNamedStruct";
  return is_made && !made.can_fail ? &made : nullptr;
}

/// A projection whose structs are taken apart.
class ApartProject {
 public:
  /// @param read of its columns
  ApartProject(const plan::Project& project, const std::set<MemberPath>& read)
      : node_(std::make_shared<plan::Project>(project)), parts_(project.program->parts()) {
    node_->output.clear();
    const auto slots = std::exchange(parts_.outputs, {});
    for (size_t i = 0; i < slots.size(); ++i) {
      const auto column = static_cast<int>(i);
      if (const Instruction* maker = maker_of(*project.program, column); maker && are_members(read, column)) {
        for (const int member : members_read(read, column)) {
          const types::Field& field = maker->type.fields()[static_cast<size_t>(member)];
          add({column, {member}}, maker->arguments[static_cast<size_t>(member)], field.name);
        }
        is_changed_ = true;
      } else {
        add({column}, slots[i], project.output[i].name);
      }
    }
  }

  bool is_changed() const { return is_changed_; }
  const std::map<MemberPath, int>& places() const { return places_; }

  NodePtr finish() && {
    expressions::ProgramBuilder builder;
    const auto columns = plan::in_place(node_->inputs.front()->output.size());
    const expressions::Program changed(std::make_unique<expressions::ProgramParts>(std::move(parts_)));
    const std::vector<expressions::Slot> outputs = builder.include_all(changed, columns);
    for (size_t i = 0; i < outputs.size(); ++i) {
      node_->output[i].type = builder.type(outputs[i]);
      node_->output[i].nullable = builder.nullable(outputs[i]);
    }
    node_->program = std::move(builder).finish(outputs);
    return node_;
  }

 private:
  /// Says whether all that is read of a column is members of it.
  static bool are_members(const std::set<MemberPath>& read, int column) { return !read.contains({column}); }

  static std::set<int> members_read(const std::set<MemberPath>& read, int column) {
    std::set<int> members;
    for (const MemberPath& path : read) {
      if (path.column == column) members.insert(path.members.front());
    }
    return members;
  }

  void add(MemberPath path, expressions::Slot slot, std::string name) {
    places_[std::move(path)] = static_cast<int>(parts_.outputs.size());
    parts_.outputs.push_back(slot);
    node_->output.push_back({std::move(name), {}, true});
  }

  std::shared_ptr<plan::Project> node_;
  expressions::ProgramParts parts_;
  std::map<MemberPath, int> places_;
  bool is_changed_ = false;
};

/// Puts filters above another projection than they were.
NodePtr put_above(const NodePtr& node, const NodePtr& project, const std::map<MemberPath, int>& places) {
  if (!node->is<plan::Filter>()) return project;
  auto filter = std::make_shared<plan::Filter>(node->as<plan::Filter>());
  filter->inputs = {put_above(node->inputs.front(), project, places)};
  filter->program = expressions::with_members_apart(*filter->program, places);
  filter->output = filter->inputs.front()->output;
  return filter;
}

NodePtr take_project_apart(const NodePtr& node) {
  const plan::ProgramPtr program = program_above(*node);
  if (!program) return node;
  std::set<MemberPath> read = expressions::paths_read(*program);
  NodePtr below = node->inputs.front();
  for (; below->is<plan::Filter>(); below = below->inputs.front()) {
    read.merge(expressions::paths_read(*below->as<plan::Filter>().program));
  }
  if (!below->is<plan::Project>()) return node;
  ApartProject apart(below->as<plan::Project>(), read);
  if (!apart.is_changed()) return node;
  const std::map<MemberPath, int> places = apart.places();
  NodePtr input = put_above(node->inputs.front(), std::move(apart).finish(), places);
  return with_program(*node, expressions::with_members_apart(*program, places), std::move(input));
}

}  // namespace

NodePtr take_structs_apart(const NodePtr& root) { return change_nodes(root, take_project_apart); }

}  // namespace accelerant::planner
