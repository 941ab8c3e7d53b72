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

int32_t checked_count(int64_t num_rows, const execution::OperatorContext& ctx) {
  if (num_rows <= kMostRows) return static_cast<int32_t>(num_rows);
  throw Error(ErrorKind::Unsupported, "Window holds at most 1,073,741,824 rows of a window partition")
      .at_plan_node(ctx.plan_node);
}

int64_t count_rows(std::span<const columns::Batch> batches) {
  int64_t num_rows = 0;
  for (const columns::Batch& batch : batches) num_rows += batch.num_rows;
  return num_rows;
}

/// Returns some parts of a column as one, flat.
ColumnPtr joined(const std::vector<ColumnPtr>& parts, const execution::OperatorContext& ctx) {
  return parts.size() == 1 ? columns::flatten(parts.front(), ctx.budget)
                           : columns::concatenate(parts, ctx.budget, ctx.cancellation);
}

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
    : partition(ctx.budget),
      partitions(ctx.budget),
      num_rows_(checked_count(end - begin, ctx)),
      sorted_(&sorted),
      rows_(ctx.budget) {
  take(begin, end, ctx);
  gather(node, ctx);
  find_partitions(node, ctx);
}

WindowRows::WindowRows(const plan::Window& node, std::span<const columns::Batch> batches,
                       const execution::OperatorContext& ctx)
    : partition(ctx.budget),
      partitions(ctx.budget),
      num_rows_(checked_count(count_rows(batches), ctx)),
      rows_(ctx.budget) {
  join(node, batches, ctx);
  find_partitions(node, ctx);
}

void WindowRows::take(int64_t begin, int64_t end, const execution::OperatorContext& ctx) {
  rows_.reserve(end - begin);
  const RunMerge merge(sorted_->runs());
  RunMerge::Position position = merge.position_of(begin);
  while (rows_.size() < end - begin) {
    const int64_t count = std::min<int64_t>(kWindowRowsBetweenLooks, end - begin - rows_.size());
    rows_.append(merge.take(position, count, *ctx.cancellation));
  }
}

void WindowRows::gather(const plan::Window& node, const execution::OperatorContext& ctx) {
  const std::vector<int> wanted = columns_of_window(node);
  columns_.resize(wanted.empty() ? 0 : static_cast<size_t>(wanted.back()) + 1);
  std::vector<std::vector<ColumnPtr>> parts(wanted.size());
  for_each_stretch(0, num_rows(), ctx, [&](int32_t first, int32_t end) {
    const std::vector<ColumnPtr> gathered = read(first, end - first, wanted);
    for (size_t i = 0; i < wanted.size(); ++i) parts[i].push_back(gathered[i]);
  });
  for (size_t i = 0; i < wanted.size(); ++i) {
    columns_[static_cast<size_t>(wanted[i])] = joined(parts[i], ctx);
    parts[i].clear();
  }
}

void WindowRows::join(const plan::Window& node, std::span<const columns::Batch> batches,
                      const execution::OperatorContext& ctx) {
  columns_.resize(batches.front().columns.size());
  for (const int column : columns_of_window(node)) {
    std::vector<ColumnPtr> parts;
    for (const columns::Batch& batch : batches) parts.push_back(batch.columns[static_cast<size_t>(column)]);
    columns_[static_cast<size_t>(column)] = joined(parts, ctx);
  }
  batches_.assign(batches.begin(), batches.end());
  for (const columns::Batch& batch : batches) {
    ends_.push_back((ends_.empty() ? 0 : ends_.back()) + static_cast<int32_t>(batch.num_rows));
  }
}

int64_t WindowRows::num_together(int32_t first) const {
  return (sorted_ ? num_rows_ : *std::ranges::upper_bound(ends_, first)) - first;
}

std::vector<ColumnPtr> WindowRows::read(int32_t first, int64_t length, std::span<const int> wanted) const {
  if (sorted_) {
    const auto rows = std::span<const columns::PartRow>(rows_.span());
    return sorted_->gather(rows.subspan(static_cast<size_t>(first), static_cast<size_t>(length)), wanted);
  }
  const auto at = static_cast<size_t>(std::ranges::upper_bound(ends_, first) - ends_.begin());
  const int64_t begin = ends_[at] - batches_[at].num_rows;
  std::vector<ColumnPtr> slices;
  for (const int column : wanted) {
    slices.push_back(batches_[at].columns[static_cast<size_t>(column)]->slice(first - begin, length));
  }
  return slices;
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
    order.count_equal(columns_, first, num_equal.span());
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
