#include "plan/node.h"

namespace accelerant::plan {

const char* to_string(NodeKind kind) {
  switch (kind) {
    case NodeKind::Scan:
      return "Scan";
    case NodeKind::Filter:
      return "Filter";
    case NodeKind::Project:
      return "Project";
    case NodeKind::Aggregate:
      return "Aggregate";
    case NodeKind::Sort:
      return "Sort";
    case NodeKind::Limit:
      return "Limit";
    case NodeKind::Join:
      return "Join";
    case NodeKind::ScalarValue:
      return "ScalarValue";
    case NodeKind::Union:
      return "Union";
    case NodeKind::Expand:
      return "Expand";
  }
  return "?";
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
  text += std::string(to_string(node.kind)) + " #" + std::to_string(node.plan_node);
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
