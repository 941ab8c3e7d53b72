#include "operators/exact_sum_accumulator.h"

#include "base/error.h"
#include "device/primitives/update_groups.h"
#include "functions/error_codes.h"
#include "operators/value_reader.h"

#include <cstdlib>
#include <type_traits>
#include <utility>

namespace accelerant::operators {

using columns::Column;
using columns::ColumnPtr;
using expressions::EvalMode;
using plan::AggregateKind;
using types::PhysicalType;

namespace {

/// Batches with more groups than this go straight to the wide states.
constexpr int64_t kMaxLaneGroups = 1024;
/// Neighbouring rows add to different lanes, so that an addition need not wait for the one before it.
constexpr int64_t kLanes = 4;

/// Says whether any `n` of the values add up within int64. One pass, no branches.
template <class T>
bool sums_fit_int64(const T* values, int64_t n) {
  if constexpr (sizeof(T) < sizeof(int64_t)) {
    return n < (int64_t{1} << 31);
  } else if constexpr (std::is_same_v<T, int64_t>) {
    uint64_t magnitudes = 0;
    for (int64_t i = 0; i < n; ++i) magnitudes |= static_cast<uint64_t>(values[i] ^ (values[i] >> 63));
    const int value_bits = magnitudes == 0 ? 0 : 64 - __builtin_clzll(magnitudes);
    const int row_bits = n == 0 ? 0 : 64 - __builtin_clzll(static_cast<uint64_t>(n));
    return value_bits + row_bits <= 62;
  } else {
    return false;
  }
}

constexpr int128 power_of_ten(int exponent) {
  int128 power = 1;
  for (int i = 0; i < exponent; ++i) power *= 10;
  return power;
}

/// Says whether a value is below a bound in magnitude.
bool is_within(int128 value, int128 bound) { return -bound < value && value < bound; }

/// Returns dividend * 10^more_digits / divisor, rounded half up (away from zero), in `quotient`; false if it has more
/// than 38 digits.
/// @param divisor positive
bool divide_half_up(int128 dividend, int64_t divisor, int more_digits, int128& quotient) {
  const bool negative = dividend < 0;
  const uint128 magnitude = negative ? -static_cast<uint128>(dividend) : static_cast<uint128>(dividend);
  uint128 result = magnitude / static_cast<uint64_t>(divisor);
  uint128 remainder = magnitude % static_cast<uint64_t>(divisor);
  static constexpr auto kBound = static_cast<uint128>(power_of_ten(types::kMaxDecimalPrecision));
  for (int digit = 0; digit < more_digits; ++digit) {
    if (result >= kBound / 10) return false;
    remainder *= 10;
    result = result * 10 + remainder / static_cast<uint64_t>(divisor);
    remainder %= static_cast<uint64_t>(divisor);
  }
  if (remainder * 2 >= static_cast<uint64_t>(divisor)) ++result;
  if (result >= kBound) return false;
  quotient = negative ? -static_cast<int128>(result) : static_cast<int128>(result);
  return true;
}

}  // namespace

bool ExactSumAccumulator::supports(const plan::AggregateCall& call) {
  const auto& argument = call.argument_types.front();
  const auto& result = call.result_type;
  if (argument.is_decimal()) return result.is_decimal();
  if (!argument.is_integral()) return false;
  return call.kind == AggregateKind::Sum ? result.is(types::TypeId::Long) : result.is(types::TypeId::Double);
}

ExactSumAccumulator::ExactSumAccumulator(const plan::AggregateCall& call, const execution::OperatorContext& ctx)
    : StateAccumulator(call, ctx), plan_node_(ctx.plan_node) {}

void ExactSumAccumulator::merge_words(std::span<const uint64_t> words, std::span<const int32_t> into) {
  const auto width = words.size() / std::max<size_t>(into.size(), 1);
  for (size_t i = 0; i < into.size(); ++i) state(into[i]).merge(device::exact_sum_of(words.data() + i * width));
}

void ExactSumAccumulator::update(const GroupedRows& rows, Arguments arguments) {
  const Column& argument = *arguments.front();
  switch (argument.physical()) {
    case PhysicalType::Int8:
      return update_from<int8_t>(rows, argument);
    case PhysicalType::Int16:
      return update_from<int16_t>(rows, argument);
    case PhysicalType::Int32:
      return update_from<int32_t>(rows, argument);
    case PhysicalType::Int64:
      return update_from<int64_t>(rows, argument);
    case PhysicalType::Int128:
      return update_from<int128>(rows, argument);
    default:
      ACC_CHECK(!"an integer or decimal argument");
  }
}

bool ExactSumAccumulator::update_repeated(const Column& values, std::span<const int64_t> times) {
  if (values.physical() == PhysicalType::Int128) return false;  // a product may have more bits
  visit_physical(values.physical(), [&](auto sample) {
    if constexpr (std::is_integral_v<decltype(sample)>) {
      const auto* all = values.values<decltype(sample)>();
      for (size_t i = 0; i < times.size(); ++i) {
        if (times[i] == 0 || values.is_null(static_cast<int64_t>(i))) continue;
        states_[1].add(static_cast<int128>(all[i]) * times[i]);
        states_[1].count += times[i];
      }
    }
    return 0;
  });
  return true;
}

template <class T>
void ExactSumAccumulator::update_from(const GroupedRows& rows, const Column& argument) {
  const T* values = argument.values<T>();
  const bool has_nulls = argument.may_have_nulls();
  const bool narrow = !has_nulls && sums_fit_int64(values, rows.num_rows);
  if (narrow && !rows.groups) return update_all(values, rows.num_rows);
  if (narrow && rows.num_groups <= kMaxLaneGroups && rows.num_groups * kLanes <= rows.num_rows) {
    return update_in_lanes(rows, values);
  }
  State* states = states_.data();
  for (int64_t row = 0; row < rows.num_rows; ++row) {
    if (has_nulls && argument.is_null(row)) continue;
    states[rows.group_of(row)].update(values[row]);
  }
}

template <class T>
void ExactSumAccumulator::update_all(const T* values, int64_t num_rows) {
  int64_t sum = 0;
  for (int64_t row = 0; row < num_rows; ++row) sum += static_cast<int64_t>(values[row]);
  states_[1].add(sum);
  states_[1].count += num_rows;
}

template <class T>
void ExactSumAccumulator::update_in_lanes(const GroupedRows& rows, const T* values) {
  const auto lanes = static_cast<size_t>(rows.num_groups * kLanes);
  lane_sums_.assign(lanes, 0);
  lane_counts_.assign(lanes, 0);
  int64_t* sums = lane_sums_.data();
  int64_t* counts = lane_counts_.data();
  const int32_t* groups = rows.groups;
  const auto add = [=](int64_t row, int64_t lane) {
    const int64_t cell = groups[row] * kLanes + lane;
    sums[cell] += static_cast<int64_t>(values[row]);
    ++counts[cell];
  };
  int64_t row = 0;
  for (; row + kLanes <= rows.num_rows; row += kLanes) {
    for (int64_t lane = 0; lane < kLanes; ++lane) add(row + lane, lane);
  }
  for (; row < rows.num_rows; ++row) add(row, 0);
  for (size_t cell = kLanes; cell < lanes; ++cell) {
    State& state = states_[cell / kLanes];
    state.add(sums[cell]);
    state.count += counts[cell];
  }
}

ColumnPtr ExactSumAccumulator::finish(int64_t first, int64_t length, std::vector<columns::RowError>& errors) const {
  switch (call_.result_type.id()) {
    case types::TypeId::Decimal:
      return finish_decimal(first, length, errors);
    case types::TypeId::Long:
      return finish_long(first, length, errors);
    default:
      return finish_double(first, length);
  }
}

columns::RowError ExactSumAccumulator::overflow_at(int64_t row, uint8_t code) const {
  return {static_cast<int32_t>(row), code, plan_node_, call_.expression, nullptr};
}

ColumnPtr ExactSumAccumulator::finish_decimal(int64_t first, int64_t length,
                                              std::vector<columns::RowError>& errors) const {
  const auto& type = call_.result_type;
  const bool average = call_.kind == AggregateKind::Average;
  const int128 result_bound = power_of_ten(type.precision());
  const int128 sum_bound =
      average ? power_of_ten(std::min(types::kMaxDecimalPrecision, call_.argument_types.front().precision() + 10))
              : result_bound;
  const int more_digits = type.scale() - call_.argument_types.front().scale();
  columns::FlatBuilder builder(type, type.physical(), length, budget_);
  for (int64_t i = 0; i < length; ++i) {
    const State& state = states_[static_cast<size_t>(first + i)];
    int128 value = 0;
    bool fits = state.fits_int128() && is_within(state.value(), sum_bound);
    if (fits && state.count > 0) {
      value = state.value();
      if (average)
        fits = divide_half_up(state.value(), state.count, more_digits, value) && is_within(value, result_bound);
    }
    // Spark names the value, or the sum, or has an answer, by where its sums of partitions first leave the type.
    if (!fits && call_.mode == EvalMode::Ansi) {
      errors.push_back(overflow_at(i, functions::kOverflow | functions::kNeedsSpark));
    }
    if (!fits || state.count == 0) {
      bits::clear(builder.validity(), i);
      value = 0;
    }
    if (type.physical() == PhysicalType::Int64) {
      builder.values<int64_t>()[i] = static_cast<int64_t>(value);
    } else {
      builder.values<int128>()[i] = value;
    }
  }
  return builder.finish();
}

ColumnPtr ExactSumAccumulator::finish_long(int64_t first, int64_t length,
                                           std::vector<columns::RowError>& errors) const {
  columns::FlatBuilder builder(call_.result_type, PhysicalType::Int64, length, budget_);
  for (int64_t i = 0; i < length; ++i) {
    const State& state = states_[static_cast<size_t>(first + i)];
    const auto wrapped = static_cast<int64_t>(state.low);
    const bool fits = state.fits_int128() && state.value() == wrapped;
    if (!fits && call_.mode == EvalMode::Ansi) errors.push_back(overflow_at(i, functions::kOverflow));
    builder.values<int64_t>()[i] = wrapped;
    if (state.count == 0 || (!fits && call_.mode == EvalMode::Try)) bits::clear(builder.validity(), i);
  }
  return builder.finish();
}

ColumnPtr ExactSumAccumulator::finish_double(int64_t first, int64_t length) const {
  columns::FlatBuilder builder(call_.result_type, PhysicalType::Float64, length, budget_);
  for (int64_t i = 0; i < length; ++i) {
    const State& state = states_[static_cast<size_t>(first + i)];
    const auto count = static_cast<double>(state.count);
    builder.values<double>()[i] = state.count == 0 ? 0 : static_cast<double>(state.value()) / count;
    if (state.count == 0) bits::clear(builder.validity(), i);
  }
  return builder.finish();
}

}  // namespace accelerant::operators
