#pragma once

#include "execution/context.h"
#include "operators/accumulator.h"
#include "operators/group_keys.h"
#include "operators/group_table.h"
#include "operators/operator.h"

#include <array>
#include <memory>
#include <mutex>
#include <vector>

namespace accelerant::operators {

/// Groups and their states, in partitions by the keys' hash: which partition a group is in depends on its key alone.
class GroupedStates {
 public:
  static constexpr int kPartitions = 16;

  GroupedStates(std::shared_ptr<const plan::Aggregate> node, const execution::OperatorContext& ctx);
  ~GroupedStates();

  /// Returns results of partition `index`'s groups [first, first + length), first counted from 0: [keys..., calls...].
  columns::Batch read(int index, int64_t first, int64_t length) const;
  int64_t num_groups(int index) const;

 private:
  friend class AggregateSink;

  /// A worker's groups that belong into a partition.
  struct Share;

  struct Partition {
    std::mutex mutex;            ///< of the next two
    std::vector<Share> waiting;  ///< to be merged by the worker that is merging
    bool is_merging = false;
    std::unique_ptr<GroupTable> table;
    std::vector<std::unique_ptr<Accumulator>> accumulators;
    memory::Reservation states;
  };

  /// Merges a share into a partition, and those that others bring meanwhile; or leaves it to the worker that is
  /// merging: no worker waits.
  void merge(int index, Share share);
  void merge_alone(Partition& partition, const Share& share);

  const std::shared_ptr<const plan::Aggregate> node_;
  const execution::OperatorContext ctx_;
  KeyEncoder encoder_;
  std::array<Partition, kPartitions> partitions_;
};

/// Aggregates batches: every worker into a table of its own, which is merged into the shared partitions at its end, a
/// partition by one worker at a time.
class AggregateSink final : public Breaker {
 public:
  AggregateSink(std::shared_ptr<const plan::Aggregate> node, const execution::OperatorContext& ctx);

  std::string_view name() const override { return "Aggregate"; }
  std::unique_ptr<State> make_state() override;
  Step consume(State& state, columns::Batch& in) override;
  void combine(State& state) override;
  void finish() override;
  std::unique_ptr<Source> make_source(int index, int count) const override;

 private:
  const std::shared_ptr<const plan::Aggregate> node_;
  const execution::OperatorContext ctx_;
  const std::shared_ptr<GroupedStates> result_;
};

/// Gives out the groups of partitions [first, last) of an aggregate, a morsel a partition: the columns [keys...,
/// calls...].
class AggregateSource final : public Source {
 public:
  AggregateSource(std::shared_ptr<const GroupedStates> groups, int first, int last,
                  const execution::OperatorContext& ctx)
      : groups_(std::move(groups)), first_(first), last_(last), ctx_(ctx) {}

  std::string_view name() const override { return "Aggregate"; }
  std::unique_ptr<State> make_state() override;
  Step next(State& state, columns::Batch& out) override;
  int64_t num_morsels() const override { return last_ - first_; }

 private:
  const std::shared_ptr<const GroupedStates> groups_;
  const int first_;
  const int last_;
  const execution::OperatorContext ctx_;
  std::atomic<int> taken_{0};
};

}  // namespace accelerant::operators
