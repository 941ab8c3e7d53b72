#pragma once

#include "aggregates/function.h"
#include "operators/window_rows.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace accelerant::operators {

/// A segment tree of an aggregate function's states: a leaf holds kLeafRows rows, a node above what its two children
/// hold. So any stretch of rows is made up of few states, and of less than kLeafRows rows at either end.
class StateTree {
 public:
  static constexpr int32_t kLeafRows = 16;

  /// Adds up all rows.
  /// @throws Error Cancelled
  StateTree(const aggregates::Call& call, aggregates::Arguments arguments, const WindowRows& rows,
            const execution::OperatorContext& ctx);

  const aggregates::Accumulator& states() const { return *states_; }
  /// Appends the states that make up leaves [begin, end).
  void append_states(int64_t begin, int64_t end, std::vector<int32_t>& states) const;

 private:
  void add_rows(aggregates::Arguments arguments, const WindowRows& rows, const execution::OperatorContext& ctx);
  void merge_children(const execution::OperatorContext& ctx);

  const int64_t num_leaves_;
  /// Node i is group i; its children are 2i and 2i + 1, the root is 1, the leaves come last.
  const std::unique_ptr<aggregates::Accumulator> states_;
};

}  // namespace accelerant::operators
