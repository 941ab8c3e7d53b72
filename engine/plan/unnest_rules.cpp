#include "base/error.h"
#include "expressions/moved_program.h"
#include "plan/estimates.h"
#include "plan/expression_binder.h"
#include "plan/generate_rules.h"
#include "plan/operator_rules.h"
#include "plan/stack_rules.h"
#include "plan/unnest.h"
#include "types/same_values.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

namespace accelerant::plan {

using expressions::Slot;
using types::DataType;
using types::TypeId;

namespace {

/// How many elements a collection is taken to have.
constexpr double kElements = 4;

/// Binds the collection that a generator takes apart, and says how; of a generator that the engine lacks, the rows that
/// Spark's code makes of a row.
Slot bind_generator(ExpressionBinder& binder, int generator, Unnest& node) {
  NodeFields fields(binder.message(), generator);
  const std::string_view name = fields.short_name();
  node.has_positions = name == "PosExplode";
  node.of_members = name != "PosExplode" && name != "Explode";
  if (name == "Stack") return bind_stack(binder, fields);
  if (node.of_members && name != "Inline") {
    if (!binder.message().bridge || !fields.node().is_bridgeable) throw_unsupported("generator " + std::string(name));
    return binder.bind(generator);
  }
  const int collection = fields.take_node("child");
  fields.finish();
  return binder.bind(collection);
}

/// Returns the types of the columns that are made of a collection.
std::vector<DataType> made_of(const DataType& collection, const Unnest& node) {
  std::vector<DataType> types;
  if (node.has_positions) types.emplace_back(TypeId::Int);
  if (!collection.is(TypeId::Array) && !collection.is(TypeId::Map)) {
    throw_unsupported("a generator over " + collection.to_string());
  }
  const bool takes_members = node.of_members && collection.fields().front().type.is(TypeId::Struct);
  if (node.of_members && !takes_members) throw_unsupported("inline of " + collection.to_string());
  for (const types::Field& field : takes_members ? collection.fields().front().type.fields() : collection.fields()) {
    types.push_back(field.type);
  }
  return types;
}

/// Checks that what is computed is what Spark emits.
void check_generator_output(std::vector<DataType> types, const std::vector<Attribute>& output) {
  if (types.size() != output.size()) throw_unsupported("another number of columns than it computes");
  for (size_t i = 0; i < output.size(); ++i) {
    if (types::same_values(types[i], output[i].column.type)) continue;
    throw_unsupported("column " + output[i].column.name + " of type " + types[i].to_string());
  }
}

}  // namespace

std::string Unnest::describe() const {
  std::string text;
  const auto add = [&](bool is_so, const char* word) {
    if (is_so) text += (text.empty() ? "" : " ") + std::string(word);
  };
  add(keeps_empty, "outer");
  add(has_positions, "positions");
  add(of_members, "members");
  return text;
}

ColumnPositions Unnest::put_above(std::vector<NodePtr> changed, std::span<const ColumnPositions> places) {
  program = expressions::moved(program, places.front());
  return stay_above(std::move(changed));
}

std::vector<ColumnOrigin> Unnest::origins_of(int column) const {
  if (column + 1 >= program->num_outputs()) return {};
  return origins_in(*program, column + 1);
}

double Unnest::estimate_rows(Estimates& estimates) const { return kElements * estimates.rows(*inputs.front()); }

Relation Unnest::bind(const PlanMessage& message, const Generate& generate, const Relation& input) {
  auto node = std::make_shared<Unnest>();
  node->keeps_empty = generate.outer;
  ExpressionBinder binder(message, input.attributes);
  std::vector<Slot> slots{bind_generator(binder, generate.generator, *node)};
  std::ranges::copy(binder.bind_all(generate.kept), std::back_inserter(slots));
  binder.throw_if_failed();
  std::vector<DataType> types;
  for (size_t i = 1; i < slots.size(); ++i) types.push_back(binder.builder().type(slots[i]));
  for (DataType& type : made_of(binder.builder().type(slots.front()), *node)) types.push_back(std::move(type));
  check_generator_output(std::move(types), generate.attributes);
  node->plan_node = generate.plan_node;
  node->program = binder.finish(slots);
  node->output = columns_of(generate.attributes);
  node->inputs = {input.node};
  return {std::move(node), generate.attributes};
}

}  // namespace accelerant::plan
