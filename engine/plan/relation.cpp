#include "plan/relation.h"

#include "base/error.h"
#include "plan/metadata.h"
#include "plan/node_fields.h"

#include <utility>

namespace accelerant::plan {

Attribute read_attribute(const PlanMessage& message, int index, bool reads_files) {
  NodeFields fields(message, index);
  if (fields.short_name() != "AttributeReference" || !fields.node().type) {
    throw_unsupported("expression " + std::string(fields.short_name()) + " as a column");
  }
  Attribute attribute;
  attribute.column = {std::string(fields.take_text("name")), *fields.node().type, fields.node().nullable};
  attribute.expr_id = fields.take_integer("exprId");
  if (const FieldValue& metadata = fields.take("metadata"); !metadata.is_null()) {
    const auto* json = metadata.get_if<Text>();
    const std::string key = json ? meaningful_metadata(json->text, reads_files) : "(unreadable)";
    if (!key.empty()) fields.fail("metadata", "has " + key);
  }
  fields.finish();
  return attribute;
}

std::vector<Attribute> read_output(const PlanMessage& message, int plan_node) {
  std::vector<Attribute> output;
  try {
    for (const int index : NodeFields(message, plan_node).take_nodes("output")) {
      output.push_back(read_attribute(message, index));
      output.back().position = static_cast<int>(output.size()) - 1;
    }
  } catch (const Error&) {
    output.clear();  // whoever needs a column that is missing says so
  }
  return output;
}

void collect_references(const PlanMessage& message, int expression, std::unordered_set<int64_t>& ids) {
  std::unordered_set<int> seen{expression};
  std::vector<int> pending{expression};
  while (!pending.empty()) {
    const MessageNode& node = message.node(pending.back());
    pending.pop_back();
    const bool is_attribute = short_name(node.class_name) == "AttributeReference";
    for (const NamedValue& field : node.fields) {
      if (is_attribute && field.name == "exprId" && field.value.get_if<int64_t>())
        ids.insert(*field.value.get_if<int64_t>());
      for_each_node(field.value, [&](int child) {
        if (seen.insert(child).second) pending.push_back(child);
      });
    }
  }
}

std::vector<int> flatten(const PlanMessage& message, int expression, std::string_view short_class) {
  std::vector<int> operands;
  std::unordered_set<int> seen;
  std::vector<int> pending{expression};
  while (!pending.empty()) {
    const int index = pending.back();
    pending.pop_back();
    if (!seen.insert(index).second) continue;  // AND and OR of the same operand again change nothing
    if (short_name(message.node(index).class_name) != short_class) {
      operands.push_back(index);
      continue;
    }
    NodeFields fields(message, index);
    const int left = fields.take_node("left");
    pending.push_back(fields.take_node("right"));
    pending.push_back(left);
    fields.finish();
  }
  return operands;
}

}  // namespace accelerant::plan
