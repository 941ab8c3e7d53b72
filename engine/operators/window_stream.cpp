#include "operators/window_stream.h"

#include "columns/gather.h"
#include "operators/call_accumulator.h"
#include "operators/window_frames.h"
#include "operators/window_ranks.h"
#include "operators/window_values.h"

#include <algorithm>
#include <utility>

namespace accelerant::operators {

using columns::ColumnPtr;
using plan::FrameBound;
using plan::WindowCall;
using plan::WindowKind;

namespace {

/// Rows beside a piece that are in memory with it, at most to one side.
constexpr int64_t kMostNearRows = 64 * 1024;

/// What is found out of a row, and of a function at a time: window partition and order, its place, its frame.
constexpr int64_t kBytesOfWindowRow = 40;
/// What a function's result takes of a row that is as wide as most.
constexpr int64_t kBytesOfCallRow = 16;

/// How a function is computed of a piece of a window partition.
enum class PieceWay : uint8_t {
  Ranked,   ///< by how many rows and orders came before, and of shares by the size of the partition
  Near,     ///< of rows at most so far away
  First,    ///< it is the value of the first row of the partition
  Own,      ///< of rows of the piece alone
  Running,  ///< of states that go on from piece to piece
  Total,    ///< it is the same for all rows, and known when all have been read
  None,     ///< not at all
};

bool is_unbounded(const FrameBound& bound) { return bound.kind == FrameBound::Kind::Unbounded; }
bool is_rows(const FrameBound& bound) { return bound.kind == FrameBound::Kind::Rows; }
bool is_peers(const FrameBound& bound) { return bound.kind == FrameBound::Kind::Peers; }
/// Says whether frames end with their row, or with its peers.
bool ends_here(const FrameBound& bound) { return is_peers(bound) || (is_rows(bound) && bound.rows == 0); }

PieceWay way_of_value(const WindowCall& call) {
  const FrameBound& lower = call.frame.lower;
  const FrameBound& upper = call.frame.upper;
  const bool is_last = call.kind == WindowKind::LastValue;
  if (is_rows(lower) && is_rows(upper)) return PieceWay::Near;
  if (call.ignores_nulls || call.number != 1 || !is_unbounded(lower)) return PieceWay::None;
  if (is_last) return is_unbounded(upper) ? PieceWay::Total : is_rows(upper) ? PieceWay::Near : PieceWay::Own;
  const bool has_first_row = !is_rows(upper) || upper.rows >= 0;
  return has_first_row ? PieceWay::First : PieceWay::None;
}

PieceWay way_of_aggregate(const WindowCall& call) {
  const FrameBound& lower = call.frame.lower;
  const FrameBound& upper = call.frame.upper;
  if (call.frame.is_whole_partition()) return PieceWay::Total;
  if (is_rows(lower) && is_rows(upper)) return PieceWay::Near;
  if (is_peers(lower) && is_peers(upper)) return PieceWay::Own;
  if (is_unbounded(lower) && ends_here(upper) && !call.aggregate.overload->collects) return PieceWay::Running;
  return PieceWay::None;
}

PieceWay way_of(const WindowCall& call) {
  if (is_rank(call.kind)) return PieceWay::Ranked;
  if (call.kind == WindowKind::Shift) return call.ignores_nulls ? PieceWay::None : PieceWay::Near;
  const PieceWay way = call.kind == WindowKind::Aggregate ? way_of_aggregate(call) : way_of_value(call);
  const bool has_values =
      call.frame.lower.kind == FrameBound::Kind::Value || call.frame.upper.kind == FrameBound::Kind::Value;
  return has_values ? PieceWay::None : way;
}

/// Says whether a function asks for the size of the partition.
bool asks_for_size(WindowKind kind) {
  return kind == WindowKind::NTile || kind == WindowKind::PercentRank || kind == WindowKind::CumeDist;
}

/// Says whether a function asks which rows are of equal order.
bool asks_for_peers(const WindowCall& call) {
  if (is_rank(call.kind)) return call.kind != WindowKind::RowNumber && call.kind != WindowKind::NTile;
  return is_peers(call.frame.lower) || is_peers(call.frame.upper);
}

/// Returns how far a function looks, to one side.
int64_t reach_to(const WindowCall& call, bool behind) {
  if (call.kind == WindowKind::Shift) return std::max<int64_t>(0, behind ? call.number : -call.number);
  int64_t reach = 0;
  for (const FrameBound& bound : {call.frame.lower, call.frame.upper}) {
    if (is_rows(bound)) reach = std::max(reach, behind ? bound.rows : -bound.rows);
  }
  return reach;
}

}  // namespace

bool looks_at_near_rows(const WindowCall& call) { return way_of(call) == PieceWay::Near; }

int64_t bytes_to_compute(const plan::Window& node, int64_t num_rows, int64_t num_bytes) {
  const auto num_calls = static_cast<int64_t>(node.calls.size());
  return num_bytes + num_rows * (kBytesOfWindowRow + kBytesOfCallRow * num_calls);
}

WindowReach::WindowReach(const plan::Window& node) : num_keys(node.keys.size()) {
  for (const WindowCall& call : node.calls) {
    const PieceWay way = way_of(call);
    can_stream &= way != PieceWay::None;
    needs_totals |= way == PieceWay::Total || asks_for_size(call.kind);
    if (asks_for_peers(call) && way != PieceWay::First) {
      needs_peers = true;
      num_keys = std::min(num_keys, call.num_keys);
    }
    if (way != PieceWay::Near) continue;
    has_near_rows = true;
    before = std::max(before, reach_to(call, false));
    behind = std::max(behind, reach_to(call, true));
  }
  can_stream &= std::max(before, behind) <= kMostNearRows;
  can_stream &= !needs_peers || num_keys > node.num_partition_keys;
}

namespace {

/// Returns a value that all rows have, with its errors.
WindowResult same_for_all(const ColumnPtr& value, const std::vector<columns::RowError>& errors, const WindowRows& rows,
                          const execution::OperatorContext& ctx) {
  WindowResult result;
  result.values = value;
  result.places.emplace(ctx.budget);
  result.places->resize(rows.num_rows());
  for (int32_t row = 0; row < rows.num_rows(); ++row) {
    (*result.places)[row] = 0;
    for (const columns::RowError& error : errors) {
      result.errors.push_back(error);
      result.errors.back().row = row;
    }
  }
  return result;
}

/// Returns the value of a row, which owns its bytes.
ColumnPtr value_of_row(const ColumnPtr& column, int64_t row, const execution::OperatorContext& ctx) {
  return columns::copy_compact(*columns::flatten(column->slice(row, 1), ctx.budget), ctx.budget);
}

}  // namespace

WindowResult PartitionSoFar::compute(const plan::Window& node, size_t index, const WindowRows& rows,
                                     const execution::OperatorContext& ctx) {
  const WindowCall& call = node.calls[index];
  Call& known = calls_[index];
  const PieceWay way = way_of(call);
  if (way == PieceWay::Ranked) {
    const RankedBefore before{num_rows_, known.num_peers, size_};
    return compute_ranks(call, rows, ctx, &before);
  }
  if (way == PieceWay::First && !known.value) known.value = value_of_row(rows.column(call.arguments.front()), 0, ctx);
  if (known.value) return same_for_all(known.value, known.errors, rows, ctx);
  const WindowFrames frames = find_frames(call, node, rows, ctx);
  if (way == PieceWay::Running) return compute_running(call, rows, frames, ctx, known.running, known.next);
  if (call.kind == WindowKind::Aggregate) return compute_aggregate(call, rows, frames, ctx);
  return compute_frame_values(call, rows, frames, ctx);
}

void PartitionSoFar::pass(const plan::Window& node, const WindowRows& rows) {
  num_rows_ += rows.num_rows();
  for (size_t i = 0; i < calls_.size(); ++i) {
    calls_[i].num_peers += rows.peers(node.calls[i].num_keys).size() - 1;
    if (calls_[i].next.states) calls_[i].running = std::move(calls_[i].next);
  }
}

void PartitionSoFar::add_to_totals(const plan::Window& node, const columns::Batch& rows,
                                   const execution::OperatorContext& ctx) {
  for (; next_total_ < calls_.size(); ++next_total_) {
    const WindowCall& call = node.calls[next_total_];
    if (way_of(call) == PieceWay::Total) add_to_total(call, calls_[next_total_], rows, ctx);
  }
  next_total_ = 0;
  size_ += rows.num_rows;
}

void PartitionSoFar::add_to_total(const WindowCall& call, Call& known, const columns::Batch& rows,
                                  const execution::OperatorContext& ctx) const {
  if (call.kind != WindowKind::Aggregate) {
    known.value = value_of_row(rows.columns[static_cast<size_t>(call.arguments.front())], rows.num_rows - 1, ctx);
    return;
  }
  if (!known.total) {
    std::unique_ptr<aggregates::Accumulator> total = call.aggregate.make_in_order(ctx);
    if (!total) total = make_call_accumulator(call.aggregate, ctx);
    total->resize(2);
    known.total = std::move(total);
  }
  std::vector<ColumnPtr> arguments;
  for (const int argument : call.arguments) {
    arguments.push_back(columns::flatten(rows.columns[static_cast<size_t>(argument)], ctx.budget));
  }
  known.total->update({nullptr, rows.num_rows, 2, size_}, arguments);
}

void PartitionSoFar::complete_totals() {
  for (Call& known : calls_) {
    if (!known.total) continue;
    known.total->seal();
    known.value = known.total->finish(1, 1, known.errors);
    known.total.reset();
  }
}

}  // namespace accelerant::operators
