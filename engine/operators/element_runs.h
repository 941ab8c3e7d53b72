#pragma once

#include "columns/gather.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace accelerant::operators {

/// Elements of one row that are emitted together. A row without any that is kept has one, at place -1 and position -1.
struct ElementRun {
  int32_t row;
  int32_t place;     ///< of the first among all elements
  int32_t position;  ///< of the first in its row
  int32_t count;
};

/// Elements that are emitted together, row by row.
class ElementRuns {
 public:
  void add(ElementRun run) {
    is_one_range_ &= run.place >= 0 && (runs_.empty() || run.place == runs_.front().place + count_);
    runs_.push_back(run);
    count_ += run.count;
  }
  int32_t count() const { return count_; }
  /// Returns each element's row.
  std::vector<int32_t> rows() const {
    return of_each([](const ElementRun& run, int32_t) { return run.row; });
  }
  /// Returns each element's place; -1 where the row has none.
  std::vector<int32_t> places() const {
    return of_each([](const ElementRun& run, int32_t i) { return run.place + i; });
  }
  /// Returns each element's position; -1 where the row has none.
  std::vector<int32_t> positions() const {
    return of_each([](const ElementRun& run, int32_t i) { return run.position + i; });
  }
  /// Says whether places follow one another, so many of them that the rest of a column of all elements may be kept.
  bool are_part_of(const columns::Column& child) const {
    return is_one_range_ && child.length() <= kMostTimes * count_;
  }
  int32_t first_place() const { return runs_.empty() ? 0 : runs_.front().place; }
  /// Returns the elements' values of a child of the lists, null at place -1.
  columns::ColumnPtr values(const columns::Column& child, const std::shared_ptr<memory::Budget>& budget) const {
    if (are_part_of(child)) return child.slice(first_place(), count_);
    return columns::gather_or_null(child, places(), budget);
  }

 private:
  /// A part of a column keeps no more than so many times its own bytes.
  static constexpr int64_t kMostTimes = 8;

  template <class Value>
  std::vector<int32_t> of_each(Value value) const {
    std::vector<int32_t> values(static_cast<size_t>(count_));
    int32_t* to = values.data();
    for (const ElementRun& run : runs_) {
      for (int32_t i = 0; i < run.count; ++i) *to++ = value(run, i);
    }
    return values;
  }

  std::vector<ElementRun> runs_;
  int32_t count_ = 0;
  bool is_one_range_ = true;
};

}  // namespace accelerant::operators
