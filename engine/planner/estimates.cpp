#include "planner/estimates.h"

#include "plan/filter.h"
#include "plan/limit.h"
#include "plan/project.h"
#include "plan/sort.h"
#include "plan/top_k.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace accelerant::planner {

using plan::JoinType;
using plan::Node;

namespace {

/// A key whose values fill their range but for a few.
constexpr double kNearlyAll = 0.95;
/// Keys may have gaps: of a table with fewer rows to the range of its key, the other table has more values.
constexpr double kLargestGaps = 8;
/// Anti joins are written to find something.
constexpr double kLeastUnmatched = 0.1;

/// The values that several columns take together.
struct Domain {
  double num_values = 1;
  double range = 1;  ///< values from the least to the largest
  double table_rows = 1;

  void add(const ColumnBelief& column) {
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

double matching_share(std::span<const KeyBeliefs> keys) {
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

double Estimator::rows(const Node& node) {
  const auto found = rows_.find(&node);
  if (found != rows_.end()) return found->second;
  return rows_[&node] = std::max(1.0, estimate_rows(node));
}

double Estimator::estimate_rows(const Node& node) {
  if (node.is<plan::Scan>()) return scanned_rows(node.as<plan::Scan>());
  if (node.is<plan::Join>()) return joined_rows(node.as<plan::Join>());
  if (node.is<plan::Aggregate>()) return num_groups(node.as<plan::Aggregate>());
  if (node.is<plan::Filter>()) {
    const Node& input = *node.inputs.front();
    return rows(input) * expressions::passing_share({&node.as<plan::Filter>().program, 1},
                                                    [&](int position) { return column(input, position); });
  }
  std::vector<double> inputs;
  if (node.role == plan::Role::Source) inputs.push_back(table_rows(node));
  for (const plan::NodePtr& input : node.inputs) inputs.push_back(rows(*input));
  return node.estimate_rows(inputs);
}

double Estimator::table_rows(const Node& source) const {
  const auto found = tables_.find(source.plan_node);
  return found == tables_.end() ? 1 : static_cast<double>(std::max<int64_t>(1, found->second->num_rows()));
}

double Estimator::scanned_rows(const plan::Scan& scan) {
  if (!scan.spec) return table_rows(scan);
  return table_rows(scan) *
         expressions::passing_share(scan.spec->filters, [&](int column) { return scanned_column(scan, column); });
}

double Estimator::equal_share(const plan::Join& join) {
  std::vector<KeyBeliefs> keys;
  for (int key = 0; join.left_keys && key < join.left_keys->num_outputs(); ++key) {
    keys.emplace_back(value(*join.inputs[0], *join.left_keys, key), value(*join.inputs[1], *join.right_keys, key));
  }
  return matching_share(keys);
}

double Estimator::joined_rows(const plan::Join& join) {
  const Node& left = *join.inputs[0];
  const Node& right = *join.inputs[1];
  const double share = equal_share(join);
  const double both = rows(left) * rows(right) * share;
  const double matched = rows(left) * std::min(1.0, rows(right) * share);
  switch (join.type) {
    case JoinType::Inner:
      break;
    case JoinType::LeftOuter:
      return std::max(rows(left), both);
    case JoinType::RightOuter:
      return std::max(rows(right), both);
    case JoinType::FullOuter:
      return std::max({rows(left), rows(right), both});
    case JoinType::LeftSemi:
      return matched;
    case JoinType::LeftAnti:
    case JoinType::NullAwareAnti:
      return std::max(rows(left) - matched, rows(left) * kLeastUnmatched);
    case JoinType::LeftSingle:
    case JoinType::Existence:
      return rows(left);
  }
  if (!join.condition) return both;
  return both *
         expressions::passing_share({&join.condition, 1}, [&](int position) { return joined_column(join, position); });
}

double Estimator::num_groups(const plan::Aggregate& aggregate) {
  if (aggregate.keys.empty()) return 1;
  const Node& input = *aggregate.inputs.front();
  double groups = 1;
  for (size_t key = 0; key < aggregate.keys.size(); ++key) {
    groups *= value(input, *aggregate.input, static_cast<int>(key)).num_distinct;
  }
  return std::min(groups, rows(input));
}

ColumnBelief Estimator::unknown_column(const Node& node) {
  ColumnBelief belief;
  belief.num_distinct = belief.table_rows = rows(node);
  return belief;
}

ColumnBelief Estimator::value(const Node& node, const expressions::Program& program, int output) {
  const std::optional<int> position = program.input_of(output);
  return position ? column(node, *position) : unknown_column(node);
}

ColumnBelief Estimator::column(const Node& node, int position) {
  if (node.is<plan::Scan>()) {
    const auto& scan = node.as<plan::Scan>();
    return scan.spec ? scanned_column(scan, position) : unknown_column(node);
  }
  if (node.is<plan::Join>()) return joined_column(node.as<plan::Join>(), position);
  if (node.is<plan::Aggregate>()) return group_column(node.as<plan::Aggregate>(), position);
  if (node.is<plan::Project>()) return value(*node.inputs.front(), *node.as<plan::Project>().program, position);
  const bool keeps_columns =
      node.is<plan::Filter>() || node.is<plan::Sort>() || node.is<plan::TopK>() || node.is<plan::Limit>();
  return keeps_columns ? column(*node.inputs.front(), position) : unknown_column(node);
}

const ColumnBelief& Estimator::scanned_column(const plan::Scan& scan, int column) {
  const auto [place, is_new] = scanned_.try_emplace({&scan, column});
  if (is_new) place->second = summarized_column(scan, column);
  return place->second;
}

ColumnBelief Estimator::summarized_column(const plan::Scan& scan, int column) const {
  ColumnBelief belief;
  belief.num_distinct = belief.table_rows = table_rows(scan);
  const io::ScanColumn& described = scan.spec->columns[static_cast<size_t>(column)];
  const auto table = tables_.find(scan.plan_node);
  if (described.partition_index >= 0 || table == tables_.end()) return belief;
  const io::ColumnSummary summary = table->second->summarize(column);
  if (summary.num_nulls) belief.null_share = static_cast<double>(*summary.num_nulls) / belief.table_rows;
  belief.min = summary.min;
  belief.max = summary.max;
  if (summary.num_distinct) belief.num_distinct = static_cast<double>(*summary.num_distinct);
  if (summary.min && summary.max && !described.type.is_floating()) {
    belief.num_distinct = std::min(belief.num_distinct, *summary.max - *summary.min + 1);
  }
  return belief;
}

ColumnBelief Estimator::joined_column(const plan::Join& join, int position) {
  const auto num_left = static_cast<int>(join.inputs[0]->output.size());
  if (position < num_left) return column(*join.inputs[0], position);
  return join.type == JoinType::Existence ? unknown_column(*join.inputs[0])
                                          : column(*join.inputs[1], position - num_left);
}

ColumnBelief Estimator::group_column(const plan::Aggregate& aggregate, int position) {
  const std::optional<int> key = aggregate.result->input_of(position);
  if (!key || *key >= static_cast<int>(aggregate.keys.size())) return unknown_column(aggregate);
  ColumnBelief belief = value(*aggregate.inputs.front(), *aggregate.input, *key);
  belief.table_rows = rows(aggregate);
  return belief;
}

}  // namespace accelerant::planner
