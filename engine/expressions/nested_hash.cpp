#include "columns/column.h"
#include "expressions/call_maker.h"
#include "functions/hash/hash_chain.h"
#include "memory/plan_budget.h"

#include <utility>
#include <vector>

namespace accelerant::expressions {

using types::DataType;
using types::TypeId;

namespace {

constexpr const char* kGetStructField = "org.apache.spark.sql.catalyst.expressions.GetStructField";
constexpr const char* kArrayAggregate = "org.apache.spark.sql.catalyst.expressions.ArrayAggregate";

std::vector<Slot> members_of(ProgramBuilder& builder, Slot value, int expression) {
  const DataType type = builder.type(value);
  std::vector<Slot> members;
  for (size_t i = 0; i < type.fields().size(); ++i) {
    columns::FlatBuilder number(DataType(TypeId::Int), types::PhysicalType::Int32, 1, memory::plan_budget());
    number.values<int32_t>()[0] = static_cast<int32_t>(i);
    members.push_back(builder.call(kGetStructField, {value, builder.literal(number.finish())}, type.fields()[i].type,
                                   EvalMode::Ansi, expression));
  }
  return members;
}

/// Returns a lambda that takes an element into the hash so far.
BoundLambda hash_element(const ProgramBuilder& around, const char* spark_class, const DataType& hash,
                         const DataType& element, int expression) {
  ProgramBuilder body = around.for_lambda();
  const Slot so_far = body.input(0, hash, true);
  const std::vector<Slot> elements{body.input(1, element, true)};
  const Slot outputs[] = {functions::hash_chain<CallMaker>(body, spark_class, elements, so_far, expression)};
  return {std::move(body).finish(outputs), 2, {}};
}

/// Returns a lambda that gives its argument.
BoundLambda itself(const ProgramBuilder& around, const DataType& type) {
  ProgramBuilder body = around.for_lambda();
  const Slot outputs[] = {body.input(0, type, true)};
  return {std::move(body).finish(outputs), 1, {}};
}

}  // namespace

Slot CallMaker::hash_nested(ProgramBuilder& builder, const char* spark_class, Slot value, Slot hash, int expression) {
  const DataType type = builder.type(value);
  if (type.is(TypeId::Struct)) {
    return functions::hash_chain<CallMaker>(builder, spark_class, members_of(builder, value, expression), hash,
                                            expression);
  }
  const DataType hash_type = builder.type(hash);
  const DataType& element = type.fields().front().type;
  std::vector<BoundLambda> lambdas{hash_element(builder, spark_class, hash_type, element, expression),
                                   itself(builder, hash_type)};
  const Slot folded = builder.call_with_lambdas(kArrayAggregate, {value, hash}, std::move(lambdas), hash_type,
                                                EvalMode::Ansi, expression);
  return builder.coalesce({folded, hash}, hash_type);
}

}  // namespace accelerant::expressions
