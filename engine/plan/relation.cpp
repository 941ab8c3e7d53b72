#include "plan/relation.h"

#include "base/error.h"
#include "plan/expression_binder.h"
#include "plan/metadata.h"
#include "plan/node_fields.h"
#include "plan/operator_rules.h"
#include "plan/project.h"
#include "plan/scan.h"

#include <algorithm>

namespace accelerant::plan {

std::shared_ptr<Node> Relation::node() const {
  const auto* node = std::get_if<std::shared_ptr<Node>>(&source);
  return node ? *node : nullptr;
}

void Relation::put_above(std::shared_ptr<Node> node) {
  if (!failed()) source = std::move(node);
}

std::vector<int> Relation::partial_steps() const {
  const auto* partial = std::get_if<PartialAggregate>(&completeness);
  return partial ? partial->steps : std::vector<int>();
}

void Relation::require_whole() const {
  if (!is_whole()) throw_unsupported(std::string("over ") + to_string(completeness));
}

namespace {

const char* describe(const Whole&) { return "a whole relation"; }
const char* describe(const LocalLimit&) { return "a limit of each partition"; }
const char* describe(const LocalSort&) { return "a sort of each partition"; }
const char* describe(const PartialAggregate&) { return "a partial aggregate"; }

}  // namespace

const char* to_string(const Completeness& completeness) {
  return std::visit([](const auto& state) { return describe(state); }, completeness);
}

Attribute read_attribute(const PlanMessage& message, int index, bool reads_files) {
  NodeFields fields(message, index);
  if (fields.short_name() != "AttributeReference" || !fields.node().type) {
    throw_unsupported("expression " + std::string(fields.short_name()) + " as a column");
  }
  Attribute attribute;
  attribute.column = {std::string(fields.take_text("name")), *fields.node().type, fields.node().nullable};
  attribute.expr_id = fields.take_integer("exprId");
  if (const Value& metadata = fields.take("metadata"); !metadata.is_null()) {
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

namespace {

/// Returns the conditions of a scan in the order in which they are asked.
std::vector<int> all_conjuncts(const OpenScan& scan) {
  std::vector<int> conjuncts = scan.partition_conjuncts;
  conjuncts.insert(conjuncts.end(), scan.conjuncts.begin(), scan.conjuncts.end());
  return conjuncts;
}

/// Says which columns are emitted and which only filters read: 2, 1, or 0 for neither.
std::vector<int> uses_of(const PlanMessage& message, const Relation& relation,
                         const std::unordered_set<int64_t>* needed) {
  const OpenScan& scan = *relation.scan();
  std::unordered_set<int64_t> filtered;
  for (const int conjunct : all_conjuncts(scan)) collect_references(message, conjunct, filtered);
  std::vector<int> uses(scan.columns.size(), 0);
  for (const Attribute& attribute : relation.attributes) {
    int& use = uses[static_cast<size_t>(attribute.position)];
    if (!needed || needed->contains(attribute.expr_id)) use = 2;
  }
  for (const Attribute& attribute : read_output(message, scan.plan_node)) {
    int& use = uses[static_cast<size_t>(attribute.position)];
    if (use == 0 && filtered.contains(attribute.expr_id)) use = 1;
  }
  return uses;
}

/// Fills the spec's columns, those emitted first; returns the new place of each old one, -1 for none.
std::vector<int> choose_columns(const OpenScan& scan, const std::vector<int>& uses, io::ScanSpec& spec, Scan& node) {
  std::vector<int> places(uses.size(), -1);
  for (const int use : {2, 1}) {
    for (size_t i = 0; i < uses.size(); ++i) {
      if (uses[i] != use) continue;
      const io::ScanColumn& column = scan.columns[i];
      places[i] = static_cast<int>(spec.columns.size());
      spec.columns.push_back(column);
      if (use == 2) node.output.push_back({column.name, column.type, column.nullable});
      spec.columns.back().filter_only = use == 1;
    }
  }
  return places;
}

std::vector<Attribute> scan_scope(const PlanMessage& message, const OpenScan& scan, const std::vector<int>& places) {
  std::vector<Attribute> scope;
  for (Attribute& attribute : read_output(message, scan.plan_node)) {
    const int place = places[static_cast<size_t>(attribute.position)];
    if (place < 0) continue;
    attribute.position = place;
    scope.push_back(std::move(attribute));
  }
  return scope;
}

}  // namespace

void close_scan(const PlanMessage& message, Relation& relation, const std::unordered_set<int64_t>* needed) {
  if (!relation.scan()) return;
  const OpenScan& scan = *relation.scan();
  auto spec = std::make_shared<io::ScanSpec>();
  auto node = std::make_shared<Scan>();
  const std::vector<int> places = choose_columns(scan, uses_of(message, relation, needed), *spec, *node);
  const std::vector<Attribute> scope = scan_scope(message, scan, places);
  const std::vector<int> conjuncts = all_conjuncts(scan);
  for (const int conjunct : conjuncts) {
    ExpressionBinder binder(message, scope);
    const expressions::Slot slot = binder.bind(conjunct);
    spec->filters.push_back(binder.finish({&slot, 1}));
  }
  spec->format = scan.format;
  spec->case_sensitive = scan.case_sensitive;
  spec->filter_plan_node = scan.filter_plan_node >= 0 ? scan.filter_plan_node : scan.plan_node;
  node->plan_node = scan.plan_node;
  node->fused = scan.fused;
  node->partition_types = scan.partition_types;
  node->spec = std::move(spec);
  std::erase_if(relation.attributes, [&](const Attribute& a) { return places[static_cast<size_t>(a.position)] < 0; });
  for (Attribute& attribute : relation.attributes) attribute.position = places[static_cast<size_t>(attribute.position)];
  relation.source = std::move(node);
}

namespace {

bool gives_columns_as_they_are(const Relation& relation) {
  if (relation.attributes.size() != relation.node()->output.size()) return false;
  for (size_t i = 0; i < relation.attributes.size(); ++i) {
    if (relation.attributes[i].position != static_cast<int>(i)) return false;
  }
  return true;
}

}  // namespace

NodePtr give_out(const PlanMessage& message, Relation relation, int plan_node) {
  if (gives_columns_as_they_are(relation)) {
    relation.node()->output = columns_of(relation.attributes);
    return relation.node();
  }
  ExpressionBinder binder(message, relation.attributes);
  std::vector<expressions::Slot> slots;
  for (const Attribute& attribute : relation.attributes) {
    slots.push_back(binder.builder().input(attribute.position, attribute.column.type, attribute.column.nullable));
  }
  auto node = std::make_shared<Project>();
  node->plan_node = plan_node;
  node->program = binder.finish(slots);
  node->output = columns_of(relation.attributes);
  node->inputs = {relation.node()};
  return node;
}

}  // namespace accelerant::plan
