#pragma once

#include "plan/aggregate.h"
#include "plan/filter.h"
#include "plan/join.h"
#include "plan/node.h"
#include "plan/project.h"
#include "plan/sort.h"
#include "plan/union.h"

#include <array>
#include <optional>
#include <utility>
#include <vector>

/// Where a wish goes that rows be dropped by the value of a column: from a node down to the inputs which that column
/// comes from, but through nothing that may fail of a row, as a row that is dropped fails no more. A wish is a struct
/// with an `int column`, its position in the output of the node at hand.
namespace accelerant::planner {

/// Follows wishes through a program, to the columns that its outputs are.
template <class Wish>
std::vector<Wish> pass_through(const expressions::Program& program, const std::vector<Wish>& wishes) {
  std::vector<Wish> passed;
  for (Wish wish : wishes) {
    const std::optional<int> column = program.input_of(wish.column);
    if (!column) continue;
    wish.column = *column;
    passed.push_back(std::move(wish));
  }
  return passed;
}

/// Follows wishes to the keys of an aggregate: all rows of a group have the same. Its other columns are computed.
template <class Wish>
std::vector<Wish> pass_through(const plan::Aggregate& aggregate, const std::vector<Wish>& wishes) {
  std::vector<Wish> keys = pass_through(*aggregate.result, wishes);
  std::erase_if(keys, [&](const Wish& wish) { return wish.column >= static_cast<int>(aggregate.keys.size()); });
  return pass_through(*aggregate.input, keys);
}

/// Returns what becomes of wishes in the inputs of a node that is no join.
template <class Wish>
std::vector<Wish> pass_to_inputs(const plan::Node& node, const std::vector<Wish>& wishes) {
  if (node.is<plan::Sort>() || node.is<plan::Union>()) return wishes;
  if (node.is<plan::Filter>() && !node.as<plan::Filter>().program->can_fail()) return wishes;
  if (node.is<plan::Project>() && !node.as<plan::Project>().program->can_fail()) {
    return pass_through(*node.as<plan::Project>().program, wishes);
  }
  if (node.is<plan::Aggregate>() && !node.as<plan::Aggregate>().can_fail()) {
    return pass_through(node.as<plan::Aggregate>(), wishes);
  }
  return {};
}

/// Returns what becomes of wishes in the left and in the right input of a join.
template <class Wish>
std::array<std::vector<Wish>, 2> pass_to_sides(const plan::Join& join, const std::vector<Wish>& wishes) {
  using plan::JoinType;
  std::array<std::vector<Wish>, 2> sides;
  if (join.can_fail()) return sides;
  // A row may go where it makes no difference but to the rows that it is part of.
  const bool passes_left =
      join.type == JoinType::Inner || join.type == JoinType::LeftOuter || join.gives_out_left_only();
  const bool passes_right = join.type == JoinType::Inner || join.type == JoinType::RightOuter;
  const auto num_left = static_cast<int>(join.inputs[0]->output.size());
  for (Wish wish : wishes) {
    const bool is_left = wish.column < num_left;
    if (is_left ? !passes_left : !passes_right) continue;
    if (!is_left) wish.column -= num_left;
    sides[is_left ? 0 : 1].push_back(std::move(wish));
  }
  return sides;
}

}  // namespace accelerant::planner
