#include "operators/extreme_accumulator.h"

#include "codegen/row_groups.h"
#include "device/primitives/update_groups.h"
#include "functions/aggregate/extreme.h"
#include "operators/string_extreme_accumulator.h"
#include "operators/value_reader.h"

#include <algorithm>
#include <type_traits>
#include <vector>

namespace accelerant::operators {

using columns::ColumnPtr;
using plan::AggregateKind;

namespace {

/// MIN and MAX over fixed-width values.
template <class T>
class ExtremeAccumulator final : public Accumulator {
 public:
  ExtremeAccumulator(const plan::AggregateCall& call, const execution::OperatorContext& ctx)
      : type_(call.result_type), greatest_(call.kind == AggregateKind::Max), budget_(ctx.budget) {}

  void resize(int64_t num_groups) override { states_.resize(static_cast<size_t>(num_groups), State::init()); }

  void update(const GroupedRows& rows, Arguments arguments) override {
    const columns::Column& argument = *arguments.front();
    if constexpr (std::is_integral_v<T>) {
      const bool is_stored_so = types::width_of(argument.physical()) == static_cast<int>(sizeof(T));
      if (!rows.groups && is_stored_so && !argument.may_have_nulls())
        return update_all(argument.values<T>(), rows.num_rows);
    }
    const ValueReader<T> value(argument);
    State* states = states_.data();
    for_each_value(rows, arguments,
                   [=, this](int32_t group, int64_t row) { states[group].update(value(row), greatest_); });
  }

  void merge(const Accumulator& other, std::span<const int32_t> from, std::span<const int32_t> into) override {
    const auto& states = static_cast<const ExtremeAccumulator&>(other).states_;
    for (size_t i = 0; i < from.size(); ++i) {
      states_[static_cast<size_t>(into[i])].merge(states[static_cast<size_t>(from[i])], greatest_);
    }
  }

  void merge_words(std::span<const uint64_t> words, std::span<const int32_t> into) override {
    if constexpr (sizeof(T) > sizeof(int64_t)) {
      Accumulator::merge_words(words, into);
    } else {
      using device::kernels::AggregateKind;
      const AggregateKind kind = greatest_ ? AggregateKind::Maximum : AggregateKind::Minimum;
      for (size_t i = 0; i < into.size(); ++i) {
        const uint64_t* state = words.data() + 2 * i;
        if (!device::has_extreme(state)) continue;
        const int64_t value = device::extreme_of(kind, state);
        states_[static_cast<size_t>(into[i])].update(codegen::from_ordered<T>(value), greatest_);
      }
    }
  }

  ColumnPtr finish(int64_t first, int64_t length, std::vector<columns::RowError>&) const override {
    columns::FlatBuilder builder(type_, type_.physical(), length, budget_);
    T* values = builder.template values<T>();
    for (int64_t i = 0; i < length; ++i) {
      const State& state = states_[static_cast<size_t>(first + i)];
      values[i] = state.value;
      if (!state.any) bits::clear(builder.validity(), i);
    }
    return builder.finish();
  }

  int64_t memory_bytes() const override { return static_cast<int64_t>(states_.capacity() * sizeof(State)); }

 private:
  using State = functions::Extreme<T>;

  /// Adds values of the one group. The loops have no branches, so that compilers vectorise them.
  void update_all(const T* values, int64_t num_rows) {
    if (num_rows == 0) return;
    T extreme = values[0];
    if (greatest_) {
      for (int64_t row = 1; row < num_rows; ++row) extreme = std::max(extreme, values[row]);
    } else {
      for (int64_t row = 1; row < num_rows; ++row) extreme = std::min(extreme, values[row]);
    }
    states_[1].update(extreme, greatest_);
  }

  const types::DataType type_;
  const bool greatest_;
  const std::shared_ptr<memory::Budget> budget_;
  std::vector<State> states_;
};

}  // namespace

std::unique_ptr<Accumulator> make_extreme_accumulator(const plan::AggregateCall& call,
                                                      const execution::OperatorContext& ctx) {
  const types::PhysicalType physical = call.argument_types.front().physical();
  return visit_physical(physical, [&](auto value) -> std::unique_ptr<Accumulator> {
    using T = decltype(value);
    if constexpr (std::is_same_v<T, std::string_view>) {
      return std::make_unique<StringExtremeAccumulator>(call, ctx);
    } else {
      return std::make_unique<ExtremeAccumulator<T>>(call, ctx);
    }
  });
}

}  // namespace accelerant::operators
