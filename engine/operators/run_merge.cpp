#include "operators/run_merge.h"

#include <algorithm>
#include <optional>
#include <span>

namespace accelerant::operators {

namespace {

/// A place in a run.
struct Place {
  size_t run;
  int64_t index;
};

class Merge {
 public:
  Merge(const SortedRuns& runs, const execution::Cancellation& cancellation)
      : runs_(runs), cancellation_(cancellation) {}

  std::vector<RunRow> rows(int64_t first, int64_t end) const {
    const std::vector<int64_t> places = places_of(first);
    std::vector<Place> next = heap_at(places);
    std::optional<Place> last = last_before(places);
    std::vector<RunRow> rows;
    rows.reserve(static_cast<size_t>(end - first));
    while (static_cast<int64_t>(rows.size()) < end - first) {
      if (rows.size() % kRowsBetweenChecks == 0) cancellation_.check();
      const Place place = next.front();
      const bool continues_tie = last && compare_keys(*last, place) == 0;
      rows.push_back({static_cast<int32_t>(place.run), row_at(place).row, continues_tie});
      last = place;
      advance(next);
    }
    return rows;
  }

 private:
  static constexpr size_t kRowsBetweenChecks = 1024;

  const KeyedRow& row_at(const Place& place) const {
    return runs_[place.run]->rows()[static_cast<size_t>(place.index)];
  }
  int64_t size(size_t run) const { return static_cast<int64_t>(runs_[run]->rows().size()); }

  int compare_keys(const Place& lhs, const Place& rhs) const {
    return runs_[lhs.run]->compare_keys(row_at(lhs), *runs_[rhs.run], row_at(rhs));
  }

  /// Says whether a row comes before another one.
  bool is_before(const Place& lhs, const Place& rhs) const {
    if (lhs.run == rhs.run) return lhs.index < rhs.index;
    const int order = compare_keys(lhs, rhs);
    if (order != 0) return order < 0;
    return runs_[lhs.run]->morsel_of(row_at(lhs)) < runs_[rhs.run]->morsel_of(row_at(rhs));
  }

  /// Counts the rows of a run that come before a row.
  int64_t count_before(size_t run, const Place& place) const {
    if (run == place.run) return place.index;
    int64_t low = 0;
    for (int64_t high = size(run); low < high;) {
      const int64_t middle = low + (high - low) / 2;
      if (is_before({run, middle}, place)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /// Returns how many of the first `rank` rows are in each run.
  std::vector<int64_t> places_of(int64_t rank) const {
    std::vector<int64_t> low(runs_.size());
    std::vector<int64_t> high(runs_.size());
    for (size_t run = 0; run < runs_.size(); ++run) high[run] = std::min(rank, size(run));
    for (size_t run = widest(low, high); low[run] < high[run]; run = widest(low, high)) {
      const Place pivot{run, low[run] + (high[run] - low[run]) / 2};
      int64_t num_before = 0;
      std::vector<int64_t> before(runs_.size());
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

  static size_t widest(const std::vector<int64_t>& low, const std::vector<int64_t>& high) {
    size_t widest = 0;
    for (size_t run = 1; run < low.size(); ++run) {
      if (high[run] - low[run] > high[widest] - low[widest]) widest = run;
    }
    return widest;
  }

  /// Returns what makes a heap's front the first row.
  auto comes_after() const {
    return [this](const Place& lhs, const Place& rhs) { return is_before(rhs, lhs); };
  }

  /// Returns the next row of each run that has one, as a heap with the first of them at its front.
  std::vector<Place> heap_at(const std::vector<int64_t>& places) const {
    std::vector<Place> heap;
    for (size_t run = 0; run < runs_.size(); ++run) {
      if (places[run] < size(run)) heap.push_back({run, places[run]});
    }
    std::ranges::make_heap(heap, comes_after());
    return heap;
  }

  /// Moves the first row's run on by a row.
  void advance(std::vector<Place>& heap) const {
    std::ranges::pop_heap(heap, comes_after());
    if (++heap.back().index < size(heap.back().run)) {
      std::ranges::push_heap(heap, comes_after());
    } else {
      heap.pop_back();
    }
  }

  /// Returns the last of the rows before some places.
  std::optional<Place> last_before(const std::vector<int64_t>& places) const {
    std::optional<Place> last;
    for (size_t run = 0; run < runs_.size(); ++run) {
      if (places[run] == 0) continue;
      const Place place{run, places[run] - 1};
      if (!last || is_before(*last, place)) last = place;
    }
    return last;
  }

  const SortedRuns& runs_;
  const execution::Cancellation& cancellation_;
};

}  // namespace

std::vector<RunRow> merge_runs(const SortedRuns& runs, int64_t first, int64_t end,
                               const execution::OperatorContext& ctx) {
  return Merge(runs, *ctx.cancellation).rows(first, end);
}

}  // namespace accelerant::operators
