#include "planner/join_graph.h"

#include "plan/project.h"

#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace accelerant::planner {

using expressions::Program;
using expressions::ProgramBuilder;
using plan::Join;
using plan::NodePtr;
using ProgramPtr = std::shared_ptr<const Program>;

namespace {

/// Returns a program of one output of another, with its columns renumbered; nullptr where one has no number.
ProgramPtr renumbered(const Program& program, int output, const std::vector<std::optional<int>>& columns) {
  ProgramBuilder builder;
  const auto slot = builder.include(program, output, columns);
  return slot ? std::move(builder).finish({&*slot, 1}) : nullptr;
}

std::vector<std::optional<int>> as_numbers(const std::vector<int>& columns) { return {columns.begin(), columns.end()}; }

bool only_chooses_columns(const plan::Node& node) {
  return node.is<plan::Project>() && node.as<plan::Project>().only_chooses();
}

bool can_be_moved(const plan::Node& node) {
  if (!node.is<Join>()) return false;
  const auto& join = node.as<Join>();
  return join.type == plan::JoinType::Inner && join.left_keys && !join.can_fail();
}

/// Says whether a node is a join that can be moved, or chooses columns of one.
bool is_part(const plan::Node& node) {
  return can_be_moved(node) || (only_chooses_columns(node) && is_part(*node.inputs.front()));
}

class Taker {
 public:
  /// A part of the joins: its tree, and the numbers of the columns that it emits.
  struct Part {
    JoinTreePtr tree;
    std::vector<int> columns;
  };

  Part take(const NodePtr& node) {
    if (!is_part(*node)) return take_input(node);
    if (!node->is<Join>()) return take_choice(*node);
    return take_join(node);
  }

  bool failed() const { return failed_; }
  JoinGraph graph;

 private:
  Part take_input(const NodePtr& node) {
    Part part;
    if (graph.inputs.size() == JoinGraph::kMaxInputs) {
      failed_ = true;
      return part;
    }
    part.tree = std::make_shared<JoinTree>(JoinTree{InputSet{1} << graph.inputs.size(), nullptr, nullptr});
    graph.first_columns.push_back(num_columns_);
    for (size_t i = 0; i < node->output.size(); ++i) part.columns.push_back(num_columns_++);
    graph.inputs.push_back(node);
    return part;
  }

  Part take_choice(const plan::Node& node) {
    const Part below = take(node.inputs.front());
    Part part{below.tree, {}};
    const Program& program = *node.as<plan::Project>().program;
    for (int i = 0; i < program.num_outputs() && !failed_; ++i) {
      part.columns.push_back(below.columns[static_cast<size_t>(*program.input_of(i))]);
    }
    graph.dissolved.push_back(node.plan_node);
    graph.dissolved.insert(graph.dissolved.end(), node.fused.begin(), node.fused.end());
    return part;
  }

  Part take_join(const NodePtr& node) {
    const auto& join = node->as<Join>();
    const Part left = take(join.inputs[0]);
    const Part right = take(join.inputs[1]);
    if (failed_) return {};
    add_equalities(join, left, right);
    Part part{std::make_shared<JoinTree>(JoinTree{left.tree->inputs | right.tree->inputs, left.tree, right.tree}),
              left.columns};
    part.columns.insert(part.columns.end(), right.columns.begin(), right.columns.end());
    if (join.condition) add_condition(*join.condition, part);
    graph.joins.push_back(node);
    return part;
  }

  void add_equalities(const Join& join, const Part& left, const Part& right) {
    for (int key = 0; key < join.left_keys->num_outputs(); ++key) {
      JoinGraph::Equality equality;
      equality.values[0] = renumbered(*join.left_keys, key, as_numbers(left.columns));
      equality.values[1] = renumbered(*join.right_keys, key, as_numbers(right.columns));
      for (int side = 0; side < 2; ++side) {
        const InputSet inputs = inputs_of(*equality.values[side]);
        // A key of several inputs, or of none, ties joins together in ways that are not looked at.
        if (!std::has_single_bit(inputs)) failed_ = true;
        equality.inputs[side] = std::countr_zero(inputs);
      }
      graph.equalities.push_back(std::move(equality));
    }
  }

  void add_condition(const Program& condition, const Part& part) {
    JoinGraph::Condition added;
    added.program = renumbered(condition, 0, as_numbers(part.columns));
    added.inputs = inputs_of(*added.program);
    if (std::popcount(added.inputs) < 2) failed_ = true;
    graph.conditions.push_back(std::move(added));
  }

  InputSet inputs_of(const Program& program) const {
    InputSet inputs = 0;
    for (const int column : program.inputs()) inputs |= InputSet{1} << graph.input_of(column);
    return inputs;
  }

