#include "plan/join.h"

#include "base/error.h"
#include "expressions/moved_program.h"
#include "plan/estimates.h"

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <utility>

namespace accelerant::plan {

namespace {

/// Anti joins are written to find something.
constexpr double kLeastUnmatched = 0.1;

}  // namespace

const char* to_string(JoinType type) {
  switch (type) {
    case JoinType::Inner:
      return "inner";
    case JoinType::LeftOuter:
      return "left outer";
    case JoinType::RightOuter:
      return "right outer";
    case JoinType::FullOuter:
      return "full outer";
    case JoinType::LeftSemi:
      return "left semi";
    case JoinType::LeftAnti:
      return "left anti";
    case JoinType::NullAwareAnti:
      return "null-aware anti";
    case JoinType::LeftSingle:
      return "left single";
    case JoinType::Existence:
      return "existence";
  }
  return "?";
}

std::string Join::describe() const {
  const int num_keys = left_keys ? left_keys->num_outputs() : 0;
  std::string text = std::string(to_string(type)) + " keys=" + std::to_string(num_keys);
  if (condition) text += " condition";
  return text + (builds_left ? " build=left" : " build=right");
}

std::vector<ProgramPtr> Join::passing_programs() const { return programs_of(std::tie(probe_keys(), condition)); }

bool Join::fails_by_itself() const { return type == JoinType::LeftSingle; }

std::vector<ColumnOrigin> Join::origins_of(int column) const {
  const auto num_left = static_cast<int>(inputs[0]->output.size());
  if (column < num_left) return {{0, column}};
  if (type == JoinType::Existence) return {};
  return {{1, column - num_left}};
}

ColumnPositions Join::put_above(std::vector<NodePtr> changed, std::span<const ColumnPositions> places) {
  ACC_CHECK(wanted.empty());
  ColumnPositions both = places[0];
  for (const std::optional<int> place : places[1]) {
    both.push_back(place ? std::optional(*place + static_cast<int>(changed[0]->output.size())) : std::nullopt);
  }
  left_keys = expressions::moved(left_keys, places[0]);
  right_keys = expressions::moved(right_keys, places[1]);
  condition = expressions::moved(condition, both);
  const OutputColumn last = output.empty() ? OutputColumn() : output.back();
  inputs = std::move(changed);
  output = columns_of_inputs();
  if (emits_left_only()) both.resize(places[0].size());
  if (type == JoinType::Existence) {
    both.emplace_back(static_cast<int>(output.size()));
    output.push_back(last);
  }
  return both;
}

std::vector<OutputColumn> Join::columns_of_inputs() const {
  const bool may_lack_left = type == JoinType::RightOuter || type == JoinType::FullOuter;
  const bool may_lack_right =
      type == JoinType::LeftOuter || type == JoinType::LeftSingle || type == JoinType::FullOuter;
  std::vector<OutputColumn> columns = inputs[0]->output;
  for (OutputColumn& column : columns) column.nullable |= may_lack_left;
  if (emits_left_only()) return columns;
  for (const OutputColumn& column : inputs[1]->output) {
    columns.push_back(column);
    columns.back().nullable |= may_lack_right;
  }
  return columns;
}

bool Join::drops_alike(size_t side) const {
  if (type == JoinType::Inner) return true;
  return side == 0 ? type == JoinType::LeftOuter || emits_left_only() : type == JoinType::RightOuter;
}

double Join::equal_share(Estimates& estimates) const {
  std::vector<KeyEstimates> keys;
  for (int key = 0; left_keys && key < left_keys->num_outputs(); ++key) {
    keys.emplace_back(estimates.value(*inputs[0], *left_keys, key), estimates.value(*inputs[1], *right_keys, key));
  }
  return matching_share(keys);
}

double Join::estimate_rows(Estimates& estimates) const {
  const double left = estimates.rows(*inputs[0]);
  const double right = estimates.rows(*inputs[1]);
  const double share = equal_share(estimates);
  const double both = left * right * share;
  const double matched = left * std::min(1.0, right * share);
  switch (type) {
    case JoinType::Inner:
      return condition ? both * estimates.passing_share(*this, {&condition, 1}) : both;
    case JoinType::LeftOuter:
      return std::max(left, both);
    case JoinType::RightOuter:
      return std::max(right, both);
    case JoinType::FullOuter:
      return std::max({left, right, both});
    case JoinType::LeftSemi:
      return matched;
    case JoinType::LeftAnti:
    case JoinType::NullAwareAnti:
      return std::max(left - matched, left * kLeastUnmatched);
    case JoinType::LeftSingle:
    case JoinType::Existence:
      return left;
  }
  return both;
}

bool Join::emits_left_only() const {
  return type == JoinType::LeftSemi || type == JoinType::LeftAnti || type == JoinType::NullAwareAnti ||
         type == JoinType::Existence;
}

bool Join::keeps_probe_rows() const {
  return type == JoinType::FullOuter || type == JoinType::LeftSingle ||
         type == (builds_left ? JoinType::RightOuter : JoinType::LeftOuter);
}

bool Join::keeps_build_rows() const {
  return type == JoinType::FullOuter || type == (builds_left ? JoinType::LeftOuter : JoinType::RightOuter);
}

bool Join::drops_unmatched_probe_rows() const {
  return emits_left_only() ? builds_left || type == JoinType::LeftSemi : !keeps_probe_rows();
}

bool Join::can_build_left() const {
  if (type == JoinType::NullAwareAnti || type == JoinType::Existence || type == JoinType::LeftSingle) return false;
  return !emits_left_only() || !condition || !condition->can_fail();
}

std::vector<ColumnMask> Join::columns_read(const ColumnMask& read) const {
  const size_t num_left = inputs[0]->output.size();
  ColumnMask both(num_left + inputs[1]->output.size(), false);
  for (size_t i = 0; i < both.size() && i < read.size(); ++i) {
    both[i] = read[i] && (i < num_left || !emits_left_only());
  }
  add_inputs(both, condition.get());
  const auto end_of_left = both.begin() + static_cast<std::ptrdiff_t>(num_left);
  std::vector<ColumnMask> sides = {{both.begin(), end_of_left}, {end_of_left, both.end()}};
  add_inputs(sides[0], left_keys.get());
  add_inputs(sides[1], right_keys.get());
  return sides;
}

ColumnMask Join::columns_read_of(size_t side) const {
  return columns_read(wanted.empty() ? ColumnMask(output.size(), true) : wanted)[side];
}

Partitioning Join::partitioning(std::span<const Partitioning>) const {
  return type == JoinType::FullOuter ? Partitioning::Single : Partitioning::Shared;
}

}  // namespace accelerant::plan
