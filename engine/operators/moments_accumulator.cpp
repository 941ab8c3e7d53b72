#include "operators/moments_accumulator.h"

#include "functions/error_codes.h"

#include <cmath>
#include <limits>
#include <optional>

namespace accelerant::operators {

using plan::AggregateCall;
using plan::AggregateKind;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

bool is_of_sample(AggregateKind kind) {
  return kind == AggregateKind::VarianceSamp || kind == AggregateKind::StddevSamp || kind == AggregateKind::CovSample;
}

/// Returns the moment over the number of rows, or one less for samples; nothing for null.
template <class State>
std::optional<double> mean_moment(const State& state, const AggregateCall& call) {
  const auto rows = static_cast<double>(state.count());
  if (rows == 0) return std::nullopt;
  const bool of_sample = is_of_sample(call.kind);
  if (of_sample && rows == 1) return call.null_on_divide_by_zero ? std::nullopt : std::optional(kNan);
  if (!state.is_finite()) return kNan;
  functions::ScaledDouble moment = state.moment();
  moment.mantissa /= rows;
  return moment.over(of_sample ? rows - 1 : rows);
}

std::optional<double> result_of(const functions::Variance& state, const AggregateCall& call) {
  const std::optional<double> variance = mean_moment(state, call);
  const bool root = call.kind == AggregateKind::StddevPop || call.kind == AggregateKind::StddevSamp;
  return root && variance ? std::sqrt(*variance) : variance;
}

/// What both sides' distances to their means come to.
struct Deviation {
  double x;
  double y;

  double divisor() const { return std::sqrt(x * y); }
};

/// Returns what the correlation divides by; nothing where it is null or NaN whatever that is. As doubles, so that what
/// overflows or vanishes in Spark does so here.
std::optional<Deviation> deviation(const functions::Covariance& state) {
  if (state.count() < 2 || !state.is_finite()) return std::nullopt;
  const auto rows = static_cast<double>(state.count());
  return Deviation{state.x.moment().over(rows), state.y.moment().over(rows)};
}

/// Says whether Spark divides by zero.
bool divides_by_zero(const functions::Covariance& state, const AggregateCall& call) {
  const std::optional<Deviation> both = deviation(state);
  if (!both || both->divisor() != 0) return false;
  return !call.null_without_variance || (both->x != 0 && both->y != 0);
}

/// Says whether a side has the same finite value in all rows.
bool is_constant(const functions::Variance& side) {
  return side.is_finite() && side.moment().over(static_cast<double>(side.count())) == 0;
}

std::optional<double> correlation(const functions::Covariance& state, const AggregateCall& call) {
  if (state.count() == 0 || (state.count() == 1 && call.null_on_divide_by_zero)) return std::nullopt;
  const std::optional<Deviation> both = deviation(state);
  if (!both && call.null_without_variance && state.count() > 1 && (is_constant(state.x) || is_constant(state.y))) {
    return std::nullopt;
  }
  if (!both) return kNan;
  if (call.null_without_variance && (both->x == 0 || both->y == 0)) return std::nullopt;
  const double divisor = both->divisor();
  return divisor == 0 ? std::nullopt : std::optional(state.moment().over(static_cast<double>(state.count())) / divisor);
}

std::optional<double> result_of(const functions::Covariance& state, const AggregateCall& call) {
  return call.kind == AggregateKind::Corr ? correlation(state, call) : mean_moment(state, call);
}

template <class State>
columns::ColumnPtr finish_states(std::span<const State> states, const AggregateCall& call,
                                 const std::shared_ptr<memory::Budget>& budget) {
  const auto length = static_cast<int64_t>(states.size());
  columns::FlatBuilder builder(call.result_type, types::PhysicalType::Float64, length, budget);
  for (int64_t i = 0; i < length; ++i) {
    const std::optional<double> result = result_of(states[static_cast<size_t>(i)], call);
    builder.values<double>()[i] = result.value_or(0);
    if (!result) bits::clear(builder.validity(), i);
  }
  return builder.finish();
}

}  // namespace

void VarianceAccumulator::update(const GroupedRows& rows, Arguments arguments) {
  const double* values = arguments[0]->values<double>();
  for_each_value(rows, arguments, [&](int32_t group, int64_t row) { state(group).update(values[row]); });
}

columns::ColumnPtr VarianceAccumulator::finish(int64_t first, int64_t length, std::vector<columns::RowError>&) const {
  return finish_states(states(first, length), call_, budget_);
}

void CovarianceAccumulator::update(const GroupedRows& rows, Arguments arguments) {
  const double* x = arguments[0]->values<double>();
  const double* y = arguments[1]->values<double>();
  for_each_value(rows, arguments, [&](int32_t group, int64_t row) { state(group).update(x[row], y[row]); });
}

columns::ColumnPtr CovarianceAccumulator::finish(int64_t first, int64_t length,
                                                 std::vector<columns::RowError>& errors) const {
  for (int64_t i = 0; call_.can_fail() && i < length; ++i) {
    // Where means of partitions are rounded, Spark finds distances instead of none, and an answer.
    constexpr uint8_t kCode = functions::kDivideByZero | functions::kNeedsSpark;
    if (!divides_by_zero(states_[static_cast<size_t>(first + i)], call_)) continue;
    errors.push_back({static_cast<int32_t>(i), kCode, plan_node_, call_.expression, nullptr});
  }
  return finish_states(states(first, length), call_, budget_);
}

}  // namespace accelerant::operators
