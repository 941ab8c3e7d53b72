#include "plan/spark_hash.h"

#include "expressions/function_call.h"
#include "functions/hash/hash_chain.h"
#include "plan/constants.h"

namespace accelerant::plan {

using expressions::Slot;
using types::DataType;
using types::TypeId;

Slot spark_hash(expressions::ProgramBuilder& builder, std::span<const Slot> values, int64_t seed, int expression) {
  const FieldValue first{seed};
  const FieldValue* firsts[] = {&first};
  const Slot hash = builder.literal(make_constants(firsts, DataType(TypeId::Int)));
  return functions::hash_chain<expressions::FunctionCall>(
      builder, "org.apache.spark.sql.catalyst.expressions.Murmur3Hash", values, hash, expression);
}

}  // namespace accelerant::plan
