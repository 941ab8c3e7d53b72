#pragma once

#include "operators/accumulator.h"

#include <memory>

namespace accelerant::operators {

/// Makes the accumulator of BIT_AND, BIT_OR or BIT_XOR; nullptr if the argument is no integer.
std::unique_ptr<Accumulator> make_bitwise_accumulator(const plan::AggregateCall& call,
                                                      const execution::OperatorContext& ctx);

}  // namespace accelerant::operators
