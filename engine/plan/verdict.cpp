#include "plan/verdict.h"

namespace accelerant::plan {

const char* to_string(Partitioning partitioning) {
  switch (partitioning) {
    case Partitioning::Single:
      return "single";
    case Partitioning::Independent:
      return "independent";
    case Partitioning::Shared:
      return "shared";
  }
  return "?";
}

namespace {

std::string on_one_line(std::string text) {
  for (char& c : text) {
    if (c == '\t' || c == '\n' || c == '\r') c = ' ';
  }
  return text;
}

}  // namespace

std::string reason_against_end(std::string_view end) {
  return "the query ends in " + std::string(end) + ", and the engine has no partitions of Spark's";
}

void Verdict::refuse_node(int plan_node, const std::string& reason) {
  supported = false;
  for (NodeVerdict& node : nodes) {
    if (node.plan_node == plan_node && node.reason.empty()) node.reason = reason;
  }
}

std::string Verdict::to_text() const {
  std::string text = std::string("supported\t") + (supported ? "true" : "false") + "\n";
  text += std::string("partitioning\t") + to_string(partitioning) + "\n";
  for (const NodeVerdict& node : nodes) {
    text += "node\t" + std::to_string(node.plan_node) + (node.reason.empty() ? "\tnative\t" : "\tunsupported\t");
    text += on_one_line(node.operator_name) + "\t" + on_one_line(node.reason) + "\n";
  }
  for (const SettingVerdict& setting : settings) {
    text += "setting\t" + on_one_line(setting.name) + "\t" + on_one_line(setting.reason) + "\n";
  }
  for (const BridgedCall& call : bridged) {
    text += (call.is_of_rows ? "bridged_rows\t" : "bridged\t") + std::to_string(call.expression);
    for (const int argument : call.arguments) text += "\t" + std::to_string(argument);
    text += "\n";
  }
  if (!needs_spark.empty()) text += "needs_spark\t" + on_one_line(needs_spark) + "\n";
  return text;
}

}  // namespace accelerant::plan
