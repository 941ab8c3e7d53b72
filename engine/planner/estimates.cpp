#include "planner/estimates.h"

#include <algorithm>

namespace accelerant::planner {

using plan::Node;
using plan::ValueEstimate;

double Estimator::rows(const Node& node) {
  const auto found = rows_.find(&node);
  if (found != rows_.end()) return found->second;
  return rows_[&node] = std::max(1.0, node.estimate_rows(*this));
}

double Estimator::table_rows(const Node& source) const {
  const auto found = tables_.find(source.plan_node);
  return found == tables_.end() ? 1 : static_cast<double>(std::max<int64_t>(1, found->second->num_rows()));
}

ValueEstimate Estimator::table_column(const Node& source, int column) {
  const auto [place, is_new] = table_columns_.try_emplace({&source, column});
  ValueEstimate& estimate = place->second;
  if (!is_new) return estimate;
  estimate.num_distinct = estimate.table_rows = table_rows(source);
  const auto table = tables_.find(source.plan_node);
  if (table == tables_.end()) return estimate;
  const io::ColumnSummary summary = table->second->summarize(column);
  if (summary.num_nulls) estimate.null_share = static_cast<double>(*summary.num_nulls) / estimate.table_rows;
  estimate.min = summary.min;
  estimate.max = summary.max;
  if (summary.num_distinct) estimate.num_distinct = static_cast<double>(*summary.num_distinct);
  return estimate;
}

}  // namespace accelerant::planner
