#include "operators/accumulator.h"

#include "base/error.h"
#include "functions/aggregate/exact_sum.h"
#include "functions/aggregate/extreme.h"
#include "operators/binned_sum_accumulator.h"
#include "operators/exact_sum_accumulator.h"
#include "operators/string_extreme_accumulator.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace accelerant::operators {

using columns::Column;
using columns::ColumnPtr;
using plan::AggregateKind;
using types::PhysicalType;

namespace {

/// Calls `add(group, row)` for each row whose argument is not null; without an argument, for each row.
template <class Add>
void for_each_value(const GroupedRows& rows, const Column* argument, Add add) {
  const bool has_nulls = argument && argument->may_have_nulls();
  for (int64_t row = 0; row < rows.num_rows; ++row) {
    if (has_nulls && argument->is_null(row)) continue;
    add(rows.groups ? rows.groups[row] : 1, row);
  }
}

/// COUNT: the number of values that are not null.
class CountAccumulator final : public Accumulator {
 public:
  explicit CountAccumulator(const plan::AggregateCall& call, const execution::OperatorContext& ctx)
      : type_(call.result_type), budget_(ctx.budget) {}

  void resize(int64_t num_groups) override { counts_.resize(static_cast<size_t>(num_groups)); }

  void update(const GroupedRows& rows, const Column* argument) override {
    if (!rows.groups && (!argument || !argument->may_have_nulls())) {
      counts_[1] += rows.num_rows;
      return;
    }
    int64_t* counts = counts_.data();
    for_each_value(rows, argument, [counts](int32_t group, int64_t) { ++counts[group]; });
  }

  void merge(const Accumulator& other, std::span<const int32_t> from, std::span<const int32_t> into) override {
    const auto& counts = static_cast<const CountAccumulator&>(other).counts_;
    for (size_t i = 0; i < from.size(); ++i)
      counts_[static_cast<size_t>(into[i])] += counts[static_cast<size_t>(from[i])];
  }

  ColumnPtr finish(int64_t first, int64_t length, std::vector<columns::RowError>&) const override {
    columns::FlatBuilder builder(type_, PhysicalType::Int64, length, budget_);
    std::copy_n(counts_.begin() + first, length, builder.values<int64_t>());
    return builder.finish();
  }

  int64_t memory_bytes() const override { return static_cast<int64_t>(counts_.capacity() * sizeof(int64_t)); }

 private:
  const types::DataType type_;
  const std::shared_ptr<memory::Budget> budget_;
  std::vector<int64_t> counts_;
};

/// MIN and MAX over fixed-width values. A decimal's width may change from batch to batch: T is the type's own.
template <class T>
class ExtremeAccumulator final : public Accumulator {
 public:
  ExtremeAccumulator(const plan::AggregateCall& call, const execution::OperatorContext& ctx)
      : type_(call.result_type), greatest_(call.kind == AggregateKind::Max), budget_(ctx.budget) {}

  void resize(int64_t num_groups) override { states_.resize(static_cast<size_t>(num_groups), State::init()); }

  void update(const GroupedRows& rows, const Column* argument) override {
    if constexpr (std::is_same_v<T, int128>) {
      if (argument->physical() == PhysicalType::Int64) return update_from<int64_t>(rows, *argument);
    }
    update_from<T>(rows, *argument);
  }

  void merge(const Accumulator& other, std::span<const int32_t> from, std::span<const int32_t> into) override {
    const auto& states = static_cast<const ExtremeAccumulator&>(other).states_;
    for (size_t i = 0; i < from.size(); ++i) {
      states_[static_cast<size_t>(into[i])].merge(states[static_cast<size_t>(from[i])], greatest_);
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

  template <class Value>
  void update_from(const GroupedRows& rows, const Column& argument) {
    const Value* values = argument.values<Value>();
    State* states = states_.data();
    for_each_value(rows, &argument, [=, this](int32_t group, int64_t row) {
      states[group].update(static_cast<T>(values[row]), greatest_);
    });
  }

  const types::DataType type_;
  const bool greatest_;
  const std::shared_ptr<memory::Budget> budget_;
  std::vector<State> states_;
};

std::unique_ptr<Accumulator> make_extreme(const plan::AggregateCall& call, const execution::OperatorContext& ctx) {
  switch (call.argument_type.physical()) {
    case PhysicalType::Bool:
    case PhysicalType::Int8:
      return std::make_unique<ExtremeAccumulator<int8_t>>(call, ctx);
    case PhysicalType::Int16:
      return std::make_unique<ExtremeAccumulator<int16_t>>(call, ctx);
    case PhysicalType::Int32:
      return std::make_unique<ExtremeAccumulator<int32_t>>(call, ctx);
    case PhysicalType::Int64:
      return std::make_unique<ExtremeAccumulator<int64_t>>(call, ctx);
    case PhysicalType::Int128:
      return std::make_unique<ExtremeAccumulator<int128>>(call, ctx);
    case PhysicalType::Float32:
      return std::make_unique<ExtremeAccumulator<float>>(call, ctx);
    case PhysicalType::Float64:
      return std::make_unique<ExtremeAccumulator<double>>(call, ctx);
    case PhysicalType::String:
      return std::make_unique<StringExtremeAccumulator>(call, ctx);
    default:
      return nullptr;
  }
}

}  // namespace

std::unique_ptr<Accumulator> make_accumulator(const plan::AggregateCall& call, const execution::OperatorContext& ctx) {
  std::unique_ptr<Accumulator> accumulator;
  switch (call.kind) {
    case AggregateKind::Count:
      return std::make_unique<CountAccumulator>(call, ctx);
    case AggregateKind::Min:
    case AggregateKind::Max:
      accumulator = make_extreme(call, ctx);
      break;
    case AggregateKind::Sum:
    case AggregateKind::Average:
      if (ExactSumAccumulator::supports(call)) accumulator = std::make_unique<ExactSumAccumulator>(call, ctx);
      if (BinnedSumAccumulator::supports(call)) accumulator = std::make_unique<BinnedSumAccumulator>(call, ctx);
      break;
  }
  if (!accumulator) {
    throw Error(ErrorKind::Unsupported,
                std::string("aggregate ") + plan::to_string(call.kind) + " of " + call.argument_type.to_string())
        .at_expression(call.expression);
  }
  return accumulator;
}

}  // namespace accelerant::operators
