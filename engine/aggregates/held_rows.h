#pragma once

#include "aggregates/grouped_rows.h"
#include "memory/array.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <span>
#include <vector>

namespace accelerant::aggregates {

/// The values of rows that are few, with their groups and places: as long as no more than kMostRows come, and each
/// batch tells its place.
class HeldRows {
 public:
  static constexpr int64_t kMostRows = 10'000;

  /// @param num_values of a row
  HeldRows(int num_values, const std::shared_ptr<memory::Budget>& budget)
      : num_values_(num_values), budget_(budget), groups_(budget), batch_of_(budget), values_(budget) {}

  /// Says whether all rows are held that came.
  bool are_all() const { return are_all_; }
  /// Lets go of all rows, and holds none that come.
  void forget();

  /// Makes room for a batch; returns false where none of its rows are to be added.
  /// @throws Error Resource or MemoryWait, as Budget::reserve; then it may be called again
  bool make_room(const GroupedRows& batch);
  /// Notes that the rows that are added next are of a batch that there is room for.
  void begin(const GroupedRows& batch) { batches_.push_back({batch.partition, batch.batch}); }
  /// Adds a row of the batch.
  void add(int32_t group, const double* values);
  /// Adds rows of group `from[i]` of others as of group `into[i]`.
  void merge(const HeldRows& other, std::span<const int32_t> from, std::span<const int32_t> into);

  /// Calls `visit(group, partition, values)` with each row: those of a group together, in the order of Spark's
  /// partitions, and in each in that of its rows.
  template <class Visit>
  void visit_in_order(const Visit& visit) const {
    for (const int32_t row : rows_in_order()) {
      visit(groups_[row], place_of(row).partition, values_.data() + static_cast<int64_t>(row) * num_values_);
    }
  }

 private:
  struct Place {
    int64_t partition;
    int64_t batch;
    friend auto operator<=>(const Place&, const Place&) = default;
  };

  const Place& place_of(int32_t row) const { return batches_[static_cast<size_t>(batch_of_[row])]; }
  std::vector<int32_t> rows_in_order() const;
  void reserve(int64_t num_rows);

  const int num_values_;
  const std::shared_ptr<memory::Budget> budget_;
  bool are_all_ = true;
  std::vector<Place> batches_;
  memory::Array<int32_t> groups_;    ///< of each row
  memory::Array<int32_t> batch_of_;  ///< likewise
  memory::Array<double> values_;     ///< likewise, num_values_ each
};

}  // namespace accelerant::aggregates
