#include "plan/window.h"

#include "expressions/moved_program.h"
#include "plan/estimates.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace accelerant::plan {

namespace {

std::string_view name_of(WindowKind kind) {
  switch (kind) {
    case WindowKind::RowNumber:
      return "row_number";
    case WindowKind::Rank:
      return "rank";
    case WindowKind::DenseRank:
      return "dense_rank";
    case WindowKind::PercentRank:
      return "percent_rank";
    case WindowKind::CumeDist:
      return "cume_dist";
    case WindowKind::NTile:
      return "ntile";
    case WindowKind::Shift:
      return "lead";
    case WindowKind::NthValue:
      return "nth_value";
    case WindowKind::LastValue:
      return "last_value";
    case WindowKind::Aggregate:
      return "aggregate";
  }
  return "";
}

std::string name_of(const WindowCall& call) {
  if (call.kind == WindowKind::Aggregate) return std::string(call.aggregate.name());
  const bool is_lag = call.kind == WindowKind::Shift && call.number < 0;
  return is_lag ? "lag" : std::string(name_of(call.kind));
}

/// Calls `change` with each column that a call reads.
template <class Change>
void for_each_column(WindowCall& call, const Change& change) {
  for (int& column : call.arguments) change(column);
  for (FrameBound* bound : {&call.frame.lower, &call.frame.upper}) {
    if (bound->kind == FrameBound::Kind::Value) change(bound->column);
  }
}

bool is_of_rows(const FrameBound& bound) { return bound.kind == FrameBound::Kind::Rows; }

/// Says whether a result depends on which of rows of equal order comes first.
bool is_order_sensitive(const WindowCall& call) {
  switch (call.kind) {
    case WindowKind::Rank:
    case WindowKind::DenseRank:
    case WindowKind::PercentRank:
    case WindowKind::CumeDist:
      return false;
    case WindowKind::Aggregate:
      return call.aggregate.description().order_sensitive || is_of_rows(call.frame.lower) ||
             is_of_rows(call.frame.upper);
    case WindowKind::RowNumber:
    case WindowKind::NTile:
    case WindowKind::Shift:
    case WindowKind::NthValue:
    case WindowKind::LastValue:
      return true;
  }
  return true;
}

}  // namespace

std::string describe(const RankLimit& limit) {
  return std::string(name_of(limit.rank)) + "<=" + std::to_string(limit.rows);
}

std::string Window::describe() const {
  std::string text = plan::describe(keys) + " partition=" + std::to_string(num_partition_keys) + " calls=[";
  for (size_t i = 0; i < calls.size(); ++i) text += (i > 0 ? ", " : "") + name_of(calls[i]);
  return text + "]" + (limit ? " " + plan::describe(*limit) : "");
}

std::vector<ColumnMask> Window::columns_read(const ColumnMask&) const {
  std::vector<ColumnMask> read = columns_read_to_sort(keys, ColumnMask(inputs.front()->output.size(), false));
  const auto add = [&](int column) {
    if (static_cast<size_t>(column) < read.front().size()) read.front()[static_cast<size_t>(column)] = true;
  };
  std::ranges::for_each(passed, add);
  for (WindowCall call : calls) for_each_column(call, add);
  add_inputs(read.front(), computed.get());
  return read;
}

bool Window::fails_by_itself() const {
  return std::ranges::any_of(
      calls, [](const WindowCall& call) { return call.kind == WindowKind::Aggregate && call.aggregate.can_fail(); });
}

ColumnPositions Window::put_above(std::vector<NodePtr> changed, std::span<const ColumnPositions> places) {
  const size_t num_columns = changed.front()->output.size();
  const ColumnPositions& moved = places.front();
  const auto move = [&](int& column) {
    const auto before = static_cast<size_t>(column);
    column = before < moved.size() ? moved[before].value() : static_cast<int>(before - moved.size() + num_columns);
  };
  move_keys(keys, moved, num_columns);
  std::ranges::for_each(passed, move);
  for (WindowCall& call : calls) for_each_column(call, move);
  computed = expressions::moved(computed, moved);
  return stay_above(std::move(changed));
}

std::vector<ColumnOrigin> Window::origins_of(int column) const {
  const auto index = static_cast<size_t>(column);
  return index < passed.size() ? std::vector<ColumnOrigin>{{0, passed[index]}} : std::vector<ColumnOrigin>();
}

double Window::estimate_rows(Estimates& estimates) const { return estimates.rows(*inputs.front()); }

bool Window::chooses_rows() const { return std::ranges::any_of(calls, is_order_sensitive); }

}  // namespace accelerant::plan
