#include "plan/aggregate.h"

namespace accelerant::plan {

const char* to_string(AggregateKind kind) {
  switch (kind) {
    case AggregateKind::Sum:
      return "sum";
    case AggregateKind::Average:
      return "avg";
    case AggregateKind::Count:
      return "count";
    case AggregateKind::Min:
      return "min";
    case AggregateKind::Max:
      return "max";
    case AggregateKind::First:
      return "first";
    case AggregateKind::Last:
      return "last";
    case AggregateKind::MaxBy:
      return "max_by";
    case AggregateKind::MinBy:
      return "min_by";
    case AggregateKind::BitAnd:
      return "bit_and";
    case AggregateKind::BitOr:
      return "bit_or";
    case AggregateKind::BitXor:
      return "bit_xor";
    case AggregateKind::VariancePop:
      return "var_pop";
    case AggregateKind::VarianceSamp:
      return "var_samp";
    case AggregateKind::StddevPop:
      return "stddev_pop";
    case AggregateKind::StddevSamp:
      return "stddev_samp";
    case AggregateKind::CovPopulation:
      return "covar_pop";
    case AggregateKind::CovSample:
      return "covar_samp";
    case AggregateKind::Corr:
      return "corr";
    case AggregateKind::CollectList:
      return "collect_list";
    case AggregateKind::CollectSet:
      return "collect_set";
  }
  return "?";
}

namespace {

std::string describe_call(const AggregateCall& call) {
  std::string text = std::string(to_string(call.kind)) + (call.distinct ? "(distinct " : "(");
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

double Aggregate::estimate_rows(std::span<const double> rows) const { return keys.empty() ? 1 : rows.front() / 2; }

Partitioning Aggregate::partitioning(std::span<const Partitioning>) const {
  return keys.empty() ? Partitioning::Single : Partitioning::Shared;
}

}  // namespace accelerant::plan
