#include "plan/spark_hash.h"

#include "plan/constants.h"

namespace accelerant::plan {

using expressions::Slot;
using types::DataType;
using types::TypeId;

Slot spark_hash(expressions::ProgramBuilder& builder, std::span<const Slot> values, int64_t seed, int expression) {
  const DataType type(TypeId::Int);
  const Value first{seed};
  const Value* firsts[] = {&first};
  Slot hash = builder.literal(make_constants(firsts, type));
  for (const Slot value : values) {
    if (builder.type(value).is(TypeId::Null)) continue;
    const Slot next = builder.call("org.apache.spark.sql.catalyst.expressions.Murmur3Hash", {value, hash}, type,
                                   expressions::EvalMode::Ansi, expression);
    hash = builder.nullable(value) ? builder.coalesce({next, hash}, type) : next;
  }
  return hash;
}

}  // namespace accelerant::plan
