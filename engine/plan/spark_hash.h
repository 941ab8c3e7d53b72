#pragma once

#include "expressions/program.h"

#include <cstdint>
#include <span>

namespace accelerant::plan {

/// Adds Spark's hash of several values to a program: each one's is the seed of the next, and a null leaves the seed as
/// it is.
/// @param expression index in the plan message of what wants it
/// @throws Error Unsupported for a type that Spark's hash is not known of
expressions::Slot spark_hash(expressions::ProgramBuilder& builder, std::span<const expressions::Slot> values,
                             int64_t seed, int expression);

/// Seed of the hash by which Spark spreads rows among partitions.
inline constexpr int64_t kPartitioningSeed = 42;

}  // namespace accelerant::plan
