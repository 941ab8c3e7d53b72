#include "operators/window_rows.h"

#include "base/error.h"
#include "columns/gather.h"

#include <set>
#include <span>

namespace accelerant::operators {

using columns::ColumnPtr;

namespace {

/// Twice as many have numbers, too.
constexpr int64_t kMostRows = int64_t{1} << 30;

}  // namespace

std::vector<int> columns_of_window(const plan::Window& node) {
  std::set<int> columns;
  for (const plan::SortKey& key : node.keys) columns.insert(key.column);
  for (const plan::WindowCall& call : node.calls) {
    columns.insert(call.arguments.begin(), call.arguments.end());
    for (const plan::FrameBound& bound : {call.frame.lower, call.frame.upper}) {
      if (bound.kind == plan::FrameBound::Kind::Value) columns.insert(bound.column);
    }
  }
  return {columns.begin(), columns.end()};
}

WindowRows::WindowRows(const plan::Window& node, const SortedRows& sorted, int64_t begin, int64_t end,
                       const execution::OperatorContext& ctx)
    : rows(ctx.budget), partition(ctx.budget), partitions(ctx.budget) {
  if (end - begin > kMostRows) {
    throw Error(ErrorKind::Resource, "Window holds at most 1,073,741,824 rows of a window partition")
        .at_plan_node(ctx.plan_node);
  }
  take(sorted, begin, end, ctx);
  gather(node, sorted, ctx);
  find_partitions(node, ctx);
}

void WindowRows::take(const SortedRows& sorted, int64_t begin, int64_t end, const execution::OperatorContext& ctx) {
  rows.reserve(end - begin);
  const RunMerge merge(sorted.runs());
  RunMerge::Position position = merge.position_of(begin);
  while (rows.size() < end - begin) {
    const int64_t count = std::min<int64_t>(kWindowRowsBetweenLooks, end - begin - rows.size());
    rows.append(merge.take(position, count, *ctx.cancellation));
  }
}

void WindowRows::gather(const plan::Window& node, const SortedRows& sorted, const execution::OperatorContext& ctx) {
  const std::vector<int> read = columns_of_window(node);
  columns.resize(read.empty() ? 0 : static_cast<size_t>(read.back()) + 1);
  std::vector<std::vector<ColumnPtr>> parts(read.size());
  for_each_stretch(0, num_rows(), ctx, [&](int32_t first, int32_t end) {
    const auto stretch = std::span<const columns::PartRow>(rows.span())
                             .subspan(static_cast<size_t>(first), static_cast<size_t>(end - first));
    const std::vector<ColumnPtr> gathered = sorted.gather(stretch, read);
    for (size_t i = 0; i < read.size(); ++i) parts[i].push_back(gathered[i]);
  });
  for (size_t i = 0; i < read.size(); ++i) {
    columns[static_cast<size_t>(read[i])] = parts[i].size() == 1
                                                ? columns::flatten(parts[i].front(), ctx.budget)
                                                : columns::concatenate(parts[i], ctx.budget, ctx.cancellation);
    parts[i].clear();
  }
}

void WindowRows::find_partitions(const plan::Window& node, const execution::OperatorContext& ctx) {
  for (const plan::WindowCall& call : node.calls) {
    if (std::ranges::find(peers_, call.num_keys, &Peers::num_keys) != peers_.end()) continue;
    peers_.push_back({call.num_keys, memory::Array<int32_t>(ctx.budget)});
  }
  const KeyOrder order(node.keys);
  partition.reserve(num_rows());
  memory::Array<int32_t> num_equal(ctx.budget);
  for_each_stretch(0, num_rows(), ctx, [&](int32_t first, int32_t end) {
    num_equal.resize(end - first);
    order.count_equal(columns, first, num_equal.span());
    for (int32_t row = first; row < end; ++row) {
      note_row(row, static_cast<size_t>(num_equal[row - first]), node.num_partition_keys);
    }
  });
  partitions.push_back(num_rows());
  for (Peers& peers : peers_) peers.begins.push_back(num_rows());
}

void WindowRows::note_row(int32_t row, size_t num_equal, size_t num_partition_keys) {
  if (row == 0 || num_equal < num_partition_keys) partitions.push_back(row);
  for (Peers& peers : peers_) {
    if (row == 0 || num_equal < peers.num_keys) peers.begins.push_back(row);
  }
  partition.push_back(static_cast<int32_t>(partitions.size()) - 1);
}

const memory::Array<int32_t>& WindowRows::peers(size_t num_keys) const {
  return std::ranges::find(peers_, num_keys, &Peers::num_keys)->begins;
}

}  // namespace accelerant::operators
