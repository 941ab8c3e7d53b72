#include "planner/estimates.h"

#include <algorithm>

namespace accelerant::planner {

using plan::ColumnStatistics;
using plan::Node;

double Estimator::rows(const Node& node) {
  const auto found = rows_.find(&node);
  if (found != rows_.end()) return found->second;
  return rows_[&node] = std::max(1.0, node.estimate_rows(*this));
}

double Estimator::table_rows(const Node& source) const {
  const auto found = tables_.find(source.plan_node);
  return found == tables_.end() ? 1 : static_cast<double>(std::max<int64_t>(1, found->second->num_rows()));
}

ColumnStatistics Estimator::table_column(const Node& source, int column) {
  const auto [place, is_new] = table_columns_.try_emplace({&source, column});
  ColumnStatistics& statistics = place->second;
  if (!is_new) return statistics;
  statistics.num_distinct = statistics.table_rows = table_rows(source);
  const auto table = tables_.find(source.plan_node);
  if (table == tables_.end()) return statistics;
  const io::ColumnSummary summary = table->second->summarize(column);
  if (summary.num_nulls) statistics.null_share = static_cast<double>(*summary.num_nulls) / statistics.table_rows;
  statistics.min = summary.min;
  statistics.max = summary.max;
  if (summary.num_distinct) statistics.num_distinct = static_cast<double>(*summary.num_distinct);
  return statistics;
}

}  // namespace accelerant::planner
