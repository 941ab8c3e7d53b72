#include "planner/common_subplans.h"

#include "plan/aggregate.h"
#include "plan/project.h"
#include "plan/window.h"
#include "planner/distinct_sides.h"
#include "planner/same_nodes.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace accelerant::planner {

using plan::Node;
using plan::NodePtr;

namespace {

std::vector<std::optional<int>> first_columns(size_t num_columns) {
  std::vector<std::optional<int>> columns;
  for (size_t i = 0; i < num_columns; ++i) columns.emplace_back(static_cast<int>(i));
  return columns;
}

/// Aggregates that have the same groups, of which one takes the places of all: it emits what any of them does.
class SharedGroups {
 public:
  explicit SharedGroups(const NodePtr& first) : members_{first} {}

  const std::vector<NodePtr>& members() const { return members_; }
  void add(const NodePtr& member) { members_.push_back(member); }

  /// Has the first one, with its inputs as they are to be, emit what all of them do.
  void emit_all(const NodePtr& first) {
    const auto shared = std::static_pointer_cast<plan::Aggregate>(first->clone());
    expressions::ProgramBuilder builder;
    std::vector<expressions::Slot> outputs;
    const auto columns = first_columns(shared->keys.size() + shared->calls.size());
    shared->output.clear();
    for (const NodePtr& member : members_) {
      std::vector<int>& positions = positions_.emplace_back();
      for (size_t i = 0; i < member->output.size(); ++i) {
        const auto slot = *builder.include(*member->as<plan::Aggregate>().result, static_cast<int>(i), columns);
        const auto place = std::ranges::find(outputs, slot) - outputs.begin();
        positions.push_back(static_cast<int>(place));
        if (static_cast<size_t>(place) < outputs.size()) continue;
        outputs.push_back(slot);
        shared->output.push_back(member->output[i]);
      }
    }
    shared->result = std::move(builder).finish(outputs);
    shared_ = shared;
  }
  bool emits_all() const { return shared_ != nullptr; }

  /// Returns what takes a member's place.
  NodePtr in_place_of(const NodePtr& node) const {
    const auto member = std::ranges::find(members_, node) - members_.begin();
    expressions::ProgramBuilder builder;
    std::vector<expressions::Slot> outputs;
    for (const int position : positions_[static_cast<size_t>(member)]) {
      const plan::OutputColumn& column = shared_->output[static_cast<size_t>(position)];
      outputs.push_back(builder.input(position, column.type, column.nullable));
    }
    const auto choice = std::make_shared<plan::Project>();
    choice->plan_node = node->plan_node;
    choice->output = node->output;
    choice->inputs = {shared_};
    choice->program = std::move(builder).finish(outputs);
    return choice;
  }

 private:
  std::vector<NodePtr> members_;
  std::vector<std::vector<int>> positions_;  ///< by member: of its columns in what the shared one emits
  NodePtr shared_;
};

/// Finds nodes of some trees that do the same as one found before, and makes trees in which that one takes their
/// places.
class Sharing {
 public:
  explicit Sharing(const NodeComparison& comparison) : comparison_(comparison) {}

  /// Finds aggregates that make the groups of one found before, and windows that emit the same, the topmost ones.
  void collect(const NodePtr& node) {
    if (node->is<plan::Aggregate>() ? add_aggregate(node) : node->is<plan::Window>() && add_window(node)) return;
    for (const NodePtr& input : node->inputs) collect(input);
  }

  /// Returns a tree in which what was found is shared, once all trees were collected.
  NodePtr apply(const NodePtr& node) {
    const auto groups = groups_of_.find(node.get());
    if (groups != groups_of_.end() && groups->second->members().size() > 1) {
      SharedGroups& shared = *groups->second;
      if (!shared.emits_all()) shared.emit_all(copy_of(shared.members().front()));
      return shared.in_place_of(node);
    }
    const auto window = windows_.find(node.get());
    return copy_of(window == windows_.end() ? node : window->second);
  }

 private:
  /// Returns whether an aggregate has its like.
  bool add_aggregate(const NodePtr& node) {
    const auto like = std::ranges::find_if(groups_, [&](const auto& groups) {
      return comparison_.have_same_groups(groups->members().front()->template as<plan::Aggregate>(),
                                          node->as<plan::Aggregate>());
    });
    const bool has_like = like != groups_.end();
    if (has_like) {
      stand_for((*like)->members().front(), node);
      (*like)->add(node);
    } else {
      groups_.push_back(std::make_unique<SharedGroups>(node));
    }
    groups_of_[node.get()] = has_like ? like->get() : groups_.back().get();
    return has_like;
  }

  bool add_window(const NodePtr& node) {
    const auto like = std::ranges::find_if(first_windows_,
                                           [&](const NodePtr& first) { return comparison_.are_equal(*first, *node); });
    const bool has_like = like != first_windows_.end();
    if (has_like) {
      stand_for(*like, node);
      windows_[node.get()] = *like;
    } else {
      first_windows_.push_back(node);
    }
    return has_like;
  }

  /// Notes that the nodes of one tree do the work of those of another.
  void stand_for(const NodePtr& node, const NodePtr& other) {
    if (node == other) return;
    likes_[node.get()].push_back(other);
    for (size_t i = 0; i < node->inputs.size(); ++i) stand_for(node->inputs[i], other->inputs[i]);
  }

  /// Adds the Spark nodes whose work a node does beside its own.
  void add_fused(const NodePtr& node, std::vector<int>& fused) const {
    const auto likes = likes_.find(node.get());
    if (likes == likes_.end()) return;
    for (const NodePtr& like : likes->second) {
      fused.push_back(like->plan_node);
      fused.insert(fused.end(), like->fused.begin(), like->fused.end());
      add_fused(like, fused);
    }
  }

  /// Returns a node above its inputs as they are to be, the same for each of its places.
  NodePtr copy_of(const NodePtr& node) {
    const auto found = copies_.find(node.get());
    if (found != copies_.end()) return found->second;
    std::vector<NodePtr> inputs;
    for (const NodePtr& input : node->inputs) inputs.push_back(apply(input));
    std::vector<int> fused = node->fused;
    add_fused(node, fused);
    NodePtr copy = node;
    if (inputs != node->inputs || fused != node->fused) {
      const std::shared_ptr<Node> changed = node->clone();
      changed->inputs = std::move(inputs);
      changed->fused = std::move(fused);
      copy = changed;
    }
    return copies_[node.get()] = copy;
  }

  const NodeComparison& comparison_;
  std::vector<std::unique_ptr<SharedGroups>> groups_;
  std::vector<NodePtr> first_windows_;
  // By node of the trees that were collected:
  std::unordered_map<const Node*, SharedGroups*> groups_of_;
  std::unordered_map<const Node*, NodePtr> windows_;  ///< of those that are like another, that one
  std::unordered_map<const Node*, std::vector<NodePtr>> likes_;
  std::unordered_map<const Node*, NodePtr> copies_;
};

}  // namespace

void share_equal_subplans(plan::BoundPlan& plan, const Tables& tables) {
  const NodeComparison comparison(tables);
  make_repeated_sides_distinct(plan, comparison);
  Sharing sharing(comparison);
  plan::for_each_root(plan, [&](NodePtr& root) { sharing.collect(root); });
  plan::for_each_root(plan, [&](NodePtr& root) { root = sharing.apply(root); });
}

}  // namespace accelerant::planner
