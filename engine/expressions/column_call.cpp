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

/// Returns a column whose rows outside `validity` are null besides: a dictionary as one, all others flat.
ColumnPtr with_validity(const ColumnPtr& column, const memory::BufferPtr& validity, BufferPool& pool) {
  if (column->is_dictionary() && column->offset() == 0) {
    const memory::BufferPtr both = intersect(validity, column->parts().validity, column->length(), pool);
    return Column::dictionary(column->child_values(), column->parts().values, column->length(), both);
  }
  const ColumnPtr flat = columns::flatten(column, pool.budget());
  if (!validity || flat->physical() == types::PhysicalType::Null) return flat;
  columns::FlatParts parts = flat->parts();
  parts.validity = intersect(validity, parts.validity, flat->length(), pool);
  return Column::flat(std::move(parts));
}

ErrorLane failed_rows(const column_functions::ColumnCall& call, int expression) {
  if (call.failed().empty()) return nullptr;
  std::vector<LaneError> errors;
  for (const auto& [row, is_for_spark] : call.failed()) {
    const uint8_t code = is_for_spark ? functions::kNeedsSpark : functions::kExternalError;
    errors.push_back({row, expression, code});
  }
  return std::make_shared<const std::vector<LaneError>>(std::move(errors));
}

/// Returns the lambdas with the values around them that they read, which follow one another in `values`.
std::vector<column_functions::LambdaArgument> with_captured(const Instruction& instruction,
                                                            std::span<column_functions::Lambda* const> lambdas,
                                                            std::span<const ColumnPtr> values) {
  std::vector<column_functions::LambdaArgument> result;
  for (size_t i = 0; i < lambdas.size(); ++i) {
    const size_t first = instruction.lambdas[i].first_captured;
    const size_t end = i + 1 < lambdas.size() ? instruction.lambdas[i + 1].first_captured : values.size();
    result.push_back({lambdas[i], values.subspan(first, end - first)});
  }
  return result;
}

}  // namespace

SlotValue run_column_call(const Instruction& instruction, std::span<SlotValue* const> arguments,
                          std::span<column_functions::Lambda* const> lambdas, int64_t num_rows,
                          const memory::BufferPtr& wanted, BufferPool& pool) {
  const ColumnFunction& function = *instruction.function->columns;
  const auto own = arguments.first(lambdas.empty() ? arguments.size() : instruction.lambdas.front().first_captured);
  const ErrorLane inherited =
      argument_errors(own, instruction.function->description->right_first, !function.sees_nulls);
  std::vector<ColumnPtr> values;
  for (const SlotValue* value : arguments) values.push_back(value->column);
  memory::BufferPtr validity;
  for (size_t i = 0; i < own.size() && !function.sees_nulls; ++i) {
    validity = intersect(validity, validity_of(*values[i], pool), num_rows, pool);
  }
  const memory::BufferPtr counted = without(inherited, intersect(validity, wanted, num_rows, pool), num_rows, pool);
  const auto with_values = with_captured(instruction, lambdas, values);
  column_functions::ColumnCall call(instruction.type, instruction.mode == EvalMode::Ansi,
                                    std::span<const ColumnPtr>(values).first(own.size()), num_rows, counted,
                                    pool.budget(), with_values);
  ColumnPtr result = with_validity(function.call(call), validity, pool);
  return {std::move(result), merge(inherited, failed_rows(call, instruction.expression))};
}

}  // namespace accelerant::expressions
