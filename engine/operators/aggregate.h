#pragma once

#include "execution/context.h"
#include "expressions/evaluator.h"
#include "operators/device_aggregation.h"
#include "operators/grouped_states.h"
#include "operators/stage_results.h"

#include <atomic>
#include <memory>
#include <utility>
#include <vector>

namespace accelerant::operators {

struct AggregateState;

/// Aggregates batches, every worker into sets of groups of its own.
class AggregateSink final : public Breaker {
 public:
  /// @param device whose groups join in at the end; nullptr: none
  AggregateSink(std::shared_ptr<const plan::Aggregate> node, const execution::OperatorContext& ctx,
                std::shared_ptr<DeviceAggregation> device = nullptr);

  std::string_view name() const override { return "Aggregate"; }
  std::unique_ptr<State> make_state() override;
  Step consume(State& state, columns::Batch& in) override;
  Step combine(State& state) override;
  Step finish() override;
  void hand_on(const plan::Node& node, StageResults& results) override;

 private:
  /// Evaluates keys and arguments.
  columns::Batch evaluate(expressions::Evaluator& evaluator, const columns::Batch& in) const;
  /// Finds the groups of the batch at hand, and makes room for their states.
  void find_groups(AggregateState& worker) const;
  /// Adds the batch at hand to the states of the next call.
  void update(AggregateState& worker) const;
  void add(const codegen::GroupPart& part);

  const std::shared_ptr<const plan::Aggregate> node_;
  const execution::OperatorContext ctx_;
  const std::shared_ptr<GroupedStates> result_;
  const std::shared_ptr<DeviceAggregation> device_;
  std::vector<codegen::GroupPart> device_parts_;  ///< that are still to be added, once the device has given them
  bool has_device_parts_ = false;
};

/// Emits the groups of partitions [first, last) of an aggregate, a morsel a partition: the columns [keys...,
/// calls...].
class AggregateSource final : public Source {
 public:
  /// @param reads_all whether these are the only source over the groups
  AggregateSource(std::shared_ptr<GroupedStates> groups, int first, int last, bool reads_all,
                  const execution::OperatorContext& ctx)
      : groups_(std::move(groups)), first_(first), last_(last), reads_all_(reads_all), ctx_(ctx) {}

  std::string_view name() const override { return "Aggregate"; }
  std::unique_ptr<State> make_state() override;
  Step next(State& state, columns::Batch& out) override;
  int64_t num_morsels() const override { return last_ - first_; }

 private:
  const std::shared_ptr<GroupedStates> groups_;
  const int first_;
  const int last_;
  const bool reads_all_;
  const execution::OperatorContext ctx_;
  std::atomic<int> taken_{0};
};

}  // namespace accelerant::operators
