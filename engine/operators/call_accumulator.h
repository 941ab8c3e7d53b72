#pragma once

#include "aggregates/function.h"

#include <memory>

namespace accelerant::operators {

/// Makes the accumulator of a call, distinct ones included.
/// @throws Error Unsupported for distinct arguments that cannot be compared
std::unique_ptr<aggregates::Accumulator> make_call_accumulator(const aggregates::Call& call,
                                                               const execution::OperatorContext& ctx);

}  // namespace accelerant::operators
