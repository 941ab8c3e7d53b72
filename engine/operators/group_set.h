#pragma once

#include "aggregates/accumulator.h"
#include "columns/batch.h"
#include "execution/context.h"
#include "operators/group_keys.h"
#include "operators/group_order.h"
#include "operators/group_table.h"
#include "plan/aggregate.h"

#include <array>
#include <cstdint>
#include <memory>
#include <numeric>
#include <span>
#include <vector>

namespace accelerant::operators {

/// Groups and their states for every call of an aggregate. One worker at a time.
class GroupSet {
 public:
  GroupSet(const plan::Aggregate& node, int64_t key_bytes, const execution::OperatorContext& ctx);

  /// Makes room for the table's groups in every accumulator.
  void resize();
  /// Returns groups of it in this order, to be merged into others or, once sealed, read: what is found in them is not
  /// added to. Keys that differ in length are shared.
  /// @param ctx of what is made
  /// @param keeps_order whether the order of rows may still show
  GroupSet chosen(std::span<const int32_t> groups, const plan::Aggregate& node, const execution::OperatorContext& ctx,
                  bool keeps_order) const;
  /// Has sums be exact instead of Spark's: there are too many rows.
  void forget_order();
  /// Makes it ready to be read: once, after the last update and merge.
  void seal();
  /// How many groups there are that all accumulators have room for: others are those of a batch that is added again.
  int32_t num_groups() const { return num_groups_; }

  int64_t key_bytes;
  GroupTable table;
  GroupPlaces places;
  int64_t num_rows = 0;   ///< that were added
  bool has_order = true;  ///< of all of them the place is known
  std::vector<std::unique_ptr<aggregates::Accumulator>> accumulators;

 private:
  /// Without accumulators.
  GroupSet(int64_t key_bytes, const execution::OperatorContext& ctx);

  int32_t num_groups_ = 0;
};

/// Says whether states hold values of rows, and not only what is made of them.
bool holds_rows(const plan::Aggregate& node);

/// Returns what a set of few groups takes, with the columns that are made of it.
int64_t least_bytes_of(const plan::Aggregate& node);

/// Groups are arranged by the highest bits of their hashes: in slices, the least that is merged by itself, of which
/// neighbours make up a partition, which one worker reads.
struct GroupSlices {
  static constexpr int kBits = 8;
  static constexpr int kCount = 1 << kBits;
  static constexpr int kPartitions = 16;
  static constexpr int kOfPartition = kCount / kPartitions;

  static int slice_of(uint64_t hash) { return static_cast<int>(hash >> (64 - kBits)); }
};

/// Neighbouring numbers, of groups or rows, slice by slice of their hashes.
class SlicedNumbers {
 public:
  /// @param hash_at returns the hash of one
  template <class HashAt>
  SlicedNumbers(int32_t first, int64_t count, const HashAt& hash_at, const std::shared_ptr<memory::Budget>& budget)
      : numbers_(budget) {
    const auto slice_of = [&](int32_t number) { return static_cast<size_t>(GroupSlices::slice_of(hash_at(number))); };
    const auto end = static_cast<int32_t>(first + count);
    for (int32_t number = first; number < end; ++number) ++starts_[slice_of(number) + 1];
    std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
    numbers_.reserve(count);
    numbers_.resize(count);
    auto next = starts_;
    for (int32_t number = first; number < end; ++number) numbers_[next[slice_of(number)]++] = number;
  }

  /// Returns those of slices [first, last).
  std::span<const int32_t> of(int first, int last) const {
    return numbers_.span().subspan(static_cast<size_t>(starts_[static_cast<size_t>(first)]),
                                   static_cast<size_t>(count(first, last)));
  }
  int32_t count(int first, int last) const {
    return starts_[static_cast<size_t>(last)] - starts_[static_cast<size_t>(first)];
  }

 private:
  std::array<int32_t, GroupSlices::kCount + 1> starts_{};
  memory::Array<int32_t> numbers_;
};

/// The groups of a set, slice by slice.
class SlicedGroups : public SlicedNumbers {
 public:
  SlicedGroups(const GroupSet& set, const std::shared_ptr<memory::Budget>& budget);
};

/// Returns results of groups [first, first + length), first counted from 0, of a sealed set: [keys..., calls...].
columns::Batch read_groups(const GroupSet& set, int64_t first, int64_t length, const KeyEncoder& encoder);

}  // namespace accelerant::operators
