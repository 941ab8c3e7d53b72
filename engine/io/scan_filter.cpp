#include "io/scan_filter.h"

#include <algorithm>

namespace accelerant::io {

namespace {

/// Ranks a filter by what its columns cost to read.
int cost_of(const ScanSpec& spec, const expressions::Program& program) {
  int cost = 0;
  for (const int input : program.inputs()) {
    const ScanColumn& column = spec.columns[static_cast<size_t>(input)];
    if (column.partition_index < 0) cost += 1 + types::width_of(column.type.physical());
  }
  return cost;
}

}  // namespace

std::vector<ScanFilter> make_filters(const ScanSpec& spec, const execution::OperatorContext& ctx) {
  auto programs = spec.filters;
  // One that can fail sees the rows that those before it leave, as with Spark.
  const auto first = std::find_if(programs.begin(), programs.end(), [](const auto& p) { return p->can_fail(); });
  std::stable_sort(programs.begin(), first,
                   [&](const auto& a, const auto& b) { return cost_of(spec, *a) < cost_of(spec, *b); });
  std::vector<ScanFilter> filters;
  for (auto& program : programs) {
    filters.push_back({program, expressions::Evaluator(program, ctx.budget, spec.filter_plan_node, ctx.parameters)});
  }
  return filters;
}

bool needs_column(const expressions::Program& program, size_t column) {
  const auto& inputs = program.inputs();
  return std::binary_search(inputs.begin(), inputs.end(), static_cast<int>(column));
}

}  // namespace accelerant::io
