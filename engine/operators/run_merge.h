#pragma once

#include "columns/gather_parts.h"
#include "execution/context.h"
#include "operators/sorted_run.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace accelerant::operators {

/// Rows that are merged between two looks whether the query goes on.
inline constexpr size_t kRowsBetweenChecks = 1024;

using SortedRuns = std::vector<std::unique_ptr<const SortedRun>>;

/// The rows of some runs in the order of their keys, those of equal keys in the order of their morsels. A morsel's rows
/// are all in one run. Made for a step, as runs give back nothing that it uses; does not outlive them. Any thread.
class RunMerge {
 public:
  explicit RunMerge(const SortedRuns& runs);

  /// How many rows of each run have passed.
  using Position = std::vector<int64_t>;

  /// Returns where the row of a rank, counted from 0, is the next one.
  Position position_of(int64_t rank) const;
  /// Returns how many rows come before the first one from `rank` on whose first keys are not those of the row before
  /// it.
  int64_t next_change(int64_t rank, size_t num_keys) const;
  /// Returns the next `count` rows, whose parts are the runs, and moves the position on.
  /// @throws Error Cancelled
  std::vector<columns::PartRow> take(Position& position, int64_t count,
                                     const execution::Cancellation& cancellation) const;

 private:
  /// A row of a run, by its place in the run's order.
  struct Place {
    size_t run;
    int64_t index;
  };

  int compare_keys(const Place& lhs, const Place& rhs) const;
  /// Says whether a row comes before another one.
  bool is_before(const Place& lhs, const Place& rhs) const;
  /// Counts the rows of a run that come before a row.
  int64_t count_before(size_t run, const Place& place) const;
  /// Counts the rows of a run whose first keys do not come behind a row's.
  int64_t count_not_behind(size_t run, const Place& place, size_t num_keys) const;
  /// Moves the first of a heap of rows, the first of which is to come first, down to where it belongs.
  void sift_down(std::vector<Place>& heap) const;
  /// Returns the last of the rows that have passed.
  Place last_before(const Position& position) const;

  std::vector<SortedRun::View> runs_;
};

}  // namespace accelerant::operators
