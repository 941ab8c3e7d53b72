#pragma once

#include "memory/array.h"

#include <cstdint>
#include <memory>
#include <span>

namespace accelerant::operators {

/// Groups of a batch's rows by more keys than others are found by: the rows of one of them have one group there.
struct FinerGroups {
  std::span<const int32_t> of_rows = {};  ///< one a row; 0: it is not selected. Empty: there are none
  int64_t num_groups = 0;                 ///< one more than the largest
  int64_t set = 0;                        ///< number of the set that they are of
};

/// The group, by fewer keys, of each finer one that was met: rows are looked up by a number instead of their keys.
/// Where a call throws MemoryWait, it may be called again.
class CoarserGroups {
 public:
  explicit CoarserGroups(const std::shared_ptr<memory::Budget>& budget)
      : budget_(budget), of_finer_(budget), unknown_(budget), rows_(budget) {}

  /// Forgets what is known unless it is of the same two sets; returns a row of each finer group of the batch whose
  /// group is not known. Valid until the next call.
  /// @param set number of the one that groups by fewer keys are of
  std::span<const int32_t> rows_of_unknown(const FinerGroups& finer, int64_t set);
  /// Takes the groups of those rows.
  /// @param group_of returns that of the i-th
  template <class GroupOf>
  void learn(const GroupOf& group_of) {
    for (int64_t i = 0; i < unknown_.size(); ++i) of_finer_[unknown_[i]] = group_of(i);
    unknown_.clear();
  }
  /// Returns the group of each row of the batch, once all are known: 0 for rows that are not selected.
  void look_up(const FinerGroups& finer, std::span<int32_t> groups) const;
  /// Forgets all, and gives the memory back.
  void forget();

 private:
  static constexpr int32_t kMet = -1;  ///< in this batch, and to be learnt

  std::shared_ptr<memory::Budget> budget_;
  int64_t finer_set_ = 0;
  int64_t set_ = 0;
  memory::Array<int32_t> of_finer_;  ///< by finer group; 0: not known
  memory::Array<int32_t> unknown_;   ///< finer groups
  memory::Array<int32_t> rows_;      ///< of each of them the first
};

}  // namespace accelerant::operators
