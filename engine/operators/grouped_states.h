#pragma once

#include "aggregates/accumulator.h"
#include "execution/context.h"
#include "operators/group_keys.h"
#include "operators/group_order.h"
#include "operators/group_table.h"

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <span>
#include <unordered_set>
#include <vector>

namespace accelerant::operators {

/// Groups and their states for every call of an aggregate. One worker at a time.
struct GroupSet {
  GroupSet(const plan::Aggregate& node, int64_t key_bytes, const execution::OperatorContext& ctx);

  /// Makes room for the table's groups in every accumulator.
  void resize();

  GroupTable table;
  GroupPlaces places;
  int64_t num_rows = 0;  ///< that were added
  std::vector<std::unique_ptr<aggregates::Accumulator>> accumulators;
};

/// All groups of an aggregate. Workers bring sets of groups, in which a key may stand more than once; the sets are
/// merged a partition at a time, when it is first read, into tables that fit a core's cache. Which partition a group is
/// in depends on its key alone. Few groups that one source reads are all in the first one, in Spark's order.
class GroupedStates {
 public:
  static constexpr int kPartitions = 16;
  /// A worker's table that has more groups than this no longer fits its share of the caches.
  static constexpr int64_t kMaxOwnGroups = 64 * 1024;
  /// Groups that hold values of their rows are put in order only where no more rows came than this: in order, one
  /// worker merges all of them, and what was brought is held until it has.
  static constexpr int64_t kMostHeldRows = 1 << 20;

  GroupedStates(std::shared_ptr<const plan::Aggregate> node, const execution::OperatorContext& ctx);
  ~GroupedStates();

  /// Takes a copy of what a worker grouped, or nothing where it throws. Any thread.
  void add(const GroupSet& set);
  /// Says whether a worker whose table is large had better bring it and start anew: not where the same keys come again
  /// and again. Any thread.
  bool wants_small_sets() const { return wants_small_sets_.load(std::memory_order_relaxed); }
  /// Called once, when all is added.
  void finish();

  /// Called after `finish`, for every source: says whether it reads all groups. The first one's answer counts. Parts of
  /// several runs make up one result, and how many groups there are may differ from run to run, by what key filters let
  /// through: so their groups are not put in order.
  void prepare(bool reads_all);
  /// Says whether they come in Spark's order. After `prepare`.
  bool is_in_order() const { return order_ != nullptr; }
  /// Returns the groups of a partition. Any thread, after `prepare`.
  std::span<const GroupSet> partition(int index);
  /// Returns results of groups [first, first + length), first counted from 0, of a set: [keys..., calls...].
  columns::Batch read(const GroupSet& set, int64_t first, int64_t length) const;

 private:
  /// Groups of one partition that a worker brought, in the order of their slices.
  struct Part;
  struct Partition {
    Partition();
    ~Partition();

    std::mutex mutex;
    std::vector<Part> parts;  ///< until they are merged
    bool is_merged = false;
    std::vector<GroupSet> sets;
  };

  Part arranged(const GroupSet& set, std::span<const int32_t> groups) const;
  void merge(int index, Partition& partition) const;
  /// Merges all groups into one set, in their order.
  GroupSet merge_in_order() const;
  /// Makes a set ready to be read.
  static void seal(GroupSet& set);
  /// Finds the order of the groups, where they are few.
  void find_order();
  /// Lets go what workers brought, when all of it is merged.
  void drop_parts();
  /// Merges a range of slices into one set.
  void merge_slices(const std::vector<Part>& parts, int first_slice, int last_slice, GroupSet& into) const;
  void note_samples(const GroupTable& table);

  const std::shared_ptr<const plan::Aggregate> node_;
  const execution::OperatorContext ctx_;
  const KeyEncoder encoder_;
  std::array<Partition, kPartitions> partitions_;
  int sets_per_partition_ = 1;
  std::once_flag is_prepared_;
  std::unique_ptr<const GroupOrder> order_;  ///< nullptr: none

  std::mutex mutex_;                      ///< of the next ones until `finish`
  int64_t num_groups_ = 0;                ///< of all parts
  int64_t largest_set_ = 0;               ///< in groups
  int64_t num_rows_ = 0;                  ///< that workers added
  std::unordered_set<uint64_t> sampled_;  ///< a share of the hashes that came
  std::atomic<bool> wants_small_sets_{true};
};

}  // namespace accelerant::operators
