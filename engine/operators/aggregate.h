#pragma once

#include "execution/context.h"
#include "operators/device_aggregation.h"
#include "operators/grouped_states.h"
#include "operators/stage_results.h"

#include <atomic>
#include <memory>

namespace accelerant::operators {

/// Aggregates batches, every worker into sets of groups of its own.
class AggregateSink final : public Breaker {
 public:
  /// @param device whose groups join in at the end; nullptr: none
  AggregateSink(std::shared_ptr<const plan::Aggregate> node, const execution::OperatorContext& ctx,
                std::shared_ptr<DeviceAggregation> device = nullptr);

  std::string_view name() const override { return "Aggregate"; }
  std::unique_ptr<State> make_state() override;
  Step consume(State& state, columns::Batch& in) override;
  void combine(State& state) override;
  void finish() override;
  void hand_on(const plan::Node& node, StageResults& results) override;

 private:
  void add(const codegen::GroupPart& part);

  const std::shared_ptr<const plan::Aggregate> node_;
  const execution::OperatorContext ctx_;
  const std::shared_ptr<GroupedStates> result_;
  const std::shared_ptr<DeviceAggregation> device_;
};

/// Emits the groups of partitions [first, last) of an aggregate, a morsel a partition: the columns [keys...,
/// calls...].
class AggregateSource final : public Source {
 public:
  AggregateSource(std::shared_ptr<GroupedStates> groups, int first, int last, const execution::OperatorContext& ctx)
      : groups_(std::move(groups)), first_(first), last_(last), ctx_(ctx) {}

  std::string_view name() const override { return "Aggregate"; }
  std::unique_ptr<State> make_state() override;
  Step next(State& state, columns::Batch& out) override;
  int64_t num_morsels() const override { return last_ - first_; }

 private:
  const std::shared_ptr<GroupedStates> groups_;
  const int first_;
  const int last_;
  const execution::OperatorContext ctx_;
  std::atomic<int> taken_{0};
};

}  // namespace accelerant::operators
