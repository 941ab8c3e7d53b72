#pragma once

#include "operators/accumulator.h"

#include <memory>

namespace accelerant::operators {

/// Makes the accumulator of a MAX_BY or MIN_BY, whose arguments are the value and what orders; nullptr if there is none
/// for the types.
std::unique_ptr<Accumulator> make_extreme_by_accumulator(const plan::AggregateCall& call,
                                                         const execution::OperatorContext& ctx);

}  // namespace accelerant::operators
