#pragma once

#include "columns/column.h"
#include "execution/context.h"
#include "operators/aggregate.h"
#include "operators/stage_results.h"
#include "plan/aggregate.h"
#include "spill/spill_target.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace accelerant::operators {

/// The rows of one projection of an expansion, whose groups no row of another one is in.
struct GroupingSet {
  /// Groups these rows by the keys that are no constants in them; emits [those keys..., calls...].
  std::shared_ptr<const plan::Aggregate> node;
  int64_t number;  ///< that the telling column has in these rows
  /// By key of the whole aggregate: the constant that it is, flat, of length 1; nullptr: the next key of `node`.
  std::vector<columns::ColumnPtr> constants;
  /// An earlier set whose keys are these and others, all of the same columns: rows that it has in one group are in one
  /// here.
  std::optional<size_t> finer = std::nullopt;
};

/// An aggregate over an expansion taken apart.
struct GroupingSets {
  int telling_column;  ///< of the input, an integer that says which set a row is of
  std::vector<GroupingSet> sets;
  int64_t least_bytes = 0;  ///< a query that may use less had better group all rows at once
};

struct GroupingSetsState;

/// Aggregates what an expansion gives, batches of one projection each: the groups of each projection in tables of their
/// own, without the keys that are constants there. Tables are smaller, and those of few groups are not spread among the
/// groups of others. Emits what one aggregate of all rows does, and where that gives groups in Spark's order, in it.
class GroupingSetsSink final : public Breaker {
 public:
  /// @param node groups all rows
  /// @param target where groups go that memory is too short for
  GroupingSetsSink(std::shared_ptr<const plan::Aggregate> node, std::shared_ptr<const GroupingSets> parts,
                   const execution::OperatorContext& ctx, const std::shared_ptr<spill::SpillTarget>& target);

  std::string_view name() const override { return "GroupingSets"; }
  std::unique_ptr<State> make_state() override;
  Step consume(State& state, columns::Batch& in) override;
  Step combine(State& state) override;
  Step finish() override;
  int64_t num_finish_tasks() const override;
  Step run_finish_task(int64_t task) override;
  void hand_on(const plan::Node& node, StageResults& results) override;

 private:
  /// Returns the set that the rows of a batch are of.
  size_t set_of(const columns::Batch& batch) const;
  /// Says whether the groups are few, all in memory, so that they come in an order.
  bool are_few() const;
  /// Returns a table of the groups of whose keys an encoder has one each.
  GroupTable table_of(const KeyEncoder& encoder, int64_t num_groups) const;
  /// Gives the groups of all sets, with all of their keys, to one result.
  void join_groups();

  const std::shared_ptr<const plan::Aggregate> node_;
  const execution::OperatorContext ctx_;
  const std::shared_ptr<const GroupingSets> parts_;
  std::vector<std::unique_ptr<AggregateSink>> sinks_;  ///< of each set
  size_t num_finished_ = 0;                            ///< sinks
  int64_t promised_bytes_ = 0;                         ///< to those that have their groups in memory, for merging them
  std::shared_ptr<GroupedStates> joined_;              ///< nullptr: groups of each set come by themselves
  size_t num_joined_ = 0;                              ///< sets in `joined_`
};

}  // namespace accelerant::operators
