#include "plan/stack_rules.h"

#include "base/error.h"
#include "plan/constants.h"
#include "plan/expand.h"
#include "plan/expression_binder.h"
#include "plan/operator_rules.h"
#include "plan/retyped_columns.h"
#include "types/same_values.h"

#include <algorithm>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace accelerant::plan {

using expressions::EvalMode;
using expressions::ProgramBuilder;
using expressions::Slot;
using types::DataType;
using types::TypeId;

namespace {

constexpr std::string_view kCreateArray = "org.apache.spark.sql.catalyst.expressions.CreateArray";
constexpr std::string_view kCreateNamedStruct = "org.apache.spark.sql.catalyst.expressions.CreateNamedStruct";

/// Each value of a row is a column of its own while the rows are made.
constexpr int32_t kMostStackRows = 1000;
/// An Expand makes all rows of a batch at once.
constexpr int32_t kMostProjections = 64;

/// Reads how many rows a Stack makes of one.
int32_t rows_of(const ProgramBuilder& builder, Slot count) {
  const columns::ColumnPtr constant = builder.constant_of(count);
  const bool is_number = constant && builder.type(count).is(TypeId::Int) && !constant->is_null(0);
  const int32_t rows = is_number ? *constant->values<int32_t>() : 0;
  if (rows < 1 || rows > kMostStackRows) throw_unsupported("generator Stack of as many rows");
  return rows;
}

/// Reads the number of rows and the values, row by row.
std::vector<int> read_children(NodeFields& fields) {
  std::vector<int> children = fields.take_nodes("children");
  fields.finish();
  if (children.empty()) fields.fail("children", "is empty");
  return children;
}

/// Returns the type of the rows that are made.
const DataType& row_type(const NodeFields& fields) {
  const auto& type = fields.node().type;
  if (!type || !type->is(TypeId::Array) || !type->fields().front().type.is(TypeId::Struct)) fields.fail("children");
  return type->fields().front().type;
}

Slot null_of(ProgramBuilder& builder, const DataType& type) {
  const FieldValue null;
  const FieldValue* values[] = {&null};
  return builder.literal(make_constants(values, type));
}

/// Binds what is kept and the values from one on, which make one row.
/// @return nullptr where a value may fail, or is not of the type that is due
ProgramPtr bind_row(const PlanMessage& message, const Generate& generate, const Relation& input,
                    std::span<const int> values) {
  ExpressionBinder binder(message, input.attributes);
  std::vector<Slot> slots = binder.bind_all(generate.kept);
  for (const int value : values) slots.push_back(binder.bind(value));
  binder.throw_if_failed();
  while (slots.size() < generate.attributes.size()) {
    slots.push_back(null_of(binder.builder(), generate.attributes[slots.size()].column.type));
  }
  for (size_t i = 0; i < slots.size(); ++i) {
    const OutputColumn& column = generate.attributes[i].column;
    if (!types::same_values(binder.builder().type(slots[i]), column.type)) return nullptr;
    slots[i] = retyped(binder.builder(), slots[i], column);
  }
  ProgramPtr program = binder.finish(slots);
  return program->can_fail() ? nullptr : program;
}

int32_t count_stack_rows(const PlanMessage& message, const Relation& input, int expression) {
  ExpressionBinder binder(message, input.attributes);
  const Slot count = binder.bind(expression);
  binder.throw_if_failed();
  return rows_of(binder.builder(), count);
}

}  // namespace

std::optional<Relation> expand_stack(const PlanMessage& message, const Generate& generate, const Relation& input) {
  NodeFields fields(message, generate.generator);
  const std::vector<int> children = read_children(fields);
  const int32_t num_rows = count_stack_rows(message, input, children.front());
  if (num_rows > kMostProjections || generate.attributes.size() <= generate.kept.size()) return std::nullopt;
  auto node = std::make_shared<Expand>();
  const size_t width = generate.attributes.size() - generate.kept.size();
  std::span<const int> values = std::span(children).subspan(1);
  for (int32_t row = 0; row < num_rows; ++row) {
    const size_t count = std::min(width, values.size());
    node->projections.push_back(bind_row(message, generate, input, values.first(count)));
    if (!node->projections.back()) return std::nullopt;
    values = values.subspan(count);
  }
  node->plan_node = generate.plan_node;
  node->output = columns_of(generate.attributes);
  node->inputs = {input.node};
  return Relation{std::move(node), generate.attributes};
}

Slot bind_stack(ExpressionBinder& binder, NodeFields& fields) {
  const DataType& type = row_type(fields);
  const std::vector<Slot> slots = binder.bind_all(read_children(fields));
  binder.throw_if_failed();
  ProgramBuilder& builder = binder.builder();
  const int32_t num_rows = rows_of(builder, slots.front());
  std::vector<Slot> rows;
  size_t next = 1;
  for (int32_t row = 0; row < num_rows; ++row) {
    std::vector<Slot> values;
    for (const types::Field& field : type.fields()) {
      values.push_back(next < slots.size() ? slots[next] : null_of(builder, field.type));
      ++next;
    }
    rows.push_back(builder.call(kCreateNamedStruct, std::move(values), type, EvalMode::Ansi, fields.index()));
  }
  return builder.call(kCreateArray, std::move(rows), *fields.node().type, EvalMode::Ansi, fields.index());
}

}  // namespace accelerant::plan
