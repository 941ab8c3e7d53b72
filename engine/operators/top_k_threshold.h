#pragma once

#include "columns/batch.h"
#include "expressions/key_bound.h"
#include "memory/budget.h"
#include "plan/sort.h"

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace accelerant::operators {

/// Returns the numbers of so many rows, ascending.
std::vector<int32_t> all_rows(int64_t num_rows);

/// Where the first k rows end at the latest: the last of k rows that some worker has seen, by the words of its keys, of
/// texts as many as they have, up to the first key that words do not tell apart. Any thread.
class TopKThreshold {
 public:
  explicit TopKThreshold(std::vector<plan::SortKey> keys);

  /// Says whether k rows were seen.
  bool is_known() const { return bound() != nullptr; }
  /// Notes k rows, of flat columns.
  void note(const std::vector<columns::ColumnPtr>& columns, const std::shared_ptr<memory::Budget>& budget);
  /// Returns the values of the first key that are not behind, as long as those are integers, dates or timestamps.
  std::shared_ptr<const expressions::KeySet> first_key_bound() const { return first_key_bound_; }
  /// Deselects rows that come behind the threshold; not those that may be equal to it.
  void drop_later_rows(columns::Batch& batch, const std::shared_ptr<memory::Budget>& budget) const;

 private:
  /// Words of the keys, as `key_words` has them. What comes after a word follows from it: more of the same text, or the
  /// next key where it tells its key apart from all others.
  using Bound = std::vector<uint64_t>;
  class Place;

  std::shared_ptr<const Bound> bound() const;
  Bound last_of(const std::vector<columns::ColumnPtr>& columns, const std::shared_ptr<memory::Budget>& budget) const;

  const std::vector<plan::SortKey> keys_;
  const std::shared_ptr<expressions::KeyBound> first_key_bound_;
  mutable std::mutex mutex_;
  std::shared_ptr<const Bound> bound_;  ///< nullptr: not known
};

}  // namespace accelerant::operators
