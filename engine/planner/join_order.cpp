#include "planner/join_order.h"

#include "planner/join_graph.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace accelerant::planner {

using plan::NodePtr;

namespace {

/// All trees of up to so many inputs are looked at: 29,000 pairs of sets.
constexpr size_t kMaxSearched = 10;
/// Another order than Spark's has to cost at most this share of it: estimates are coarse.
constexpr double kWorthwhile = 0.9;

constexpr double kNever = std::numeric_limits<double>::infinity();

/// Estimates what sets of a graph's inputs give when they are joined, and what trees cost.
class Costs {
 public:
  Costs(const JoinGraph& graph, Estimator& estimator) : graph_(graph), estimator_(estimator) {
    for (const NodePtr& input : graph.inputs) rows_.push_back(estimator.rows(*input));
    add_equalities();
    for (const auto& condition : graph.conditions) {
      const double share = expressions::passing_share(
          {&condition.program, 1}, [&](int column) -> expressions::ColumnEstimate { return estimate(column); });
      shares_.emplace_back(condition.inputs, share);
    }
  }

  /// Estimates the rows of some inputs joined.
  double rows(InputSet inputs) {
    const auto [place, is_new] = joined_.try_emplace(inputs);
    if (is_new) place->second = estimate_rows(inputs);
    return place->second;
  }

  /// What it costs to join two sets and emit the rows, apart from making the sets.
  double of_join(InputSet left, InputSet right) {
    const auto [build, probe] = std::minmax({rows(left), rows(right)});
    return build * kBuildCost + probe + rows(left | right);
  }

  double of_tree(const JoinTree& tree) {
    if (!tree.left) return 0;
    return of_tree(*tree.left) + of_tree(*tree.right) + of_join(tree.left->inputs, tree.right->inputs);
  }

  bool are_connected(InputSet left, InputSet right) const {
    return std::ranges::any_of(pairs_, [&](InputSet pair) { return (pair & left) != 0 && (pair & right) != 0; });
  }

 private:
  /// Two inputs whose columns of a class are equal.
  struct Tie {
    InputSet pair;
    double share;  ///< of pairs of rows, where only others imply it; else 1: it counts with the inputs' other keys
  };

  plan::ValueEstimate estimate(int column) {
    const auto input = static_cast<size_t>(graph_.input_of(column));
    return estimator_.column(*graph_.inputs[input], column - graph_.first_columns[input]);
  }

  plan::ValueEstimate estimate(const JoinGraph::Equality& equality, int side) {
    const auto column = equality.values[side]->input_of(0);
    if (column) return estimate(*column);
    plan::ValueEstimate unknown;
    unknown.num_distinct = unknown.table_rows = rows_[static_cast<size_t>(equality.inputs[side])];
    return unknown;
  }

  /// Keys between the same two inputs are one key of several columns.
  void add_equalities() {
    std::map<std::pair<int, int>, std::vector<plan::KeyEstimates>> keys;
    ties_.resize(static_cast<size_t>(graph_.num_key_classes));
    for (const auto& equality : graph_.equalities) {
      const int first = equality.inputs[0] < equality.inputs[1] ? 0 : 1;
      const plan::KeyEstimates both{estimate(equality, first), estimate(equality, 1 - first)};
      if (equality.key_class != JoinGraph::kNoClass) add_tie(equality, both);
      if (!equality.is_implied) keys[{equality.inputs[first], equality.inputs[1 - first]}].push_back(both);
    }
    for (const auto& [inputs, of_keys] : keys) {
      const InputSet pair = InputSet{1} << inputs.first | InputSet{1} << inputs.second;
      pairs_.push_back(pair);
      shares_.emplace_back(pair, plan::matching_share(of_keys));
    }
  }

  void add_tie(const JoinGraph::Equality& equality, const plan::KeyEstimates& both) {
    const InputSet pair = InputSet{1} << equality.inputs[0] | InputSet{1} << equality.inputs[1];
    const double share = equality.is_implied ? plan::matching_share({&both, 1}) : 1;
    ties_[static_cast<size_t>(equality.key_class)].push_back({pair, share});
    if (equality.is_implied) pairs_.push_back(pair);
  }

  /// Returns the share of pairs of rows left by what equalities of a class imply: between inputs that no others of it
  /// tie together by way of `inputs`.
  static double implied_share(const std::vector<Tie>& ties, InputSet inputs) {
    double share = 1;
    std::vector<InputSet> groups;
    for (const Tie& tie : ties) {
      if ((tie.pair & ~inputs) != 0) continue;
      InputSet merged = tie.pair;
      const bool is_known = std::ranges::any_of(groups, [&](InputSet group) { return (tie.pair & ~group) == 0; });
      if (!is_known) share *= tie.share;
      std::erase_if(groups, [&](InputSet group) {
        const bool meets = (group & tie.pair) != 0;
        if (meets) merged |= group;
        return meets;
      });
      groups.push_back(merged);
    }
    return share;
  }

