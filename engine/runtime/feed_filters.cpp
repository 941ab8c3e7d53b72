#include "runtime/feed_filters.h"

#include "columns/gather.h"
#include "expressions/program.h"
#include "operators/built_side.h"

#include <memory>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

namespace accelerant::runtime {

namespace {

using expressions::Program;
using operators::BuiltSide;

/// Returns a program's columns as they are.
std::vector<std::optional<int>> as_they_are(size_t num_columns) {
  std::vector<std::optional<int>> columns(num_columns);
  std::iota(columns.begin(), columns.end(), 0);
  return columns;
}

/// Returns the keys of a built side; one row of nulls, which equal nothing, if it has no rows.
columns::Batch keys_of(const BuiltSide& built, const Program& program, const std::shared_ptr<memory::Budget>& budget) {
  if (built.table().num_rows() > 0) return built.keys();
  columns::Batch nulls;
  nulls.num_rows = 1;
  for (int key = 0; key < program.num_outputs(); ++key) {
    nulls.columns.push_back(columns::Column::nulls(program.output_type(key), 1, budget));
  }
  return nulls;
}

/// Adds conditions on partition columns: whole files are left out by them.
void add_partition_filters(const planner::Feed& feed, const operators::StageResults& results,
                           execution::OperatorContext& ctx) {
  const plan::Join* join = nullptr;
  columns::Batch keys;  // of that join
  for (const planner::PartitionRequest& request : feed.partition_requests) {
    const BuiltSide& built = *results.built_sides.at(request.join);
    if (built.spilled() || built.num_rows() > request.max_build_rows) continue;
    if (std::exchange(join, request.join) != request.join)
      keys = keys_of(built, *request.join->build_keys(), ctx.budget);
    expressions::ProgramBuilder builder;
    const auto value = builder.include(*request.value, 0, as_they_are(feed.source->output.size()));
    const auto& wanted = keys.columns[static_cast<size_t>(request.key)];
    const auto condition = builder.in_list(*value, columns::flatten(wanted, ctx.budget));
    ctx.runtime_filters.push_back(std::move(builder).finish({&condition, 1}));
  }
}

}  // namespace

void add_filters(const planner::Feed& feed, const operators::StageResults& results, const operators::Sink& sink,
                 execution::OperatorContext& ctx) {
  add_partition_filters(feed, results, ctx);
  for (const planner::KeyRequest& request : feed.key_requests) {
    BuiltSide& built = *results.built_sides.at(request.join);
    if (built.num_rows() > request.max_build_rows) continue;
    auto keys = built.keys_in(request.key);
    if (keys) ctx.key_filters.push_back({request.column, std::move(keys)});
  }
  if (!feed.bounded_column) return;
  if (auto keys = sink.first_key_bound()) ctx.key_filters.push_back({*feed.bounded_column, std::move(keys)});
}

}  // namespace accelerant::runtime
