#include "operators/run_merge.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace accelerant::operators {

namespace {

/// Returns the run about whose position least is known.
size_t widest(const std::vector<int64_t>& low, const std::vector<int64_t>& high) {
  size_t widest = 0;
  for (size_t run = 1; run < low.size(); ++run) {
    if (high[run] - low[run] > high[widest] - low[widest]) widest = run;
  }
  return widest;
}

/// Returns the first of [0, end) for which `is_wanted` does not hold, as it does for all before it.
template <class IsWanted>
int64_t partition_point(int64_t end, const IsWanted& is_wanted) {
  int64_t low = 0;
  for (int64_t high = end; low < high;) {
    const int64_t middle = low + (high - low) / 2;
    if (is_wanted(middle)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

}  // namespace

RunMerge::RunMerge(const SortedRuns& runs) {
  for (const auto& run : runs) runs_.push_back(run->view());
}

int RunMerge::compare_keys(const Place& lhs, const Place& rhs) const {
  return runs_[lhs.run].compare_keys(lhs.index, runs_[rhs.run], rhs.index);
}

bool RunMerge::is_before(const Place& lhs, const Place& rhs) const {
  if (lhs.run == rhs.run) return lhs.index < rhs.index;
  const int order = compare_keys(lhs, rhs);
  if (order != 0) return order < 0;
  return runs_[lhs.run].morsel(lhs.index) < runs_[rhs.run].morsel(rhs.index);
}

int64_t RunMerge::count_before(size_t run, const Place& place) const {
  if (run == place.run) return place.index;
  return partition_point(runs_[run].num_rows(), [&](int64_t index) { return is_before({run, index}, place); });
}

int64_t RunMerge::count_not_behind(size_t run, const Place& place, size_t num_keys) const {
  return partition_point(runs_[run].num_rows(), [&](int64_t index) {
    return runs_[run].compare_keys(index, runs_[place.run], place.index, num_keys) <= 0;
  });
}

RunMerge::Position RunMerge::position_of(int64_t rank) const {
  Position low(runs_.size());
  Position high(runs_.size());
  for (size_t run = 0; run < runs_.size(); ++run) high[run] = std::min(rank, runs_[run].num_rows());
  if (runs_.size() == 1) return high;
  for (size_t run = widest(low, high); low[run] < high[run]; run = widest(low, high)) {
    const Place pivot{run, low[run] + (high[run] - low[run]) / 2};
    int64_t num_before = 0;
    Position before(runs_.size());
    for (size_t other = 0; other < runs_.size(); ++other) num_before += before[other] = count_before(other, pivot);
    const bool is_among_first = num_before < rank;
    for (size_t other = 0; other < runs_.size(); ++other) {
      if (is_among_first) {
        low[other] = std::max(low[other], before[other]);
      } else {
        high[other] = std::min(high[other], before[other]);
      }
    }
    if (is_among_first) low[run] = std::max(low[run], pivot.index + 1);
  }
  return low;
}

RunMerge::Place RunMerge::last_before(const Position& position) const {
  std::optional<Place> last;
  for (size_t run = 0; run < runs_.size(); ++run) {
    if (position[run] == 0) continue;
    const Place place{run, position[run] - 1};
    if (!last || is_before(*last, place)) last = place;
  }
  return *last;
}

int64_t RunMerge::next_change(int64_t rank, size_t num_keys) const {
  if (rank == 0) return 0;
  const Place last = last_before(position_of(rank));
  int64_t num_before = 0;
  for (size_t run = 0; run < runs_.size(); ++run) num_before += count_not_behind(run, last, num_keys);
  return num_before;
}

void RunMerge::sift_down(std::vector<Place>& heap) const {
  for (size_t at = 0, child = 1; child < heap.size(); at = child, child = 2 * at + 1) {
    if (child + 1 < heap.size() && is_before(heap[child + 1], heap[child])) ++child;
    if (!is_before(heap[child], heap[at])) return;
    std::swap(heap[at], heap[child]);
  }
}

std::vector<columns::PartRow> RunMerge::take(Position& position, int64_t count,
                                             const execution::Cancellation& cancellation) const {
  // The next row of each run that has one, as a heap with the first of them at its front.
  std::vector<Place> next;
  for (size_t run = 0; run < runs_.size(); ++run) {
    if (position[run] < runs_[run].num_rows()) next.push_back({run, position[run]});
  }
  std::ranges::make_heap(next, [this](const Place& lhs, const Place& rhs) { return is_before(rhs, lhs); });
  std::vector<columns::PartRow> rows;
  rows.reserve(static_cast<size_t>(count));
  while (static_cast<int64_t>(rows.size()) < count) {
    if (rows.size() % kRowsBetweenChecks == 0) cancellation.check();
    Place& first = next.front();
    rows.push_back({static_cast<int32_t>(first.run), runs_[first.run].row(first.index)});
    position[first.run] = ++first.index;
    if (first.index == runs_[first.run].num_rows()) {
      first = next.back();
      next.pop_back();
    }
    sift_down(next);
  }
  return rows;
}

}  // namespace accelerant::operators
