#pragma once

#include "aggregates/function.h"

#include <memory>

namespace accelerant::operators {

/// Makes the accumulator of COUNT(DISTINCT x) for one argument of at most 64 bits; nullptr for other calls.
std::unique_ptr<aggregates::Accumulator> make_count_distinct_accumulator(const aggregates::Call& call,
                                                                         const execution::OperatorContext& ctx);

}  // namespace accelerant::operators
