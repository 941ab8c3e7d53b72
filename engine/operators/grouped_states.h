#pragma once

#include "execution/context.h"
#include "memory/prepaid_memory.h"
#include "operators/group_set.h"

#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <unordered_set>
#include <utility>
#include <vector>

namespace accelerant::operators {

/// What a worker grouped, arranged by slices.
struct ArrangedGroups {
  /// The groups of one partition or, where all are few, of all of them, in the order of their slices.
  struct Part {
    explicit Part(GroupSet groups) : set(std::move(groups)) {}

    GroupSet set;
    std::array<int32_t, GroupSlices::kCount + 1> slice_starts{};  ///< counted from 0
    std::vector<GroupPlace> places;                               ///< of the groups, as long as these are few
    std::vector<int32_t> numbers;                                 ///< of the groups in the order, if there is one

    int32_t num_groups_in(int first_slice, int last_slice) const {
      return slice_starts[static_cast<size_t>(last_slice)] - slice_starts[static_cast<size_t>(first_slice)];
    }
  };
  std::vector<std::unique_ptr<Part>> parts;

  void add_sets(std::vector<const GroupSet*>& sets) const {
    for (const auto& part : parts) sets.push_back(&part->set);
  }
};

/// All groups of an aggregate. Workers bring sets of groups, in which a key may stand more than once; the sets are
/// merged a partition at a time, when it is first read, into tables that fit a core's cache. Which partition a group is
/// in depends on its key alone. Few groups that one source reads are all in the first one, in Spark's order.
class GroupedStates {
 public:
  static constexpr int kPartitions = GroupSlices::kPartitions;
  /// A worker's table that has more groups than this no longer fits its share of the caches.
  static constexpr int64_t kMaxOwnGroups = 64 * 1024;
  /// Groups that hold values of their rows are put in order only where no more rows came than this: in order, one
  /// worker merges all of them, and what was brought is held until it has.
  static constexpr int64_t kMostHeldRows = 1 << 20;

  GroupedStates(std::shared_ptr<const plan::Aggregate> node, const execution::OperatorContext& ctx);

  /// Returns a copy of what a worker grouped, which is counted. Any thread.
  /// @param ctx whose memory it takes
  ArrangedGroups arrange(const GroupSet& set, const execution::OperatorContext& ctx);
  /// Takes what was arranged.
  /// @param memory that it lies in, given back as it is merged
  void bring(std::vector<ArrangedGroups> arranged, std::shared_ptr<memory::PrepaidMemory> memory);
  /// Says whether a worker whose table is large had better bring it and start anew: not where the same keys come again
  /// and again. Any thread.
  bool wants_small_sets() const { return wants_small_sets_.load(std::memory_order_relaxed); }
  /// Takes what was brought to others, few groups of as many rows, which these have no more then. A step.
  /// @param all_keys returns a table of the groups of theirs with the keys that they have here
  void take_over(GroupedStates& others, const std::function<GroupTable(const GroupTable& table)>& all_keys);
  /// Returns how many groups the largest set has that was arranged.
  int64_t largest_set() const { return largest_set_; }
  /// Called once, when all is brought.
  void finish();

  /// Called after `finish`, for every source: says whether it reads all groups. The first one's answer counts. Parts of
  /// several runs make up one result, and how many groups there are may differ from run to run, by what key filters let
  /// through: so their groups are not put in order.
  void prepare(bool reads_all);
  /// Says whether they come in Spark's order. After `prepare`.
  bool is_in_order() const { return order_ != nullptr; }
  /// Says whether all of them are so few that one worker had best read them. After `finish`.
  bool are_few() const;
  /// Returns the groups of a partition; none if it has none. Any thread, after `prepare`.
  std::span<const GroupSet> partition(int index);
  /// Returns a batch without rows, of the columns that `read_groups` returns.
  columns::Batch no_groups() const;
  const KeyEncoder& encoder() const { return encoder_; }

 private:
  using Part = ArrangedGroups::Part;
  struct Partition {
    std::mutex mutex;
    std::vector<std::shared_ptr<const Part>> parts;  ///< with groups of it, until they are merged
    bool is_merged = false;
    std::vector<GroupSet> sets;
  };

  /// Returns a copy of some of a set's groups, which are of partitions [first, last).
  std::unique_ptr<Part> make_part(const GroupSet& set, const SlicedGroups& sliced, int first, int last,
                                  const execution::OperatorContext& ctx) const;
  /// Gives each partition the parts that have groups of it.
  void deal_parts();
  void merge(int index, Partition& partition) const;
  /// Merges all groups into one set, in their order.
  GroupSet merge_in_order() const;
  void seal(GroupSet& set) const;
  /// Finds the order of the groups, where they are few.
  void find_order();
  /// Gives back memory of parts that are gone.
  void shrink_memory() const;
  /// Merges a partition's groups of some slices into one set.
  void merge_slices(const Partition& from, int first_slice, int count, GroupSet& into) const;
  void note_samples(const GroupTable& table);

  const std::shared_ptr<const plan::Aggregate> node_;
  const execution::OperatorContext ctx_;
  const KeyEncoder encoder_;
  std::vector<std::shared_ptr<Part>> parts_;  ///< until `prepare` or, where they are put in order, until merged
  std::array<Partition, kPartitions> partitions_;
  int sets_per_partition_ = 1;
  std::mutex prepare_mutex_;
  std::atomic<bool> is_prepared_{false};
  std::unique_ptr<const GroupOrder> order_;                     ///< nullptr: none
  std::vector<std::shared_ptr<memory::PrepaidMemory>> memory_;  ///< of parts

  std::mutex mutex_;                      ///< of the next ones until `finish`
  int64_t num_groups_ = 0;                ///< of all parts
  int64_t largest_set_ = 0;               ///< in groups
  int64_t num_rows_ = 0;                  ///< that workers added
  bool has_order_ = true;                 ///< of all of them the place is known
  std::unordered_set<uint64_t> sampled_;  ///< a share of the hashes that came
  std::atomic<bool> wants_small_sets_{true};
};

}  // namespace accelerant::operators
