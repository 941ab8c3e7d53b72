#pragma once

#include "operators/accumulator.h"

#include <memory>

namespace accelerant::operators {

/// Makes the accumulator of a MIN or MAX; nullptr if there is none for the argument's type.
std::unique_ptr<Accumulator> make_extreme_accumulator(const plan::AggregateCall& call,
                                                      const execution::OperatorContext& ctx);

}  // namespace accelerant::operators
