#pragma once

#include "columns/batch.h"
#include "execution/context.h"
#include "expressions/pruning.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace accelerant::io {

/// Leaves out rows that joins further up want nothing of. A filter that drops few rows is not asked for long. One a
/// worker.
class KeyFiltering {
 public:
  explicit KeyFiltering(const std::vector<execution::KeyFilter>& filters);

  /// Says how many filters there are; they are asked in turn.
  size_t size() const { return filters_.size(); }
  /// Says whether a filter is worth asking.
  bool is_active(size_t filter) const;
  /// The column that it reads.
  size_t column(size_t filter) const { return static_cast<size_t>(filters_[filter].filter.column); }
  /// Says whether no row of these can be wanted.
  bool drops_all(size_t filter, const expressions::ColumnStatistics& statistics, int64_t num_rows) const;
  /// Deselects the rows that are not wanted. Errors are nobody's key: a batch that has some stays as it is.
  void apply(size_t filter, columns::Batch& batch);

 private:
  struct State {
    execution::KeyFilter filter;
    int64_t rows_asked = 0;
    int64_t rows_kept = 0;
  };

  std::vector<State> filters_;
};

}  // namespace accelerant::io
