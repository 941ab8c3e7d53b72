#include "base/error.h"
#include "plan/constants.h"
#include "plan/expression_binder.h"
#include "plan/join.h"
#include "plan/operator_rules.h"
#include "plan/settings.h"
#include "types/same_values.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace accelerant::plan {

using expressions::Slot;

namespace {

constexpr std::array<std::pair<std::string_view, JoinType>, 8> kTypes = {{
    {"Inner", JoinType::Inner},
    {"Cross", JoinType::Inner},
    {"LeftOuter", JoinType::LeftOuter},
    {"RightOuter", JoinType::RightOuter},
    {"FullOuter", JoinType::FullOuter},
    {"LeftSemi", JoinType::LeftSemi},
    {"LeftAnti", JoinType::LeftAnti},
    {"LeftSingle", JoinType::LeftSingle},
}};

/// What Spark's join operators have in common.
struct JoinFields {
  JoinType type = JoinType::Inner;
  std::optional<bool> builds_left;
  bool is_broadcast = false;
  std::optional<Attribute> exists;  ///< the column that an existence join adds
  std::vector<int> left_keys;
  std::vector<int> right_keys;
  std::optional<int> condition;
  Relation left;
  Relation right;
};

void read_type(const PlanMessage& message, NodeFields& fields, JoinFields& join) {
  const FieldValue& value = fields.take("joinType");
  if (const auto* product = value.get_if<Product>(); product && short_name(product->class_name) == "ExistenceJoin") {
    const auto* exists = product->fields.size() == 1 ? product->fields.front().value.get_if<NodeReference>() : nullptr;
    if (!exists) fields.fail("joinType");
    join.type = JoinType::Existence;
    join.exists = read_attribute(message, exists->index);
    return;
  }
  const auto name = enumerator_of(value);
  const auto found = std::find_if(kTypes.begin(), kTypes.end(), [&](const auto& entry) { return entry.first == name; });
  if (found == kTypes.end()) fields.fail("joinType", "is " + std::string(name.value_or("unknown")));
  join.type = found->second;
}

std::optional<bool> read_build_side(NodeFields& fields) {
  const FieldValue* side = fields.take_if("buildSide");
  if (!side) return std::nullopt;
  const auto name = enumerator_of(*side);
  if (name != "BuildLeft" && name != "BuildRight")
    fields.fail("buildSide", "is " + std::string(name.value_or("unknown")));
  return name == "BuildLeft";
}

Relation read_side(Binding& binding, NodeFields& fields, std::string_view name) {
  return binding.input(fields.take_node(name));
}

void make_nullable(Relation& side) {
  for (Attribute& attribute : side.attributes) attribute.column.nullable = true;
}

/// The columns of both sides, the right ones' positions behind the left ones'.
std::vector<Attribute> both_sides(const JoinFields& join) {
  std::vector<Attribute> attributes = join.left.attributes;
  for (Attribute attribute : join.right.attributes) {
    attribute.position += static_cast<int>(join.left.node->output.size());
    attributes.push_back(std::move(attribute));
  }
  return attributes;
}

/// Collects what is unsupported in all expressions of a join before it throws.
class JoinBinder {
 public:
  JoinBinder(const PlanMessage& message, const JoinFields& join)
      : attributes_(both_sides(join)),
        left_(message, join.left.attributes),
        right_(message, join.right.attributes),
        both_(message, attributes_) {}

  void bind(const JoinFields& join, Join& node) {
    const std::vector<Slot> left = left_.bind_all(join.left_keys);
    const std::vector<Slot> right = right_.bind_all(join.right_keys);
    std::optional<Slot> condition;
    if (join.condition) condition = both_.bind(*join.condition);
    check_keys(left, right);
    left_.absorb(right_);
    left_.absorb(both_);
    left_.throw_if_failed();
    if (!left.empty()) {
      node.left_keys = left_.finish(left);
      node.right_keys = right_.finish(right);
    }
    if (condition) node.condition = both_.finish({&*condition, 1});
  }

 private:
  void check_keys(const std::vector<Slot>& left, const std::vector<Slot>& right) {
    if (left.size() != right.size()) left_.note("keys that differ in number");
    for (size_t i = 0; i < std::min(left.size(), right.size()); ++i) {
      if (left[i] == ExpressionBinder::kFailed || right[i] == ExpressionBinder::kFailed) continue;
      const types::DataType& type = left_.builder().type(left[i]);
      if (!may_be_key(type)) left_.note("join by a key of type " + type.to_string());
      if (types::same_values(type, right_.builder().type(right[i]))) continue;
      left_.note("keys of the types " + type.to_string() + " and " + right_.builder().type(right[i]).to_string());
    }
  }

