#pragma once

#include "functions/definition.h"

/// Spark's hash of several values: each one's is the seed of the next, and a null leaves the seed as it is. Members of
/// a struct and elements of an array are such values.
namespace accelerant::functions {

template <class Hash, class... Types>
using StepsOf = SignatureList<Signature<Hash, Types, Hash>...>;

/// The signatures of a step: of a value and the hash before it.
template <class Hash>
using HashSteps = StepsOf<Hash, types::BooleanType, types::ByteType, types::ShortType, types::IntType, types::LongType,
                          types::FloatType, types::DoubleType, types::DecimalType, types::StringType, types::BinaryType,
                          types::DateType, types::TimestampType, types::TimestampNtzType, types::DayTimeIntervalType,
                          types::YearMonthIntervalType>;

/// Adds the hash of values to a program. `Call` is expressions::FunctionCall, of which this needs the names alone.
/// @param spark_class Spark's class, whose function is one step: of a value and the hash before it
/// @param hash the seed of the first
/// @param expression index in the plan message of what wants it
/// @throws Error Unsupported for a type that Spark's hash is not known of
template <class Call, class Builder, class Slots, class Slot>
ACC_HD Slot hash_chain(Builder& builder, const char* spark_class, const Slots& values, Slot hash, int expression) {
  const auto type = builder.type(hash);
  for (const Slot value : values) {
    const auto value_type = builder.type(value);
    if (value_type.is(Call::TypeId::Null)) continue;
    if (value_type.is(Call::TypeId::Array) || value_type.is(Call::TypeId::Struct)) {
      hash = Call::hash_nested(builder, spark_class, value, hash, expression);
      continue;
    }
    const Slot next = builder.call(spark_class, {value, hash}, type, Call::kAnsi, expression);
    hash = builder.nullable(value) ? builder.coalesce({next, hash}, type) : next;
  }
  return hash;
}

/// Binds a class of Spark's that hashes its children; `step_class` is the one whose function is a step.
template <class Call>
ACC_HD auto bind_hash(Call& call, const char* step_class) {
  const auto seed = call.constant(call.integer("seed"), call.type());
  const auto values = call.arguments("children");
  call.finish();
  return hash_chain<Call>(call.builder(), step_class, values, seed, call.expression());
}

}  // namespace accelerant::functions
