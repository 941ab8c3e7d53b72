#include "plan/node.h"

#include "plan/estimates.h"
#include "plan/row_order.h"
#include "plan/source_of.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace accelerant::plan {

ColumnPositions in_place(size_t num_columns) {
  ColumnPositions places(num_columns);
  for (size_t i = 0; i < num_columns; ++i) places[i] = static_cast<int>(i);
  return places;
}

ColumnPositions Node::stay_above(std::vector<NodePtr> changed) {
  inputs = std::move(changed);
  return in_place(output.size());
}

ColumnPositions Node::pass_on(std::vector<NodePtr> changed, std::span<const ColumnPositions> places) {
  inputs = std::move(changed);
  output = inputs.front()->output;
  return places.front();
}

bool Node::can_fail() const {
  return fails_by_itself() ||
         std::ranges::any_of(programs(), [](const ProgramPtr& program) { return program->can_fail(); });
}

bool Node::calls_outside() const {
  return std::ranges::any_of(passing_programs(), [](const ProgramPtr& program) { return program->calls_outside(); });
}

std::vector<ColumnOrigin> origins_in(const expressions::Program& program, int output) {
  const std::optional<int> column = program.input_of(output);
  return column ? std::vector<ColumnOrigin>{{0, *column}} : std::vector<ColumnOrigin>();
}

ValueEstimate Node::estimate_column(int column, Estimates& estimates) const {
  const std::vector<ColumnOrigin> origins = origins_of(column);
  if (origins.size() != 1) return estimates.unknown_column(*this);
  return estimates.column(*inputs[origins.front().input], origins.front().column);
}

double estimate_table_rows(const Node& source, Estimates& estimates) { return estimates.table_rows(source); }

double estimate_rows_of_input(const Node& node, Estimates& estimates) { return estimates.rows(*node.inputs.front()); }

std::vector<ColumnMask> Node::columns_read(const ColumnMask&) const {
  std::vector<ColumnMask> read;
  for (const NodePtr& input : inputs) read.emplace_back(input->output.size(), true);
  return read;
}

Partitioning Node::partitioning(std::span<const Partitioning> parted) const {
  switch (role) {
    case Role::Source:
      return Partitioning::Independent;
    case Role::Transform:
      return parted.front();
    case Role::Concatenation: {
      const bool independent = std::all_of(parted.begin(), parted.end(),
                                           [](Partitioning input) { return input == Partitioning::Independent; });
      return independent ? Partitioning::Independent : Partitioning::Shared;
    }
    case Role::Breaker:
    case Role::Join:
      break;
  }
  return Partitioning::Shared;
}

namespace {

Partitioning divided(const Node& root) {
  std::vector<Partitioning> inputs;
  for (const NodePtr& input : root.inputs) inputs.push_back(divided(*input));
  return root.partitioning(inputs);
}

bool contains(const Node& root, const auto& is_wanted) {
  return is_wanted(root) ||
         std::ranges::any_of(root.inputs, [&](const auto& input) { return contains(*input, is_wanted); });
}

/// Says whether a run may choose other rows than another one.
bool choice_varies(const Node& root) {
  return contains(root, [](const Node& node) {
    return node.chooses_rows() &&
           std::ranges::any_of(node.inputs, [](const NodePtr& input) { return order_varies(*input); });
  });
}

}  // namespace

Partitioning partitioning_of(const Node& root) {
  const Partitioning partitioning = divided(root);
  // Parts of different runs have to make up one result.
  const bool varies = partitioning == Partitioning::Shared && choice_varies(root);
  return varies ? Partitioning::Single : partitioning;
}

bool may_fail(const Node& root) {
  return contains(root, [](const Node& node) { return node.can_fail(); });
}

namespace {

void print_output(const std::vector<OutputColumn>& output, std::string& text) {
  text += " -> (";
  for (size_t i = 0; i < output.size(); ++i) {
    if (i > 0) text += ", ";
    text += output[i].name + " " + output[i].type.to_string();
    if (!output[i].nullable) text += " not null";
  }
  text += ")\n";
}

void print(const Node& node, int depth, std::string& text) {
  text.append(static_cast<size_t>(depth) * 2, ' ');
  text += std::string(node.name()) + " #" + std::to_string(node.plan_node);
  const std::string parameters = node.describe();
  if (!parameters.empty()) text += " " + parameters;
  print_output(node.output, text);
  for (const NodePtr& input : node.inputs) print(*input, depth + 1, text);
}

}  // namespace

std::string to_string(const Node& root) {
  std::string text;
  print(root, 0, text);
  return text;
}

}  // namespace accelerant::plan
