#include "planner/distinct_sides.h"

#include "columns/column.h"
#include "plan/constants.h"
#include "plan/filter.h"
#include "plan/join.h"
#include "plan/project.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace accelerant::planner {

using plan::Node;
using plan::NodePtr;

namespace {

/// Returns a tree with what takes the places of its topmost nodes that something does, of those from the root down.
/// @param in_place_of returns what takes a node's place; nullptr: nothing does
NodePtr replace_topmost(const NodePtr& node, const auto& in_place_of) {
  if (NodePtr other = in_place_of(node)) return other;
  std::vector<NodePtr> inputs;
  for (const NodePtr& input : node->inputs) inputs.push_back(replace_topmost(input, in_place_of));
  if (inputs == node->inputs) return node;
  const std::shared_ptr<Node> changed = node->clone();
  changed->inputs = std::move(inputs);
  return changed;
}

/// Says whether a node joins rows that are only chosen and computed above, without errors: those of a row that a join
/// is to look up are told apart from others, as Spark may leave the join out, those of an aggregate's row are not.
bool chooses_of_join(const Node& node) {
  if (node.is<plan::Join>()) return true;
  const bool is_passing = node.is<plan::Project>() || node.is<plan::Filter>();
  const auto can_fail = [](const plan::ProgramPtr& program) { return program && program->can_fail(); };
  return is_passing && std::ranges::none_of(node.passing_programs(), can_fail) && chooses_of_join(*node.inputs.front());
}

/// Says whether values of a column that are equal as keys are equal in all.
bool is_told_by_key(const plan::OutputColumn& column) {
  return plan::may_be_grouped(column.type) && !column.type.is_floating() && !column.type.is_nested();
}

/// Right sides of joins that ask of them only whether there is a row, and are the same joins below.
struct RepeatedSide {
  std::vector<NodePtr> members;
  plan::ColumnMask read;  ///< the columns that the joins read
  double weight = 0;      ///< of how many members what they do below is saved
};

/// Finds such sides. Distinct rows will do for their joins, and these, an aggregate's, can be shared.
class RepeatedSides {
 public:
  explicit RepeatedSides(const NodeComparison& comparison) : comparison_(comparison) {}

  /// Finds them in a tree, the topmost ones.
  void collect(const NodePtr& node) {
    const auto* join = plan::node_as<plan::Join>(node).get();
    if (!join || !could_be_distinct(*join)) {
      for (const NodePtr& input : node->inputs) collect(input);
      return;
    }
    collect(join->inputs[0]);
    if (!add(*join)) collect(join->inputs[1]);
  }

  /// Returns a tree in which they are distinct rows.
  NodePtr apply(const NodePtr& root) const {
    return replace_topmost(root, [&](const NodePtr& node) -> NodePtr {
      for (const RepeatedSide& side : sides_) {
        const bool is_member = std::ranges::find(side.members, node) != side.members.end();
        if (is_member && side.weight > 1) return distinct(node, side.read);
      }
      return nullptr;
    });
  }

 private:
  static bool could_be_distinct(const plan::Join& join) {
    const Node& right = *join.inputs[1];
    // Spark may leave out a right side that it streams, with its errors.
    const bool is_streamed = join.spark_builds_left == true;
    if (!join.emits_left_only() || is_streamed || !chooses_of_join(right)) return false;
    const plan::ColumnMask read = join.columns_read_of(1);
    for (size_t i = 0; i < read.size(); ++i) {
      if (read[i] && !is_told_by_key(right.output[i])) return false;
    }
    return std::ranges::find(read, true) != read.end();
  }

  /// Adds the right side of a join to its like; returns false where it is the first.
  bool add(const plan::Join& join) {
    const NodePtr& right = join.inputs[1];
    const plan::ColumnMask read = join.columns_read_of(1);
    const auto like = std::ranges::find_if(sides_, [&](const RepeatedSide& side) {
      return side.read == read && comparison_.are_equal(*side.members.front(), *right);
    });
    const bool is_first = like == sides_.end();
    if (is_first) sides_.push_back({{}, read});
    RepeatedSide& side = is_first ? sides_.back() : *like;
    side.members.push_back(right);
    // Keys of a left side that is built may leave few of the rows below.
    side.weight += join.builds_left ? 0.5 : 1;
    return !is_first;
  }

  /// Returns the distinct values of the columns that are read; others are null.
  static NodePtr distinct(const NodePtr& rows, const plan::ColumnMask& read) {
    auto node = std::make_shared<plan::Aggregate>();
    node->plan_node = rows->plan_node;
    node->inputs = {rows};
    node->output = rows->output;
    expressions::ProgramBuilder input;
    expressions::ProgramBuilder result;
    std::vector<expressions::Slot> keys;
    std::vector<expressions::Slot> outputs;
    for (size_t i = 0; i < read.size(); ++i) {
      plan::OutputColumn& column = node->output[i];
      if (read[i]) {
        outputs.push_back(result.input(static_cast<int>(keys.size()), column.type, column.nullable));
        keys.push_back(input.input(static_cast<int>(i), column.type, column.nullable));
        node->keys.push_back(column);
      } else {
        outputs.push_back(
            result.literal(columns::Column::nulls(column.type, 1, memory::process_budget())->child_values()));
        column.nullable = true;
      }
    }
    node->input = std::move(input).finish(keys);
    node->result = std::move(result).finish(outputs);
    return node;
  }

  const NodeComparison& comparison_;
  std::vector<RepeatedSide> sides_;
};

}  // namespace

void make_repeated_sides_distinct(plan::BoundPlan& plan, const NodeComparison& comparison) {
  RepeatedSides sides(comparison);
  plan::for_each_root(plan, [&](NodePtr& root) { sides.collect(root); });
  plan::for_each_root(plan, [&](NodePtr& root) { root = sides.apply(root); });
}

}  // namespace accelerant::planner
