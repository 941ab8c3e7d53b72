#include "io/file_pruning.h"

#include <algorithm>
#include <utility>

namespace accelerant::io {

using columns::Batch;

FilePruning::FilePruning(const ScanSpec& spec, const execution::OperatorContext& ctx) : spec_(spec) {
  for (const auto& filter : spec.filters) add(filter, ctx);
  for (const auto& filter : ctx.runtime_filters) add(filter, ctx);
}

void FilePruning::add(const std::shared_ptr<const expressions::Program>& filter,
                      const execution::OperatorContext& ctx) {
  const auto is_partition_column = [&](int input) {
    return spec_.columns[static_cast<size_t>(input)].partition_index >= 0;
  };
  if (std::all_of(filter->inputs().begin(), filter->inputs().end(), is_partition_column))
    filters_.emplace_back(filter, ctx.budget, spec_.filter_plan_node, ctx.parameters);
}

bool FilePruning::keeps(const FileSplit& split) {
  for (expressions::Evaluator& filter : filters_) {
    Batch batch;
    batch.num_rows = 1;
    for (const ScanColumn& column : spec_.columns) {
      const bool is_read = column.partition_index < 0;
      batch.columns.push_back(is_read ? nullptr : split.partition_values[static_cast<size_t>(column.partition_index)]);
    }
    const Batch filtered = filter.filter(std::move(batch));
    if (!filtered.errors.empty()) return true;
    if (filtered.num_selected() == 0) return false;
  }
  return true;
}

}  // namespace accelerant::io
