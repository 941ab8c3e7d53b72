#include "plan/estimates.h"

#include <algorithm>
#include <optional>

namespace accelerant::plan {

namespace {

/// A key whose values fill their range but for a few.
constexpr double kNearlyAll = 0.95;
/// Keys may have gaps: of a table with fewer rows to the range of its key, the other table has more values.
constexpr double kLargestGaps = 8;
/// The values that several columns take together.
struct Domain {
  double num_values = 1;
  double range = 1;  ///< values from the least to the largest
  double table_rows = 1;

  void add(const ValueEstimate& column) {
    num_values *= std::max(1.0, column.num_distinct);
    range *= column.min && column.max ? *column.max - *column.min + 1 : column.num_distinct;
    table_rows = std::max(table_rows, column.table_rows);
  }
  bool is_unique() const { return num_values >= kNearlyAll * table_rows; }
  bool is_sparse() const { return range > kLargestGaps * table_rows; }
  /// Returns how many values a row of another table may refer to.
  double size(const Domain& other) const {
    return is_sparse() && !other.is_sparse() ? range : std::min(num_values, table_rows);
  }
};

}  // namespace

double matching_share(std::span<const KeyEstimates> keys) {
  Domain left;
  Domain right;
  for (const auto& [a, b] : keys) {
    left.add(a);
    right.add(b);
  }
  const double left_size = left.size(right);
  const double right_size = right.size(left);
  if (left.is_unique() != right.is_unique()) return 1 / (left.is_unique() ? left_size : right_size);
  // Bounds of keys with gaps make references look like keys: the smaller table has the key.
  return 1 / (left.is_unique() ? std::min(left_size, right_size) : std::max(left_size, right_size));
}

ValueEstimate Estimates::unknown_column(const Node& node) {
  ValueEstimate unknown;
  unknown.num_distinct = unknown.table_rows = rows(node);
  return unknown;
}

ValueEstimate Estimates::value(const Node& node, const expressions::Program& program, int output) {
  const std::optional<int> position = program.input_of(output);
  return position ? column(node, *position) : unknown_column(node);
}

double Estimates::passing_share(const Node& node, std::span<const ProgramPtr> conditions) {
  return expressions::passing_share(conditions, [&](int position) { return column(node, position); });
}

}  // namespace accelerant::plan
