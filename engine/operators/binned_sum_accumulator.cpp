#include "operators/binned_sum_accumulator.h"

namespace accelerant::operators {

using columns::Column;
using columns::ColumnPtr;
using types::PhysicalType;

bool BinnedSumAccumulator::supports(const plan::AggregateCall& call) {
  return call.argument_type.is_floating() && call.result_type.is(types::TypeId::Double);
}

void BinnedSumAccumulator::update(const GroupedRows& rows, const Column* argument) {
  const bool is_float = argument->physical() == PhysicalType::Float32;
  const bool has_nulls = argument->may_have_nulls();
  for (int64_t row = 0; row < rows.num_rows; ++row) {
    if (has_nulls && argument->is_null(row)) continue;
    const double value =
        is_float ? static_cast<double>(argument->values<float>()[row]) : argument->values<double>()[row];
    states_[static_cast<size_t>(rows.groups ? rows.groups[row] : 1)].update(value);
  }
}

void BinnedSumAccumulator::merge(const Accumulator& other, std::span<const int32_t> from,
                                 std::span<const int32_t> into) {
  const auto& states = static_cast<const BinnedSumAccumulator&>(other).states_;
  for (size_t i = 0; i < from.size(); ++i) {
    states_[static_cast<size_t>(into[i])].merge(states[static_cast<size_t>(from[i])]);
  }
}

ColumnPtr BinnedSumAccumulator::finish(int64_t first, int64_t length, std::vector<columns::RowError>&) const {
  columns::FlatBuilder builder(call_.result_type, PhysicalType::Float64, length, budget_);
  for (int64_t i = 0; i < length; ++i) {
    const State& state = states_[static_cast<size_t>(first + i)];
    const double divisor = call_.kind == plan::AggregateKind::Average ? static_cast<double>(state.count) : 1.0;
    builder.values<double>()[i] = state.count == 0 ? 0 : state.value() / divisor;
    if (state.count == 0) bits::clear(builder.validity(), i);
  }
  return builder.finish();
}

}  // namespace accelerant::operators