  int num_columns_ = 0;
  bool failed_ = false;
};

/// Finds columns that equalities make equal through others, and adds the equalities that these imply.
class KeyClasses {
 public:
  explicit KeyClasses(JoinGraph& graph) : graph_(graph) {}

  void add_implied_equalities() {
    for (const JoinGraph::Equality& equality : graph_.equalities) tie(equality);
    for (std::vector<int>& columns : classes_) {
      if (columns.size() > 2 && !has_two_of_one_input(columns)) add(columns);
    }
  }

 private:
  void tie(const JoinGraph::Equality& equality) {
    const auto first = equality.values[0]->input_of(0);
    const auto second = equality.values[1]->input_of(0);
    if (!first || !second) return;
    std::vector<int> tied{*first, *second};
    std::erase_if(classes_, [&](const std::vector<int>& columns) {
      const bool meets = std::ranges::find_first_of(columns, std::array{*first, *second}) != columns.end();
      if (meets) tied.insert(tied.end(), columns.begin(), columns.end());
      return meets;
    });
    std::ranges::sort(tied);
    tied.erase(std::unique(tied.begin(), tied.end()), tied.end());
    classes_.push_back(std::move(tied));
  }

  bool has_two_of_one_input(const std::vector<int>& columns) const {
    return std::ranges::adjacent_find(columns, {}, [&](int column) { return graph_.input_of(column); }) !=
           columns.end();
  }

  void add(const std::vector<int>& columns) {
    const int key_class = graph_.num_key_classes++;
    std::set<std::pair<int, int>> stated;
    for (JoinGraph::Equality& equality : graph_.equalities) {
      const auto first = equality.values[0]->input_of(0);
      const auto second = equality.values[1]->input_of(0);
      if (!first || !second || !std::ranges::binary_search(columns, *first)) continue;
      equality.key_class = key_class;
      stated.insert(std::minmax({*first, *second}));
    }
    for (size_t i = 0; i < columns.size(); ++i) {
      for (size_t j = i + 1; j < columns.size(); ++j) {
        if (!stated.contains({columns[i], columns[j]})) add_implied(columns[i], columns[j], key_class);
      }
    }
  }

  void add_implied(int first, int second, int key_class) {
    JoinGraph::Equality equality{
        {value_of(first), value_of(second)}, {graph_.input_of(first), graph_.input_of(second)}, key_class, true};
    graph_.equalities.push_back(std::move(equality));
  }

  ProgramPtr value_of(int column) const {
    const auto input = static_cast<size_t>(graph_.input_of(column));
    const auto& described = graph_.inputs[input]->output[static_cast<size_t>(column - graph_.first_columns[input])];
    ProgramBuilder builder;
    const expressions::Slot slot = builder.input(column, described.type, described.nullable);
    return std::move(builder).finish({&slot, 1});
  }

  JoinGraph& graph_;
  std::vector<std::vector<int>> classes_;  ///< the columns of each, ascending
};

/// Makes the nodes of a tree.
class Maker {
 public:
  explicit Maker(const JoinGraph& graph) : graph_(graph), equalities_(in_order_of_choice(graph)) {}

  struct Made {
    NodePtr node;
    std::vector<int> columns;  ///< the numbers of those it emits
  };

  Made make(const JoinTree& tree) {
    if (!tree.left) return input(static_cast<size_t>(std::countr_zero(tree.inputs)));
    const Made left = make(*tree.left);
    const Made right = make(*tree.right);
    const plan::Node& original = *graph_.joins[num_made_++];
    auto join = std::make_shared<Join>();
    join->plan_node = original.plan_node;
    join->fused = original.fused;
    join->output = left.node->output;
    join->output.insert(join->output.end(), right.node->output.begin(), right.node->output.end());
    join->inputs = {left.node, right.node};
    set_keys(*join, tree, left.columns, right.columns);
    Made made{nullptr, left.columns};
    made.columns.insert(made.columns.end(), right.columns.begin(), right.columns.end());
    set_condition(*join, tree, made.columns);
    made.node = std::move(join);
    return made;
  }

  /// Returns the numbered columns' places among those that a node emits.
  static std::vector<std::optional<int>> places_of(const std::vector<int>& columns) {
    std::vector<std::optional<int>> places;
    for (size_t i = 0; i < columns.size(); ++i) {
      const auto column = static_cast<size_t>(columns[i]);
      if (places.size() <= column) places.resize(column + 1);
      places[column] = static_cast<int>(i);
    }
    return places;
  }

