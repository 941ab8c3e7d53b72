#include "operators/call_accumulator.h"

#include "operators/count_distinct_accumulator.h"
#include "operators/distinct_accumulator.h"

namespace accelerant::operators {

std::unique_ptr<aggregates::Accumulator> make_call_accumulator(const aggregates::Call& call,
                                                               const execution::OperatorContext& ctx) {
  if (auto count_distinct = make_count_distinct_accumulator(call, ctx)) return count_distinct;
  auto accumulator = call.make_accumulator(ctx);
  if (!call.distinct) return accumulator;
  return std::make_unique<DistinctAccumulator>(call, std::move(accumulator), ctx);
}

}  // namespace accelerant::operators
