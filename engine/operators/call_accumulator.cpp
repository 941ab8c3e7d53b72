#include "operators/call_accumulator.h"

#include "operators/count_distinct_accumulator.h"
#include "operators/distinct_accumulator.h"

namespace accelerant::operators {

std::unique_ptr<aggregates::Accumulator> make_call_accumulator(const aggregates::Call& call,
                                                               const execution::OperatorContext& ctx, Adds adds) {
  if (auto count_distinct = make_count_distinct_accumulator(call, ctx)) return count_distinct;
  if (!call.distinct) return adds == Adds::FewInOrder ? call.make_of_few(ctx) : call.make_accumulator(ctx);
  return std::make_unique<DistinctAccumulator>(call, call.make_accumulator(ctx), ctx);
}

}  // namespace accelerant::operators
