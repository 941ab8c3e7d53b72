#include "operators/bitwise_accumulator.h"

#include "functions/aggregate/bitwise.h"
#include "operators/state_accumulator.h"
#include "operators/value_reader.h"

#include <type_traits>

namespace accelerant::operators {

using plan::AggregateKind;

namespace {

/// BIT_AND, BIT_OR and BIT_XOR of integers.
template <class T>
class BitwiseAccumulator final : public StateAccumulator<functions::Bitwise<T>> {
 public:
  using Base = StateAccumulator<functions::Bitwise<T>>;
  using Base::Base;

  void update(const GroupedRows& rows, Arguments arguments) override {
    const T* values = arguments.front()->values<T>();
    for_each_value(rows, arguments, [&](int32_t group, int64_t row) { Base::state(group).update(values[row]); });
  }

  columns::ColumnPtr finish(int64_t first, int64_t length, std::vector<columns::RowError>&) const override {
    const plan::AggregateCall& call = Base::call_;
    columns::FlatBuilder builder(call.result_type, call.result_type.physical(), length, Base::budget_);
    T* values = builder.template values<T>();
    const auto states = Base::states(first, length);
    for (int64_t i = 0; i < length; ++i) {
      const functions::Bitwise<T>& state = states[static_cast<size_t>(i)];
      values[i] = call.kind == AggregateKind::BitAnd  ? state.ones
                  : call.kind == AggregateKind::BitOr ? state.any
                                                      : state.odd;
      if (!state.met) bits::clear(builder.validity(), i);
    }
    return builder.finish();
  }
};

}  // namespace

std::unique_ptr<Accumulator> make_bitwise_accumulator(const plan::AggregateCall& call,
                                                      const execution::OperatorContext& ctx) {
  if (!call.argument_types.front().is_integral()) return nullptr;
  return visit_physical(call.result_type.physical(), [&](auto value) -> std::unique_ptr<Accumulator> {
    using T = decltype(value);
    if constexpr (std::is_integral_v<T> && sizeof(T) <= sizeof(int64_t)) {
      return std::make_unique<BitwiseAccumulator<T>>(call, ctx);
    }
    return nullptr;
  });
}

}  // namespace accelerant::operators