  const std::vector<Attribute> attributes_;
  ExpressionBinder left_;
  ExpressionBinder right_;
  ExpressionBinder both_;
};

/// Spark's code for a hash join asks whether what was broadcast is empty; so does adaptive execution, which plans such
/// a join anew without the other side, or as that side alone.
Spared spared_of(const PlanMessage& message, const JoinFields& join) {
  if (!join.is_broadcast) return Spared::Nothing;
  const bool is_adaptive = equal_setting_values(setting_or(message, "spark.sql.adaptive.enabled", "true"), "true");
  switch (join.type) {
    case JoinType::Inner:
      return is_adaptive ? Spared::Rows : Spared::Keys;
    case JoinType::LeftSemi:
      return is_adaptive && join.builds_left == false ? Spared::Rows : Spared::Keys;
    case JoinType::LeftAnti:
    case JoinType::NullAwareAnti:
      return Spared::Keys;
    case JoinType::LeftOuter:
    case JoinType::RightOuter:
      return is_adaptive ? Spared::Keys : Spared::Nothing;
    case JoinType::FullOuter:
    case JoinType::LeftSingle:
    case JoinType::Existence:
      break;
  }
  return Spared::Nothing;
}

Relation bind_join(Binding& binding, const NodeFields& fields, JoinFields join) {
  if (join.left.failed || join.right.failed) {
    Relation unknown;
    unknown.attributes = read_output(binding.message(), fields.index());
    return unknown;
  }
  auto node = std::make_shared<Join>();
  node->type = join.type;
  node->spark_builds_left = join.builds_left;
  node->spared = spared_of(binding.message(), join);
  node->plan_node = fields.index();
  JoinBinder(binding.message(), join).bind(join, *node);

  if (join.type == JoinType::RightOuter || join.type == JoinType::FullOuter) make_nullable(join.left);
  if (join.type == JoinType::LeftOuter || join.type == JoinType::LeftSingle || join.type == JoinType::FullOuter)
    make_nullable(join.right);
  node->inputs = {join.left.node, join.right.node};
  Relation relation;
  relation.attributes = node->emits_left_only() ? join.left.attributes : both_sides(join);
  node->output = node->columns_of_inputs();
  if (join.exists) {
    join.exists->position = static_cast<int>(node->output.size());
    node->output.push_back(join.exists->column);
    relation.attributes.push_back(*join.exists);
  }
  for (const Attribute& attribute : relation.attributes) {
    node->output[static_cast<size_t>(attribute.position)].nullable = attribute.column.nullable;
  }
  relation.node = std::move(node);
  return relation;
}

/// Says whether Spark gives -0.0 and 0.0, and all NaNs of an expression, the same bits.
bool is_normalized(const PlanMessage& message, int expression) {
  const MessageNode& node = message.node(expression);
  bool found = short_name(node.class_name) == "KnownFloatingPointNormalized";
  for (const NamedValue& field : node.fields) {
    for_each_node(field.value, [&](int child) { found = found || is_normalized(message, child); });
  }
  return found;
}

/// Spark normalizes the floats of keys before some anti joins have any, as of NOT IN (before 4.3 all null-aware ones).
/// Its hashed relations tell them by their bits then.
void check_floats(const PlanMessage& message, const JoinFields& join) {
  const bool is_anti = join.type == JoinType::LeftAnti || join.type == JoinType::NullAwareAnti;
  if (!join.builds_left || !(is_anti || join.type == JoinType::Existence)) return;
  for (size_t i = 0; i < std::min(join.left_keys.size(), join.right_keys.size()); ++i) {
    const auto& type = message.node(join.left_keys[i]).type;
    if (!type || !has_floats(*type)) continue;
    if (is_normalized(message, join.left_keys[i]) || is_normalized(message, join.right_keys[i])) continue;
    throw_unsupported("NOT IN of floats as Spark " + message.spark_version + " compares them");
  }
}

}  // namespace

Relation Join::bind_hash(Binding& binding, NodeFields& fields) {
  JoinFields join;
  read_type(binding.message(), fields, join);
  join.left_keys = fields.take_nodes("leftKeys");
  join.right_keys = fields.take_nodes("rightKeys");
  join.condition = fields.take_optional_node("condition");
  join.left = read_side(binding, fields, "left");
  join.right = read_side(binding, fields, "right");
  if (fields.take_bool_or("isNullAwareAntiJoin", false)) {
    if (join.type != JoinType::LeftAnti || join.left_keys.size() != 1) fields.fail("isNullAwareAntiJoin");
    join.type = JoinType::NullAwareAnti;
  }
  join.builds_left = read_build_side(fields);
  join.is_broadcast = fields.short_name() == "BroadcastHashJoinExec";
  for (const char* name : {"isSkewJoin", "output"}) fields.ignore(name);
  fields.finish();
  check_floats(binding.message(), join);
  return bind_join(binding, fields, std::move(join));
}

Relation Join::bind_nested_loop(Binding& binding, NodeFields& fields) {
  JoinFields join;
  read_type(binding.message(), fields, join);
  join.condition = fields.take_optional_node("condition");
  join.left = read_side(binding, fields, "left");
  join.right = read_side(binding, fields, "right");
  join.builds_left = read_build_side(fields);
  join.is_broadcast = true;
  fields.ignore("output");
  fields.finish();
  return bind_join(binding, fields, std::move(join));
}

Relation Join::bind_cartesian_product(Binding& binding, NodeFields& fields) {
  JoinFields join;
  join.condition = fields.take_optional_node("condition");
  join.left = read_side(binding, fields, "left");
  join.right = read_side(binding, fields, "right");
  fields.ignore("output");
  fields.finish();
  return bind_join(binding, fields, std::move(join));
}

}  // namespace accelerant::plan
