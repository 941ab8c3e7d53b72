#include "expressions/selection.h"

#include <algorithm>
#include <cstring>

#include "expressions/logic.h"
#include "expressions/operands.h"

namespace accelerant::expressions {

using columns::Column;

RowSet::RowSet(int64_t num_rows, const columns::Selection& selection) : num_rows_(num_rows), all_(!selection) {
  if (selection) rows_ = *selection;
}

bool RowSet::contains(int32_t row) const { return all_ || std::binary_search(rows_.begin(), rows_.end(), row); }

void RowSet::clear() {
  all_ = false;
  rows_.clear();
}

/// Takes over the first `kept` of `next_`.
void RowSet::finish(int64_t kept) {
  if (kept == count()) return;
  next_.resize(static_cast<size_t>(kept));
  rows_.swap(next_);
  all_ = false;
}

/// Keeps the rows for which `passes(row)` is 1, without a branch a row.
template <class Passes>
void RowSet::keep(Passes passes) {
  next_.resize(static_cast<size_t>(count()) + 1);
  int32_t* out = next_.data();
  int64_t kept = 0;
  if (all_) {
    for (int64_t row = 0; row < num_rows_; ++row) {
      out[kept] = static_cast<int32_t>(row);
      kept += passes(row);
    }
  } else {
    for (const int32_t row : rows_) {
      out[kept] = row;
      kept += passes(row);
    }
  }
  finish(kept);
}

void RowSet::keep_true(const Column& condition, BufferPool& pool) {
  if (condition.is_constant()) {
    if (!BooleanRows(condition, 1, pool).is_true(0)) clear();
    return;
  }
  if (condition.is_dictionary() && !condition.validity()) {
    const BooleanRows table(*condition.child_values(), condition.child_values()->length(), pool);
    auto passing = pool.allocate(condition.child_values()->length());
    uint8_t* lookup = passing->mutable_data();
    for (int64_t i = 0; i < condition.child_values()->length(); ++i) lookup[i] = table.is_true(i);
    const int32_t* indices = condition.indices();
    return keep([=](int64_t row) { return lookup[indices[row]]; });
  }
  const BooleanRows rows(condition, num_rows_, pool);
  const uint8_t* values = rows.values();
  if (const uint8_t* valid = rows.valid()) {
    return keep([=](int64_t row) { return values[row] & valid[row]; });
  }
  keep([=](int64_t row) { return values[row]; });
}

void RowSet::remove(const std::vector<int32_t>& rows) {
  if (rows.empty()) return;
  auto next = rows.begin();
  next_.clear();
  const auto visit = [&](int32_t row) {
    while (next != rows.end() && *next < row) ++next;
    if (next == rows.end() || *next != row) next_.push_back(row);
  };
  if (all_) {
    for (int32_t row = 0; row < num_rows_; ++row) visit(row);
  } else {
    for (const int32_t row : rows_) visit(row);
  }
  finish(static_cast<int64_t>(next_.size()));
}

}  // namespace accelerant::expressions
