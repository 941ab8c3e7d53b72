#include "operators/binned_sum_accumulator.h"

#include "device/primitives/update_groups.h"

#include <algorithm>

namespace accelerant::operators {

using columns::ColumnPtr;
using types::PhysicalType;

bool BinnedSumAccumulator::supports(const plan::AggregateCall& call) {
  return call.argument_types.front().is_floating() && call.result_type.is(types::TypeId::Double);
}

void BinnedSumAccumulator::update(const GroupedRows& rows, Arguments arguments) {
  const columns::Column& argument = *arguments.front();
  const auto add = [&](const auto* values) {
    for_each_value(rows, arguments,
                   [&](int32_t group, int64_t row) { state(group).update(static_cast<double>(values[row])); });
  };
  if (argument.physical() == PhysicalType::Float32) return add(argument.values<float>());
  add(argument.values<double>());
}

void BinnedSumAccumulator::merge_words(std::span<const uint64_t> words, std::span<const int32_t> into) {
  const auto width = words.size() / std::max<size_t>(into.size(), 1);
  for (size_t i = 0; i < into.size(); ++i) state(into[i]).merge(device::binned_sum_of(words.data() + i * width));
}

ColumnPtr BinnedSumAccumulator::finish(int64_t first, int64_t length, std::vector<columns::RowError>&) const {
  columns::FlatBuilder builder(call_.result_type, PhysicalType::Float64, length, budget_);
  const auto sums = states(first, length);
  for (int64_t i = 0; i < length; ++i) {
    const functions::BinnedSum& sum = sums[static_cast<size_t>(i)];
    const double divisor = call_.kind == plan::AggregateKind::Average ? static_cast<double>(sum.count) : 1.0;
    builder.values<double>()[i] = sum.count == 0 ? 0 : sum.value() / divisor;
    if (sum.count == 0) bits::clear(builder.validity(), i);
  }
  return builder.finish();
}

}  // namespace accelerant::operators
