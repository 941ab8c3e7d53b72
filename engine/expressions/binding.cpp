#include "expressions/binding.h"

#include "base/error.h"
#include "expressions/registry.h"
#include "types/same_values.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace accelerant::expressions {

using types::DataType;
using types::TypeId;

namespace {

constexpr std::string_view kCast = "org.apache.spark.sql.catalyst.expressions.Cast";
constexpr TypeId kAny{0};

bool matches(const Overload& overload, std::span<const DataType> arguments, const DataType& result) {
  if (overload.arguments.size() != arguments.size() || overload.result != result.id()) return false;
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (overload.arguments[i] != kAny && overload.arguments[i] != arguments[i].id()) return false;
  }
  return true;
}

/// Says whether decimals come in one scale, as bodies without a context need it.
bool have_one_scale(std::span<const DataType> arguments) {
  for (const DataType& type : arguments) {
    if (type.is_decimal() && type.scale() != arguments[0].scale()) return false;
  }
  return true;
}

std::string describe(std::string_view spark_class, std::span<const DataType> arguments, const DataType& result) {
  std::string text(spark_class.substr(spark_class.rfind('.') + 1));
  for (size_t i = 0; i < arguments.size(); ++i) text += (i == 0 ? "(" : ", ") + arguments[i].to_string();
  return text + ") as " + result.to_string();
}

types::DecimalContext context_of(std::span<const DataType> arguments, const DataType& result) {
  types::DecimalContext context;
  if (arguments.size() > 0 && arguments[0].is_decimal()) {
    context.left_precision = arguments[0].precision();
    context.left_scale = arguments[0].scale();
  }
  if (arguments.size() > 1 && arguments[1].is_decimal()) {
    context.right_precision = arguments[1].precision();
    context.right_scale = arguments[1].scale();
  }
  if (result.is_decimal()) {
    context.result_precision = result.precision();
    context.result_scale = result.scale();
  }
  return types::complete(context);
}

/// Says whether the result's type has too few digits for some decimals of the arguments' types.
bool can_overflow(const Overload& overload, std::span<const DataType> arguments, const types::DecimalContext& context) {
  if (!overload.range) return true;
  std::vector<types::DecimalRange> ranges;
  for (const DataType& type : arguments) {
    if (!type.is_decimal()) return true;
    ranges.push_back(types::DecimalRange::of_precision(type.precision()));
  }
  return !overload.range(ranges.data(), context).within(context.limit);
}

/// Says whether a row may come out in error: in ANSI mode, or where codes fail in every mode (kFailsAlways).
bool may_fail(const Instruction& call, std::span<const DataType> arguments) {
  const functions::Description& described = *call.function->description;
  const Overload& overload = *call.overload;
  if (!has_errors(overload)) return false;
  if (!overload.has_decimal) return call.mode == EvalMode::Ansi || !described.fails_only_in_ansi;
  return !described.decimals_only_overflow || can_overflow(overload, arguments, call.decimal);
}

}  // namespace

bool keeps_values(std::string_view spark_class, std::span<const DataType> arguments, const DataType& result) {
  if (spark_class != kCast || arguments.size() != 1) return false;
  const DataType& from = arguments[0];
  if (from == result || (from.is_nested() && types::same_values(from, result))) return true;
  const bool are_bytes = from.physical() == types::PhysicalType::String;
  if (are_bytes && result.physical() == types::PhysicalType::String) return true;
  return from.is_decimal() && result.is_decimal() && from.scale() == result.scale() &&
         from.precision() <= result.precision();
}

namespace {

/// Returns the instruction of a function over columns; nullopt: it does not take these types.
std::optional<Instruction> bind_column_call(const Function& function, std::span<const DataType> arguments,
                                            const DataType& result, EvalMode mode) {
  const ColumnFunction& columns = *function.columns;
  const bool fits = std::ranges::any_of(
      columns.signatures, [&](const TypePattern& signature) { return signature.matches(arguments, result); });
  if (!fits || (columns.supports && !columns.supports(arguments, result))) return std::nullopt;
  Instruction instruction(Operation::ColumnCall, result, true);
  instruction.function = &function;
  instruction.mode = mode;
  instruction.can_fail = columns.can_fail && columns.can_fail(mode == EvalMode::Ansi);
  return instruction;
}

}  // namespace

bool supports(const Overload& overload, std::span<const DataType> arguments, const DataType& result, EvalMode mode) {
  return !overload.supports || overload.supports(context_of(arguments, result), mode != EvalMode::Legacy);
}

Instruction bind_call(std::string_view spark_class, std::span<const DataType> arguments, const DataType& result,
                      EvalMode mode) {
  const auto candidates = find_functions(spark_class);
  if (candidates.empty()) throw_unsupported("expression " + std::string(spark_class));
  for (const Function* function : candidates) {
    if (function->columns) {
      if (auto instruction = bind_column_call(*function, arguments, result, mode)) return *std::move(instruction);
    }
    for (const Overload& overload : function->overloads) {
      if (!matches(overload, arguments, result)) continue;
      if (overload.has_decimal && !overload.uses_context && !have_one_scale(arguments)) continue;
      if (!supports(overload, arguments, result, mode)) continue;
      Instruction instruction(Operation::Call, result, true);
      instruction.function = function;
      instruction.overload = &overload;
      instruction.mode = mode;
      instruction.decimal = context_of(arguments, result);
      instruction.can_fail = may_fail(instruction, arguments);
      instruction.nullable = overload.gives_nullable || (has_errors(overload) && mode != EvalMode::Ansi);
      return instruction;
    }
  }
  throw_unsupported(describe(spark_class, arguments, result));
}

}  // namespace accelerant::expressions