  double estimate_rows(InputSet inputs) const {
    double product = 1;
    for (size_t i = 0; i < rows_.size(); ++i) {
      if ((inputs >> i & 1U) != 0) product *= rows_[i];
    }
    for (const auto& [all, share] : shares_) {
      if ((all & ~inputs) == 0) product *= share;
    }
    for (const auto& ties : ties_) product *= implied_share(ties, inputs);
    return std::max(1.0, product);
  }

  const JoinGraph& graph_;
  Estimator& estimator_;
  std::vector<double> rows_;                         ///< by input
  std::vector<InputSet> pairs_;                      ///< inputs that equalities tie together
  std::vector<std::pair<InputSet, double>> shares_;  ///< of the pairs of rows that pass, once all inputs are there
  std::vector<std::vector<Tie>> ties_;               ///< by class of keys, those that others imply at the end
  std::map<InputSet, double> joined_;
};

JoinTreePtr leaf(size_t input) { return std::make_shared<JoinTree>(JoinTree{InputSet{1} << input, nullptr, nullptr}); }

JoinTreePtr joined(JoinTreePtr left, JoinTreePtr right) {
  const InputSet inputs = left->inputs | right->inputs;
  return std::make_shared<JoinTree>(JoinTree{inputs, std::move(left), std::move(right)});
}

/// The cheapest tree of each set of inputs, from those of its parts.
JoinTreePtr search(size_t num_inputs, Costs& costs) {
  struct Best {
    double cost = kNever;
    InputSet left = 0;
  };
  const InputSet all = (InputSet{1} << num_inputs) - 1;
  std::vector<Best> best(all + 1);
  for (size_t i = 0; i < num_inputs; ++i) best[InputSet{1} << i].cost = 0;
  for (InputSet set = 1; set <= all; ++set) {
    // The part with the lowest input is called left, so that no pair comes twice.
    const InputSet lowest = set & (~set + 1);
    for (InputSet left = (set - 1) & set; left != 0; left = (left - 1) & set) {
      const InputSet right = set & ~left;
      if ((left & lowest) == 0 || best[left].cost == kNever || best[right].cost == kNever) continue;
      if (!costs.are_connected(left, right)) continue;
      const double cost = best[left].cost + best[right].cost + costs.of_join(left, right);
      if (cost < best[set].cost) best[set] = {cost, left};
    }
  }
  const auto tree = [&](const auto& self, InputSet set) -> JoinTreePtr {
    if (std::has_single_bit(set)) return leaf(static_cast<size_t>(std::countr_zero(set)));
    return joined(self(self, best[set].left), self(self, set & ~best[set].left));
  };
  return best[all].cost == kNever ? nullptr : tree(tree, all);
}

/// Joins what gives the fewest rows, again and again.
JoinTreePtr join_greedily(size_t num_inputs, Costs& costs) {
  std::vector<JoinTreePtr> trees;
  for (size_t i = 0; i < num_inputs; ++i) trees.push_back(leaf(i));
  while (trees.size() > 1) {
    double fewest = kNever;
    std::pair<size_t, size_t> chosen;
    for (size_t i = 0; i < trees.size(); ++i) {
      for (size_t j = i + 1; j < trees.size(); ++j) {
        if (!costs.are_connected(trees[i]->inputs, trees[j]->inputs)) continue;
        const double rows = costs.rows(trees[i]->inputs | trees[j]->inputs);
        if (rows < fewest) fewest = rows, chosen = {i, j};
      }
    }
    if (fewest == kNever) return nullptr;
    trees[chosen.first] = joined(trees[chosen.first], trees[chosen.second]);
    trees.erase(trees.begin() + static_cast<std::ptrdiff_t>(chosen.second));
  }
  return trees.front();
}

/// Returns the joins at a node in their best order; nullptr where they stay as they are.
NodePtr reordered(const NodePtr& node, Estimator& estimator) {
  const auto graph = JoinGraph::take_apart(node);
  if (!graph || std::ranges::any_of(graph->inputs, [](const NodePtr& input) { return plan::may_fail(*input); })) {
    return nullptr;
  }
  Costs costs(*graph, estimator);
  const size_t num_inputs = graph->inputs.size();
  const JoinTreePtr tree = num_inputs <= kMaxSearched ? search(num_inputs, costs) : join_greedily(num_inputs, costs);
  if (!tree || costs.of_tree(*tree) > kWorthwhile * costs.of_tree(*graph->tree)) return nullptr;
  for (NodePtr& input : graph->inputs) input = order_joins(input, estimator);
  return graph->put_together(*tree, *node);
}

}  // namespace

NodePtr order_joins(const NodePtr& root, Estimator& estimator) {
  if (NodePtr better = reordered(root, estimator)) return better;
  std::vector<NodePtr> inputs;
  for (const NodePtr& input : root->inputs) inputs.push_back(order_joins(input, estimator));
  if (inputs == root->inputs) return root;
  const std::shared_ptr<plan::Node> changed = root->clone();
  changed->inputs = std::move(inputs);
  return changed;
}

}  // namespace accelerant::planner
