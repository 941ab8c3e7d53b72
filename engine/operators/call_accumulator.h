#pragma once

#include "aggregates/function.h"

#include <cstdint>
#include <memory>

namespace accelerant::operators {

/// How sums of floating-point numbers are added up.
enum class Adds : uint8_t {
  Exactly,     ///< the same in every order
  FewInOrder,  ///< of few rows as Spark does (Call::make_of_few)
};

/// Makes the accumulator of a call, distinct ones included.
/// @throws Error Unsupported for distinct arguments that cannot be compared
std::unique_ptr<aggregates::Accumulator> make_call_accumulator(const aggregates::Call& call,
                                                               const execution::OperatorContext& ctx,
                                                               Adds adds = Adds::Exactly);

}  // namespace accelerant::operators
