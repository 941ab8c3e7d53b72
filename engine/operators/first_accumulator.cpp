#include "operators/first_accumulator.h"

namespace accelerant::operators {

FirstAccumulator::FirstAccumulator(const plan::AggregateCall& call, const execution::OperatorContext& ctx)
    : last_(call.kind == plan::AggregateKind::Last),
      ignores_nulls_(call.ignores_nulls),
      values_(call.result_type, ctx.budget) {}

void FirstAccumulator::resize(int64_t num_groups) {
  places_.resize(static_cast<size_t>(num_groups), kNowhere);
  values_.resize(num_groups);
}

bool FirstAccumulator::takes(int32_t group, const RowPlace& place) const {
  const RowPlace& held = places_[static_cast<size_t>(group)];
  return held == kNowhere || (last_ ? held < place : place < held);
}

void FirstAccumulator::update(const GroupedRows& rows, Arguments arguments) {
  const columns::Column& value = *arguments.front();
  const auto visit = [&](int64_t row) {
    const RowPlace place{rows.batch, row};
    const int32_t group = rows.group_of(row);
    if (group == 0 || !takes(group, place)) return;
    if (ignores_nulls_ && value.is_null(row)) return;
    if (arguments.size() > 1 && arguments[1]->is_null(row)) return;
    places_[static_cast<size_t>(group)] = place;
    values_.set(group, value, row);
  };
  // In this direction only the first row of a group that counts is copied.
  if (last_) {
    for (int64_t row = rows.num_rows - 1; row >= 0; --row) visit(row);
  } else {
    for (int64_t row = 0; row < rows.num_rows; ++row) visit(row);
  }
}

void FirstAccumulator::merge(const Accumulator& other, std::span<const int32_t> from, std::span<const int32_t> into) {
  const auto& others = static_cast<const FirstAccumulator&>(other);
  for (size_t i = 0; i < from.size(); ++i) {
    const RowPlace& place = others.places_[static_cast<size_t>(from[i])];
    if (place == kNowhere || !takes(into[i], place)) continue;
    places_[static_cast<size_t>(into[i])] = place;
    values_.copy(into[i], others.values_, from[i]);
  }
}

columns::ColumnPtr FirstAccumulator::finish(int64_t first, int64_t length, std::vector<columns::RowError>&) const {
  return values_.finish(first, length);
}

int64_t FirstAccumulator::memory_bytes() const {
  return static_cast<int64_t>(places_.capacity() * sizeof(RowPlace)) + values_.memory_bytes();
}

}  // namespace accelerant::operators
