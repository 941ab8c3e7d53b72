#pragma once

#include "columns/batch.h"
#include "execution/context.h"
#include "operators/group_keys.h"
#include "operators/group_table.h"
#include "plan/aggregate.h"

#include <compare>
#include <cstdint>
#include <span>
#include <vector>

namespace accelerant::operators {

/// Where a group was first met: a worker numbers groups in the order in which it meets them.
struct GroupPlace {
  int64_t partition;  ///< Spark's, by the number of its first morsel
  int64_t batch;      ///< ascends in the order of the query's batches; those of an expansion's one batch are the same
  int64_t row;        ///< of an expansion: of the batch, counted through all projections of each row; else 0
  int32_t number;     ///< of the group, in the worker's table

  friend auto operator<=>(const GroupPlace&, const GroupPlace&) = default;
};

/// Where the groups of one worker's table were first met.
class GroupPlaces {
 public:
  /// Notes that the groups that the table has beyond those noted before came of a batch.
  /// @param num_groups one more than the largest group
  /// @param rows the group of each of the batch's rows
  /// @param num_projections of an expansion that gives a batch for each; 1: there is none
  void note(int64_t num_groups, const columns::Batch& batch, std::span<const int32_t> rows, int64_t num_projections);
  /// Returns the place of a group; those of which nothing was noted come first.
  GroupPlace of(int32_t group) const;

 private:
  /// Notes the first rows of groups that are new with this batch or another one of the same rows.
  void note_rows(std::span<const int32_t> rows, int64_t num_projections, int64_t projection);

  std::vector<GroupPlace> starts_;  ///< the first group of each batch that had new ones
  int64_t num_noted_ = 1;
  // For an expansion only:
  int64_t batch_ = -1;               ///< the place of the rows at hand
  int64_t first_new_ = 1;            ///< the first group that came of them
  std::vector<int64_t> first_rows_;  ///< by group, as long as they are few
};

/// Numbers a batch so that numbers ascend in the order of the query's batches.
inline int64_t place_of(int64_t morsel, int64_t sequence) { return (morsel << 32) + sequence; }
inline int64_t place_of(const columns::Batch& batch) { return place_of(batch.morsel, batch.sequence); }

/// Returns the partition of Spark's that a batch is of, by the number of its first morsel; -1: it is not known.
inline int64_t partition_of(const columns::Batch& batch) {
  return batch.has_order() ? batch.morsel - batch.morsels_before : -1;
}

/// The order in which Spark usually emits the groups of an aggregate, where they are few. Each task writes its
/// groups by the partition into which their keys' hash puts them, and within one as it met them. Adaptive execution
/// lets one task read all that is little, task by task; without, a task reads one partition. Spark's generated code
/// keeps keys with a null apart and emits them last: where it writes groups, and of an aggregate without functions
/// where it reads them. Where Spark sorts, the keys decide what a task emits.
class GroupOrder {
 public:
  /// The most groups whose order anybody looks at.
  static constexpr int64_t kMostGroups = 4096;

  GroupOrder(const plan::Aggregate& node, const execution::OperatorContext& ctx);

  /// Adds the groups of a table that `append` made, whose places are one a group, and returns the number of each here.
  std::vector<int32_t> add(const GroupTable& groups, std::span<const GroupPlace> places);
  /// Called once, when all groups were added: finds their order. Returns false, and does nothing, for too many groups.
  bool arrange();

  /// The numbers of all groups, in order.
  std::span<const int32_t> numbers() const { return ordered_; }
  /// How many groups come before one.
  int32_t rank_of(int32_t number) const { return ranks_[static_cast<size_t>(number)]; }
  /// The keys of all groups by their numbers.
  const GroupTable& table() const { return table_; }

 private:
  /// Returns the partition into which Spark puts each group, that of number n at n - 1.
  std::vector<int32_t> partitions(const std::vector<columns::ColumnPtr>& keys) const;
  /// Orders the numbers.
  void sort();

  const plan::Aggregate& node_;
  const execution::OperatorContext& ctx_;
  const bool is_spread_;
  const KeyEncoder encoder_;
  GroupTable table_;
  std::vector<GroupPlace> places_;  ///< by number, as are the next ones
  std::vector<int32_t> ranks_;
  std::vector<int32_t> ordered_;  ///< numbers
};

}  // namespace accelerant::operators
