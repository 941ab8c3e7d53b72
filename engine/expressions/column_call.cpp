#include "expressions/column_call.h"

#include "columns/gather.h"
#include "expressions/argument_errors.h"
#include "expressions/column_function.h"
#include "expressions/operands.h"
#include "functions/error_codes.h"

#include <utility>
#include <vector>

namespace accelerant::expressions {

using columns::Column;
using columns::ColumnPtr;

namespace {

/// Returns the nullness of a column's rows from bit 0; nullptr: none is null.
memory::BufferPtr validity_of(const Column& column, BufferPool& pool) {
  if (!column.is_constant()) return row_validity(column, pool);
  if (!column.is_null(0)) return nullptr;
  auto bitmap = pool.allocate(bits::bytes_for(column.length()));
  bits::fill(bitmap->mutable_data(), column.length(), false);
  return bitmap;
}

/// Returns `rows` without those in error.
memory::BufferPtr without(const ErrorLane& errors, const memory::BufferPtr& rows, int64_t num_rows, BufferPool& pool) {
  if (!errors) return rows;
  auto left = pool.allocate(bits::bytes_for(num_rows));
  bits::fill(left->mutable_data(), num_rows, true);
  for (const LaneError& error : *errors) bits::clear(left->mutable_data(), error.row);
  return intersect(left, rows, num_rows, pool);
}

/// Returns a column whose rows outside `validity` are null besides.
ColumnPtr with_validity(const ColumnPtr& column, const memory::BufferPtr& validity, BufferPool& pool) {
  const ColumnPtr flat = columns::flatten(column, pool.budget());
  if (!validity || flat->physical() == types::PhysicalType::Null) return flat;
  columns::FlatParts parts = flat->parts();
  parts.validity = intersect(validity, parts.validity, flat->length(), pool);
  return Column::flat(std::move(parts));
}

ErrorLane failed_rows(const column_functions::ColumnCall& call, int expression) {
  if (call.failed().empty()) return nullptr;
  std::vector<LaneError> errors;
  for (const int32_t row : call.failed()) errors.push_back({row, expression, functions::kExternalError});
  return std::make_shared<const std::vector<LaneError>>(std::move(errors));
}

}  // namespace

Value run_column_call(const Instruction& instruction, std::span<Value* const> arguments, int64_t num_rows,
                      BufferPool& pool) {
  const ColumnFunction& function = *instruction.function->columns;
  const ErrorLane inherited =
      argument_errors(arguments, instruction.function->description->right_first, !function.sees_nulls);
  std::vector<ColumnPtr> values;
  memory::BufferPtr validity;
  for (const Value* value : arguments) {
    values.push_back(value->column);
    if (!function.sees_nulls) validity = intersect(validity, validity_of(*value->column, pool), num_rows, pool);
  }
  const memory::BufferPtr counted = without(inherited, validity, num_rows, pool);
  const bool is_ansi = instruction.mode == EvalMode::Ansi;
  column_functions::ColumnCall call(instruction.type, is_ansi, values, num_rows, counted, pool.budget());
  ColumnPtr result = with_validity(function.call(call), validity, pool);
  return {std::move(result), merge(inherited, failed_rows(call, instruction.expression))};
}

}  // namespace accelerant::expressions
