#pragma once

#include "execution/context.h"
#include "expressions/evaluator.h"
#include "operators/aggregate_spill.h"
#include "operators/device_aggregation.h"
#include "operators/grouped_states.h"
#include "operators/stage_results.h"

#include <atomic>
#include <memory>
#include <utility>
#include <vector>

namespace accelerant::operators {

struct AggregateState;

/// Aggregates batches, every worker into sets of groups of its own, which go to disk where memory is short.
class AggregateSink final : public Breaker {
 public:
  /// @param target where groups go that memory is too short for
  /// @param device whose groups join in at the end; nullptr: none
  AggregateSink(std::shared_ptr<const plan::Aggregate> node, const execution::OperatorContext& ctx,
                std::shared_ptr<spill::SpillTarget> target, std::shared_ptr<DeviceAggregation> device = nullptr);

  std::string_view name() const override { return "Aggregate"; }
  std::unique_ptr<State> make_state() override { return make_state(nullptr); }
  Step consume(State& state, columns::Batch& in) override;
  Step combine(State& state) override;
  Step finish() override { return finish(0); }
  int64_t num_finish_tasks() const override { return spill_->num_finish_tasks(); }
  Step run_finish_task(int64_t task) override;
  void hand_on(const plan::Node& node, StageResults& results) override;

  // The next ones are for who has several of these.

  /// @param finer the state, in another sink, of who groups the same batches by these keys and others, before; nullptr:
  /// there is none. It outlives this one
  std::unique_ptr<State> make_state(const State* finer);
  /// @param promised_bytes of the memory that is left, to others: what has no room beside these goes to disk
  Step finish(int64_t promised_bytes);
  /// After `finish`: returns what merging takes of groups that stay in memory.
  int64_t bytes_to_merge() const { return spill_->bytes_to_merge(); }
  bool has_spilled() const { return spill_->has_spilled(); }
  /// Likewise: the groups, if they are in memory.
  const std::shared_ptr<GroupedStates>& groups() const { return result_; }
  /// Likewise: the groups as other stages read them.
  /// @param in_order whether few of them come in Spark's order
  std::shared_ptr<const StageRows> rows(bool in_order) const;

 private:
  /// Evaluates keys and arguments.
  columns::Batch evaluate(expressions::Evaluator& evaluator, const columns::Batch& in) const;
  /// Finds the groups of the batch at hand in a set, and makes room for their states.
  void find_groups(AggregateState& worker, GroupSet& groups, int64_t set) const;
  /// Adds the batch at hand to the states of the next call.
  void update(AggregateState& worker) const;
  void add(const codegen::GroupPart& part);

  const std::shared_ptr<const plan::Aggregate> node_;
  const execution::OperatorContext ctx_;
  const std::shared_ptr<GroupedStates> result_;
  const std::shared_ptr<AggregateSpill> spill_;
  const std::shared_ptr<DeviceAggregation> device_;
  const int64_t num_projections_;
  std::vector<codegen::GroupPart> device_parts_;  ///< that are still to be added, once the device has given them
  bool has_device_parts_ = false;
};

/// Returns groups as other stages read them.
/// @param in_order whether few of them come in Spark's order
std::shared_ptr<const StageRows> group_rows(std::shared_ptr<GroupedStates> groups, bool in_order,
                                            const execution::OperatorContext& ctx);

/// Emits the groups of partitions [first, last) of an aggregate, a morsel a partition, or one for all where they are
/// few: the columns [keys..., calls...].
class AggregateSource final : public Source {
 public:
  /// @param reads_all whether these are the only source over the groups
  AggregateSource(std::shared_ptr<GroupedStates> groups, int first, int last, bool reads_all,
                  const execution::OperatorContext& ctx)
      : groups_(std::move(groups)),
        first_(first),
        last_(last),
        width_(reads_all && groups_->are_few() ? last - first : 1),
        reads_all_(reads_all),
        ctx_(ctx) {}

  std::string_view name() const override { return "Aggregate"; }
  std::unique_ptr<State> make_state() override;
  Step next(State& state, columns::Batch& out) override;
  int64_t num_morsels() const override { return (last_ - first_) / width_; }

 private:
  /// Returns groups of the first set from `first` on, counted from 0; no rows where there is no set.
  columns::Batch read(std::span<const GroupSet> sets, int64_t first) const;

  const std::shared_ptr<GroupedStates> groups_;
  const int first_;
  const int last_;
  const int width_;  ///< of a morsel, in partitions
  const bool reads_all_;
  const execution::OperatorContext ctx_;
  std::atomic<int> taken_{0};
};

}  // namespace accelerant::operators
