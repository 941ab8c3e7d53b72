#include "operators/state_rows.h"

#include "columns/gather.h"
#include "operators/call_accumulator.h"
#include "operators/group_keys.h"
#include "operators/group_order.h"
#include "operators/group_table.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <numeric>
#include <utility>

namespace accelerant::operators {

using columns::Batch;
using columns::ColumnPtr;

namespace {

/// Returns the states that a call has of rows, each of which is a group, as columns.
std::vector<ColumnPtr> states_of(const aggregates::Call& call, const aggregates::GroupedRows& rows,
                                 aggregates::Arguments arguments, const execution::OperatorContext& ctx) {
  const auto accumulator = make_call_accumulator(call, ctx);
  accumulator->forget_order();
  accumulator->resize(rows.num_groups);
  accumulator->update(rows, arguments);
  accumulator->seal();
  return accumulator->states(1, rows.num_rows);
}

}  // namespace

int64_t StateRows::num_bytes() const {
  int64_t num_bytes = 0;
  for (const ColumnPtr& column : columns) num_bytes += column->memory_bytes();
  return num_bytes;
}

StateRows state_rows_of(const plan::Aggregate& node, Batch batch, const execution::OperatorContext& ctx) {
  if (batch.selection) batch = columns::compact(std::move(batch), ctx.budget);
  for (ColumnPtr& column : batch.columns) column = columns::flatten(column, ctx.budget);
  const int64_t num_rows = batch.num_rows;
  StateRows made(ctx.budget);
  made.num_rows = num_rows;
  made.columns.assign(batch.columns.begin(), batch.columns.begin() + static_cast<std::ptrdiff_t>(node.keys.size()));
  KeyEncoder encoder(node.key_types(), ctx.budget);
  encoder.encode(made.columns, num_rows);
  made.hashes.reserve(num_rows);
  for (int64_t row = 0; row < num_rows; ++row) made.hashes.push_back(GroupTable::hash(encoder.key(row)));
  memory::Array<int32_t> groups(ctx.budget);
  groups.resize(num_rows);
  std::iota(groups.begin(), groups.end(), 1);
  const aggregates::GroupedRows rows{groups.data(), num_rows, num_rows + 1, place_of(batch), partition_of(batch)};
  for (const plan::AggregateCall& call : node.calls) {
    std::vector<ColumnPtr> arguments;
    for (const int argument : call.arguments) arguments.push_back(batch.columns[static_cast<size_t>(argument)]);
    std::vector<ColumnPtr> states = states_of(call, rows, arguments, ctx);
    made.num_states.push_back(states.size());
    std::ranges::move(states, std::back_inserter(made.columns));
  }
  return made;
}

}  // namespace accelerant::operators
