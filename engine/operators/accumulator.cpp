#include "operators/accumulator.h"

#include "base/error.h"
#include "operators/binned_sum_accumulator.h"
#include "operators/bitwise_accumulator.h"
#include "operators/count_accumulator.h"
#include "operators/count_distinct_accumulator.h"
#include "operators/distinct_accumulator.h"
#include "operators/exact_sum_accumulator.h"
#include "operators/extreme_accumulator.h"
#include "operators/extreme_by_accumulator.h"
#include "operators/first_accumulator.h"
#include "operators/list_accumulator.h"
#include "operators/moments_accumulator.h"

#include <string>
#include <utility>

namespace accelerant::operators {

using plan::AggregateKind;

namespace {

std::unique_ptr<Accumulator> make_sum(const plan::AggregateCall& call, const execution::OperatorContext& ctx) {
  if (ExactSumAccumulator::supports(call)) return std::make_unique<ExactSumAccumulator>(call, ctx);
  if (BinnedSumAccumulator::supports(call)) return std::make_unique<BinnedSumAccumulator>(call, ctx);
  return nullptr;
}

/// Returns nullptr where there is none for the types.
std::unique_ptr<Accumulator> make_plain(const plan::AggregateCall& call, const execution::OperatorContext& ctx) {
  switch (call.kind) {
    case AggregateKind::Count:
      return std::make_unique<CountAccumulator>(call, ctx);
    case AggregateKind::Sum:
    case AggregateKind::Average:
      return make_sum(call, ctx);
    case AggregateKind::Min:
    case AggregateKind::Max:
      return make_extreme_accumulator(call, ctx);
    case AggregateKind::First:
    case AggregateKind::Last:
      return std::make_unique<FirstAccumulator>(call, ctx);
    case AggregateKind::MaxBy:
    case AggregateKind::MinBy:
      return make_extreme_by_accumulator(call, ctx);
    case AggregateKind::BitAnd:
    case AggregateKind::BitOr:
    case AggregateKind::BitXor:
      return make_bitwise_accumulator(call, ctx);
    case AggregateKind::VariancePop:
    case AggregateKind::VarianceSamp:
    case AggregateKind::StddevPop:
    case AggregateKind::StddevSamp:
      return std::make_unique<VarianceAccumulator>(call, ctx);
    case AggregateKind::CovPopulation:
    case AggregateKind::CovSample:
    case AggregateKind::Corr:
      return std::make_unique<CovarianceAccumulator>(call, ctx);
    case AggregateKind::CollectList:
    case AggregateKind::CollectSet:
      return std::make_unique<ListAccumulator>(call, ctx);
  }
  return nullptr;
}

}  // namespace

bool Accumulator::update_repeated(const columns::Column&, std::span<const int64_t>) { return false; }

void Accumulator::merge_words(std::span<const uint64_t>, std::span<const int32_t>) {
  throw Error(ErrorKind::Internal, "states of a device that has none of this function");
}

std::unique_ptr<Accumulator> Accumulator::rearranged(std::span<const int32_t>) const { return nullptr; }

std::unique_ptr<Accumulator> make_accumulator(const plan::AggregateCall& call, const execution::OperatorContext& ctx) {
  if (auto count_distinct = make_count_distinct_accumulator(call, ctx)) return count_distinct;
  auto accumulator = make_plain(call, ctx);
  if (!accumulator) {
    std::string types;
    for (const auto& type : call.argument_types) types += (types.empty() ? "" : ", ") + type.to_string();
    throw Error(ErrorKind::Unsupported, std::string("aggregate ") + plan::traits_of(call.kind).name + " of " + types)
        .at_expression(call.expression);
  }
  if (!call.distinct) return accumulator;
  return std::make_unique<DistinctAccumulator>(call, std::move(accumulator), ctx);
}

}  // namespace accelerant::operators