 private:
  Made input(size_t index) const {
    Made made{graph_.inputs[index], {}};
    for (size_t i = 0; i < made.node->output.size(); ++i) {
      made.columns.push_back(graph_.first_columns[index] + static_cast<int>(i));
    }
    return made;
  }

  void set_keys(Join& join, const JoinTree& tree, const std::vector<int>& left, const std::vector<int>& right) const {
    ProgramBuilder left_builder;
    ProgramBuilder right_builder;
    std::vector<expressions::Slot> left_keys;
    std::vector<expressions::Slot> right_keys;
    const auto left_places = places_of(left);
    const auto right_places = places_of(right);
    std::set<int> classes;
    for (const JoinGraph::Equality& equality : equalities_) {
      const auto is_in = [&](int side, const JoinTree& part) {
        return (part.inputs >> equality.inputs[side] & 1U) != 0;
      };
      const int left_side = is_in(0, *tree.left) ? 0 : 1;
      if (!is_in(left_side, *tree.left) || !is_in(1 - left_side, *tree.right)) continue;
      if (equality.key_class != JoinGraph::kNoClass && !classes.insert(equality.key_class).second) continue;
      left_keys.push_back(*left_builder.include(*equality.values[left_side], 0, left_places));
      right_keys.push_back(*right_builder.include(*equality.values[1 - left_side], 0, right_places));
    }
    join.left_keys = std::move(left_builder).finish(left_keys);
    join.right_keys = std::move(right_builder).finish(right_keys);
  }

  void set_condition(Join& join, const JoinTree& tree, const std::vector<int>& columns) const {
    ProgramBuilder builder;
    std::vector<expressions::Slot> conditions;
    const auto places = places_of(columns);
    for (const JoinGraph::Condition& condition : graph_.conditions) {
      const auto holds = [&](const JoinTree& part) { return (condition.inputs & ~part.inputs) == 0; };
      if (!holds(tree) || holds(*tree.left) || holds(*tree.right)) continue;
      conditions.push_back(*builder.include(*condition.program, 0, places));
    }
    if (conditions.empty()) return;
    const expressions::Slot all = conditions.size() == 1 ? conditions.front() : builder.conjunction(conditions);
    join.condition = std::move(builder).finish({&all, 1});
  }

  /// Returns equalities that make up a key of several columns before others of their classes: such a key tells more.
  static std::vector<JoinGraph::Equality> in_order_of_choice(const JoinGraph& graph) {
    std::map<std::pair<int, int>, int> num_columns;
    const auto pair_of = [](const JoinGraph::Equality& equality) -> std::pair<int, int> {
      return std::minmax({equality.inputs[0], equality.inputs[1]});
    };
    for (const JoinGraph::Equality& equality : graph.equalities) {
      num_columns[pair_of(equality)] += !equality.is_implied;
    }
    std::vector<JoinGraph::Equality> ordered = graph.equalities;
    std::ranges::stable_sort(ordered, std::greater(),
                             [&](const auto& equality) { return num_columns[pair_of(equality)]; });
    return ordered;
  }

  const JoinGraph& graph_;
  const std::vector<JoinGraph::Equality> equalities_;
  size_t num_made_ = 0;
};

}  // namespace

std::unique_ptr<JoinGraph> JoinGraph::take_apart(const NodePtr& root) {
  if (!is_part(*root)) return nullptr;
  Taker taker;
  Taker::Part part = taker.take(root);
  if (taker.failed() || taker.graph.joins.size() < 2) return nullptr;
  taker.graph.tree = std::move(part.tree);
  taker.graph.output = std::move(part.columns);
  KeyClasses(taker.graph).add_implied_equalities();
  return std::make_unique<JoinGraph>(std::move(taker.graph));
}

int JoinGraph::input_of(int column) const {
  const auto after = std::upper_bound(first_columns.begin(), first_columns.end(), column);
  return static_cast<int>(after - first_columns.begin()) - 1;
}

NodePtr JoinGraph::put_together(const JoinTree& order, const plan::Node& root) const {
  const Maker::Made made = Maker(*this).make(order);
  ProgramBuilder builder;
  std::vector<expressions::Slot> slots;
  const auto places = Maker::places_of(made.columns);
  for (const int column : output) {
    const int place = *places[static_cast<size_t>(column)];
    const plan::OutputColumn& described = made.node->output[static_cast<size_t>(place)];
    slots.push_back(builder.input(place, described.type, described.nullable));
  }
  auto choice = std::make_shared<plan::Project>();
  choice->plan_node = root.plan_node;
  choice->fused = dissolved;
  std::erase(choice->fused, root.plan_node);
  choice->output = root.output;
  choice->inputs = {made.node};
  choice->program = std::move(builder).finish(slots);
  return choice;
}

}  // namespace accelerant::planner
