#include "plan/aggregate.h"

#include "base/error.h"

#include <algorithm>

namespace accelerant::plan {

AggregateTraits traits_of(AggregateKind kind) {
  // Without a default, and every trait named, so that the compiler asks for those of a new kind.
  switch (kind) {
    case AggregateKind::Sum:
      return {.name = "sum", .minds_order = false, .skips_values = false, .is_moment = false};
    case AggregateKind::Average:
      return {.name = "avg", .minds_order = false, .skips_values = false, .is_moment = false};
    case AggregateKind::Count:
      return {.name = "count", .minds_order = false, .skips_values = false, .is_moment = false};
    case AggregateKind::Min:
      return {.name = "min", .minds_order = false, .skips_values = false, .is_moment = false};
    case AggregateKind::Max:
      return {.name = "max", .minds_order = false, .skips_values = false, .is_moment = false};
    case AggregateKind::First:
      return {.name = "first", .minds_order = true, .skips_values = true, .is_moment = false};
    case AggregateKind::Last:
      return {.name = "last", .minds_order = true, .skips_values = false, .is_moment = false};
    case AggregateKind::MaxBy:
      return {.name = "max_by", .minds_order = true, .skips_values = true, .is_moment = false};
    case AggregateKind::MinBy:
      return {.name = "min_by", .minds_order = true, .skips_values = true, .is_moment = false};
    case AggregateKind::BitAnd:
      return {.name = "bit_and", .minds_order = false, .skips_values = false, .is_moment = false};
    case AggregateKind::BitOr:
      return {.name = "bit_or", .minds_order = false, .skips_values = false, .is_moment = false};
    case AggregateKind::BitXor:
      return {.name = "bit_xor", .minds_order = false, .skips_values = false, .is_moment = false};
    case AggregateKind::VariancePop:
      return {.name = "var_pop", .minds_order = false, .skips_values = false, .is_moment = true};
    case AggregateKind::VarianceSamp:
      return {.name = "var_samp", .minds_order = false, .skips_values = false, .is_moment = true};
    case AggregateKind::StddevPop:
      return {.name = "stddev_pop", .minds_order = false, .skips_values = false, .is_moment = true};
    case AggregateKind::StddevSamp:
      return {.name = "stddev_samp", .minds_order = false, .skips_values = false, .is_moment = true};
    case AggregateKind::CovPopulation:
      return {.name = "covar_pop", .minds_order = false, .skips_values = false, .is_moment = true};
    case AggregateKind::CovSample:
      return {.name = "covar_samp", .minds_order = false, .skips_values = false, .is_moment = true};
    case AggregateKind::Corr:
      return {.name = "corr", .minds_order = false, .skips_values = false, .is_moment = true};
    case AggregateKind::CollectList:
      return {.name = "collect_list", .minds_order = true, .skips_values = false, .is_moment = false};
    case AggregateKind::CollectSet:
      return {.name = "collect_set", .minds_order = false, .skips_values = false, .is_moment = false};
  }
  throw Error(ErrorKind::Internal, "no such aggregate function");
}

bool AggregateCall::can_fail() const {
  if (mode != expressions::EvalMode::Ansi) return false;
  if (kind == AggregateKind::Corr) return true;
  if (kind != AggregateKind::Sum && kind != AggregateKind::Average) return false;
  // Sums of decimals have ten digits more than their values, up to 38: as many rows never come together.
  const types::DataType& type = argument_types.front();
  return type.is(types::TypeId::Decimal) ? type.precision() > 28 : type.is_integral() && kind == AggregateKind::Sum;
}

bool Aggregate::can_fail() const {
  return input->can_fail() || result->can_fail() ||
         std::ranges::any_of(calls, [](const AggregateCall& call) { return call.can_fail(); });
}

bool Aggregate::is_spread() const {
  return key_hash && (inputs.empty() || partitioning_of(*inputs.front()) != Partitioning::Single);
}

std::vector<types::DataType> Aggregate::key_types() const {
  std::vector<types::DataType> types;
  for (const OutputColumn& key : keys) types.push_back(key.type);
  return types;
}

bool Aggregate::chooses_rows() const {
  return std::ranges::any_of(calls, [](const AggregateCall& call) { return traits_of(call.kind).minds_order; });
}

namespace {

std::string describe_call(const AggregateCall& call) {
  std::string text = std::string(traits_of(call.kind).name) + (call.distinct ? "(distinct " : "(");
  for (size_t i = 0; i < call.arguments.size(); ++i) {
    text += (i > 0 ? ", " : "") + std::to_string(call.arguments[i]);
  }
  return text + (call.arguments.empty() ? "*)" : ")");
}

}  // namespace

std::string Aggregate::describe() const {
  std::string text = "keys=" + std::to_string(keys.size()) + " calls=[";
  for (size_t i = 0; i < calls.size(); ++i) text += (i > 0 ? ", " : "") + describe_call(calls[i]);
  return text + "]";
}

Partitioning Aggregate::partitioning(std::span<const Partitioning>) const {
  return keys.empty() ? Partitioning::Single : Partitioning::Shared;
}

}  // namespace accelerant::plan
