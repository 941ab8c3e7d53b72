#include "plan/stack_rules.h"

#include "base/error.h"
#include "plan/constants.h"
#include "plan/expression_binder.h"

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
constexpr int32_t kMostRows = 1000;

/// Reads how many rows a Stack makes of one.
int32_t rows_of(const ProgramBuilder& builder, Slot count) {
  const columns::ColumnPtr constant = builder.constant_of(count);
  const bool is_number = constant && builder.type(count).is(TypeId::Int) && !constant->is_null(0);
  const int32_t rows = is_number ? *constant->values<int32_t>() : 0;
  if (rows < 1 || rows > kMostRows) throw_unsupported("generator Stack of as many rows");
  return rows;
}

/// Returns the type of the rows that are made.
const DataType& row_type(const NodeFields& fields) {
  const auto& type = fields.node().type;
  if (!type || !type->is(TypeId::Array) || !type->fields().front().type.is(TypeId::Struct)) fields.fail("children");
  return type->fields().front().type;
}

Slot null_of(ProgramBuilder& builder, const DataType& type) {
  const Value null;
  const Value* values[] = {&null};
  return builder.literal(make_constants(values, type));
}

}  // namespace

Slot bind_stack(ExpressionBinder& binder, NodeFields& fields) {
  const DataType& type = row_type(fields);
  const std::vector<int> children = fields.take_nodes("children");
  fields.finish();
  if (children.empty()) fields.fail("children", "is empty");
  const std::vector<Slot> slots = binder.bind_all(children);
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
