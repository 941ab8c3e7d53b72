#include "plan/aggregate_filter.h"

#include "base/error.h"
#include "plan/constants.h"

#include <cstddef>
#include <optional>

namespace accelerant::plan {

using expressions::ProgramBuilder;
using expressions::Slot;
using types::DataType;
using types::TypeId;

namespace {

Slot true_or_null(ProgramBuilder& builder, Slot condition) {
  const FieldValue yes{true};
  const FieldValue* values = &yes;
  const Slot literal = builder.literal(make_constants({&values, 1}, DataType(TypeId::Boolean)));
  return builder.case_when({{condition, literal}}, std::nullopt, DataType(TypeId::Boolean));
}

}  // namespace

void add_filter(ProgramBuilder& builder, const aggregates::Call& call, Slot filter, std::vector<Slot>& arguments) {
  if (!builder.type(filter).is(TypeId::Boolean)) throw_unsupported("an aggregate's filter that is no boolean");
  bool tells = false;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const DataType type = builder.type(arguments[i]);
    // Columns of nested types are handed on as they are: another argument tells.
    if (type.is_nested() && !builder.can_fail(arguments[i])) continue;
    arguments[i] = builder.case_when({{filter, arguments[i]}}, std::nullopt, type);
    tells |= i > 0 || call.options.ignores_nulls;
  }
  if (!tells) arguments.push_back(true_or_null(builder, filter));
}

void evaluate_to_null(ProgramBuilder& builder, const aggregates::Call& call, std::span<Slot> arguments) {
  const functions::Evaluated evaluated = call.description().evaluated;
  if (evaluated == functions::Evaluated::All) return;
  const auto at = [&](size_t place) -> Slot& {
    return arguments[evaluated == functions::Evaluated::UpToNull ? place : arguments.size() - 1 - place];
  };
  const auto is_there = [&](Slot argument) {
    return builder.call("org.apache.spark.sql.catalyst.expressions.IsNotNull", {argument}, DataType(TypeId::Boolean),
                        expressions::EvalMode::Ansi, call.expression);
  };
  for (size_t i = 1; i < arguments.size(); ++i) {
    if (!builder.can_fail(at(i))) continue;
    const DataType type = builder.type(at(i));
    for (size_t before = i; before-- > 0;) {
      at(i) = builder.case_when({{is_there(at(before)), at(i)}}, std::nullopt, type);
    }
  }
}

}  // namespace accelerant::plan
