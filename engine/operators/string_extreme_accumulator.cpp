#include "operators/string_extreme_accumulator.h"

#include "columns/string_heap.h"
#include "operators/value_reader.h"

#include <span>
#include <string_view>
#include <utility>

namespace accelerant::operators {

using columns::ColumnPtr;

void StringExtremeAccumulator::update_state(State& state, std::string_view candidate) {
  // std::string compares as unsigned bytes.
  if (state.any && (greatest_ ? candidate <= state.value : candidate >= state.value)) return;
  heap_bytes_ -= static_cast<int64_t>(state.value.capacity());
  state.value.assign(candidate);
  heap_bytes_ += static_cast<int64_t>(state.value.capacity());
  state.any = true;
}

void StringExtremeAccumulator::update(const GroupedRows& rows, Arguments arguments) {
  const ValueReader<std::string_view> text(*arguments.front());
  for_each_value(rows, arguments, [&](int32_t group, int64_t row) {
    if (group != 0) update_state(states_[static_cast<size_t>(group)], text(row));
  });
}

void StringExtremeAccumulator::merge(const Accumulator& other, std::span<const int32_t> from,
                                     std::span<const int32_t> into) {
  const auto& states = static_cast<const StringExtremeAccumulator&>(other).states_;
  for (size_t i = 0; i < from.size(); ++i) {
    const State& state = states[static_cast<size_t>(from[i])];
    if (state.any) update_state(states_[static_cast<size_t>(into[i])], state.value);
  }
}

ColumnPtr StringExtremeAccumulator::finish(int64_t first, int64_t length, std::vector<columns::RowError>&) const {
  const auto strings = std::span(states_).subspan(static_cast<size_t>(first), static_cast<size_t>(length));
  int64_t long_bytes = 0;
  for (const State& state : strings) {
    if (state.value.size() > types::StringView::kMaxInlineBytes) long_bytes += static_cast<int64_t>(state.value.size());
  }
  columns::StringHeap heap(long_bytes, budget_);
  columns::FlatBuilder builder(type_, types::PhysicalType::String, length, budget_);
  for (int64_t i = 0; i < length; ++i) {
    const State& state = strings[static_cast<size_t>(i)];
    builder.values<types::StringView>()[i] = heap.add({state.value.data(), static_cast<int32_t>(state.value.size())});
    if (!state.any) bits::clear(builder.validity(), i);
  }
  builder.set_heap(heap.finish());
  return builder.finish();
}

}  // namespace accelerant::operators
