#include "operators/expression_error.h"

#include "functions/error_codes.h"

#include <algorithm>
#include <utility>

namespace accelerant::operators {

namespace {

struct Description {
  const char* error_class;
  const char* message;
};

/// Returns the class and the engine's own message of the first kind of error in `code`; Spark's message replaces it
/// where there is a JVM.
Description describe(uint8_t code) {
  if (code & functions::kDivideByZero) return {"DIVIDE_BY_ZERO", "division by zero"};
  if (code & functions::kOverflow) return {"ARITHMETIC_OVERFLOW", "arithmetic overflow"};
  if (code & functions::kDecimalOverflow) return {"NUMERIC_VALUE_OUT_OF_RANGE", "decimal overflow"};
  if (code & functions::kCastOverflow) return {"CAST_OVERFLOW", "cast overflow"};
  if (code & functions::kCastInvalid) return {"CAST_INVALID_INPUT", "malformed input of a cast"};
  if (code & functions::kNeedsSpark) return {"", "a value that only Spark can compute"};
  return {"", "an expression failed"};
}

Description describe(const columns::RowError& error) {
  return error.condition ? Description{error.condition, "a row that the operator cannot take"} : describe(error.code);
}

ErrorKind kind_of(uint8_t code) { return code & functions::kNeedsSpark ? ErrorKind::Unsupported : ErrorKind::User; }

}  // namespace

ExpressionError::ExpressionError(const columns::RowError& row_error)
    : ExpressionError(row_error, kind_of(row_error.code), describe(row_error).message) {}

ExpressionError::ExpressionError(const columns::RowError& row_error, ErrorKind kind, std::string message)
    : Error(kind, std::move(message)),
      input_row_(row_error.input),
      input_attributes_(row_error.input_attributes),
      failure_(row_error.failure) {
  with_class(describe(row_error).error_class);
  at_plan_node(row_error.plan_node);
  at_expression(row_error.expression);
}

void raise_first_error(const columns::Batch& batch) {
  if (batch.errors.empty()) return;
  const columns::RowError& error = batch.errors.front();
  if (!error.below_join) throw ExpressionError(error);
  throw ExpressionError(error, ErrorKind::Unsupported, std::string(describe(error).message) + " in a row below a join");
}

void raise_first_error_of_sort(const columns::Batch& batch, const plan::Node& node) {
  if (batch.errors.empty()) return;
  const columns::RowError& error = batch.errors.front();
  if (error.plan_node == node.plan_node || std::ranges::find(node.fused, error.plan_node) != node.fused.end()) {
    throw ExpressionError(error, ErrorKind::Unsupported, std::string(describe(error).message) + " in a key of a sort");
  }
  raise_first_error(batch);
}

void mark_below_join(columns::Batch& batch) {
  for (columns::RowError& error : batch.errors) error.below_join |= error.condition == nullptr;
}

}  // namespace accelerant::operators
