#include "operators/extreme_by_accumulator.h"

#include "functions/aggregate/extreme.h"
#include "operators/value_reader.h"
#include "operators/value_slots.h"

#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace accelerant::operators {

namespace {

/// MAX_BY and MIN_BY: the value in the row whose `T` is the extreme; among equal ones the last row's, as Spark has it.
template <class T>
class ExtremeByAccumulator final : public Accumulator {
 public:
  ExtremeByAccumulator(const plan::AggregateCall& call, const execution::OperatorContext& ctx)
      : greatest_(call.kind == plan::AggregateKind::MaxBy), values_(call.result_type, ctx.budget) {}

  void resize(int64_t num_groups) override {
    states_.resize(static_cast<size_t>(num_groups));
    values_.resize(num_groups);
  }

  void update(const GroupedRows& rows, Arguments arguments) override {
    const ValueReader<T> ordering(*arguments[1]);
    for_each_value(rows, arguments.subspan(1), [&](int32_t group, int64_t row) {
      if (group != 0 && take(group, ordering(row), {rows.batch, row})) values_.set(group, *arguments[0], row);
    });
  }

  void merge(const Accumulator& other, std::span<const int32_t> from, std::span<const int32_t> into) override {
    const auto& others = static_cast<const ExtremeByAccumulator&>(other);
    for (size_t i = 0; i < from.size(); ++i) {
      const State& state = others.states_[static_cast<size_t>(from[i])];
      if (state.any && take(into[i], state.ordering, state.place)) values_.copy(into[i], others.values_, from[i]);
    }
  }

  columns::ColumnPtr finish(int64_t first, int64_t length, std::vector<columns::RowError>&) const override {
    return values_.finish(first, length);
  }

  int64_t memory_bytes() const override {
    return static_cast<int64_t>(states_.capacity() * sizeof(State)) + ordering_bytes_ + values_.memory_bytes();
  }

 private:
  static constexpr bool kIsText = std::is_same_v<T, std::string_view>;

  struct State {
    std::conditional_t<kIsText, std::string, T> ordering{};
    RowPlace place{};
    bool any = false;
  };

  /// Takes over a row unless the one that is held goes before it.
  bool take(int32_t group, T ordering, const RowPlace& place) {
    State& state = states_[static_cast<size_t>(group)];
    if (state.any) {
      const T held = state.ordering;
      if (greatest_ ? functions::comes_before(ordering, held) : functions::comes_before(held, ordering)) return false;
      const bool equal =
          greatest_ ? !functions::comes_before(held, ordering) : !functions::comes_before(ordering, held);
      if (equal && place < state.place) return false;
    }
    if constexpr (kIsText) ordering_bytes_ -= static_cast<int64_t>(state.ordering.capacity());
    state.ordering = ordering;
    if constexpr (kIsText) ordering_bytes_ += static_cast<int64_t>(state.ordering.capacity());
    state.place = place;
    state.any = true;
    return true;
  }

  const bool greatest_;
  std::vector<State> states_;
  ValueSlots values_;
  int64_t ordering_bytes_ = 0;  ///< of the states' strings
};

}  // namespace

std::unique_ptr<Accumulator> make_extreme_by_accumulator(const plan::AggregateCall& call,
                                                         const execution::OperatorContext& ctx) {
  const types::PhysicalType physical = call.argument_types[1].physical();
  return visit_physical(physical, [&](auto value) -> std::unique_ptr<Accumulator> {
    return std::make_unique<ExtremeByAccumulator<decltype(value)>>(call, ctx);
  });
}

}  // namespace accelerant::operators
