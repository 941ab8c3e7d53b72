#include "planner/common_subplans.h"

#include "expressions/same_program.h"
#include "expressions/selectivity.h"
#include "plan/aggregate.h"
#include "plan/project.h"
#include "plan/scan.h"

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

/// Says which nodes give the same rows.
class Comparison final : public plan::SourceComparison {
 public:
  explicit Comparison(const Tables& tables) : tables_(tables) {}

  /// Says whether two aggregates make the same groups and compute the same of them, whatever they emit of it.
  bool have_same_groups(const plan::Aggregate& a, const plan::Aggregate& b) const {
    return a.has_same_groups(b) && have_equal_inputs(a, b);
  }

  bool give_same_rows(const Node& a, const Node& b) const override {
    const auto left = tables_.find(a.plan_node);
    const auto right = tables_.find(b.plan_node);
    if (left == tables_.end() || right == tables_.end() || !left->second->gives_same_rows(*right->second)) return false;
    if (!a.is<plan::Scan>()) return false;
    const io::ScanSpec& one = *a.as<plan::Scan>().spec;
    const io::ScanSpec& other = *b.as<plan::Scan>().spec;
    return read_alike(one, other) && one.columns == other.columns &&
           std::ranges::equal(dropping_filters(one, *left->second), dropping_filters(other, *right->second),
                              expressions::compute_same);
  }

 private:
  bool are_equal(const Node& a, const Node& b) const {
    return have_same_columns(a, b) && a.does_same(b, *this) && have_equal_inputs(a, b);
  }

  bool have_equal_inputs(const Node& a, const Node& b) const {
    return std::ranges::equal(a.inputs, b.inputs,
                              [&](const NodePtr& left, const NodePtr& right) { return are_equal(*left, *right); });
  }

  /// Says whether they make the same of the same bytes of a file; of a format's own options its files tell.
  static bool read_alike(const io::ScanSpec& a, const io::ScanSpec& b) {
    return a.format == b.format && a.zone == b.zone && a.case_sensitive == b.case_sensitive &&
           a.may_have_old_dates == b.may_have_old_dates && a.may_have_old_timestamps == b.may_have_old_timestamps &&
           a.keeps_structs_without_members == b.keeps_structs_without_members;
  }

  /// What is said to be nullable depends on conditions that may have nothing to drop.
  static bool have_same_columns(const Node& a, const Node& b) {
    return std::ranges::equal(a.output, b.output, {}, &plan::OutputColumn::type, &plan::OutputColumn::type);
  }

  /// Returns a scan's filters without those that ask for values of columns without nulls: Spark has them where a value
  /// is compared above, and not where it is not.
  static std::vector<plan::ProgramPtr> dropping_filters(const io::ScanSpec& spec, const operators::Table& table) {
    std::vector<plan::ProgramPtr> filters = spec.filters;
    std::erase_if(filters, [&](const plan::ProgramPtr& filter) {
      const std::optional<int> column = expressions::column_asked_for_value(*filter);
      const bool is_in_files = column && spec.columns[static_cast<size_t>(*column)].partition_index < 0;
      return is_in_files && table.summarize(*column).num_nulls == 0;
    });
    return filters;
  }

  const Tables& tables_;
};

/// Adds the Spark nodes of one tree to those that an equal one stands for.
NodePtr standing_for_both(const NodePtr& node, const Node& other) {
  const std::shared_ptr<Node> both = node->clone();
  both->fused.push_back(other.plan_node);
  both->fused.insert(both->fused.end(), other.fused.begin(), other.fused.end());
  for (size_t i = 0; i < both->inputs.size(); ++i)
    both->inputs[i] = standing_for_both(both->inputs[i], *other.inputs[i]);
  return both;
}

/// Aggregates that have the same groups, and the one that takes their places: it emits what any of them does.
class Group {
 public:
  explicit Group(const NodePtr& first) : members_{first} {}

  const plan::Aggregate& first() const { return members_.front()->as<plan::Aggregate>(); }
  void add(const NodePtr& member) { members_.push_back(member); }

  /// Makes the aggregate that is shared, once all are known.
  void share() {
    if (members_.size() < 2) return;
    NodePtr all = members_.front();
    for (size_t i = 1; i < members_.size(); ++i) all = standing_for_both(all, *members_[i]);
    const auto shared = std::static_pointer_cast<plan::Aggregate>(all->clone());
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

  /// Returns what takes a member's place; nullptr for any other node.
  NodePtr in_place_of(const NodePtr& node) const {
    const auto member = std::ranges::find(members_, node);
    if (!shared_ || member == members_.end()) return nullptr;
    const std::vector<int>& positions = positions_[static_cast<size_t>(member - members_.begin())];
    expressions::ProgramBuilder builder;
    std::vector<expressions::Slot> outputs;
    for (const int position : positions) {
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

class Sharing {
 public:
  explicit Sharing(const Tables& tables) : comparison_(tables) {}

  /// Finds aggregates that make the groups of one found before, the topmost ones.
  void collect(const NodePtr& node) {
    if (node->is<plan::Aggregate>()) {
      const auto like = std::ranges::find_if(groups_, [&](const Group& group) {
        return comparison_.have_same_groups(group.first(), node->as<plan::Aggregate>());
      });
      if (like != groups_.end()) return like->add(node);
      groups_.emplace_back(node);
    }
    for (const NodePtr& input : node->inputs) collect(input);
  }

  void share() {
    for (Group& group : groups_) group.share();
  }

  /// Returns a tree with the shared aggregates in the places of their like.
  NodePtr apply(const NodePtr& node) const {
    for (const Group& group : groups_) {
      if (NodePtr shared = group.in_place_of(node)) return shared;
    }
    std::vector<NodePtr> inputs;
    for (const NodePtr& input : node->inputs) inputs.push_back(apply(input));
    if (inputs == node->inputs) return node;
    const std::shared_ptr<Node> changed = node->clone();
    changed->inputs = std::move(inputs);
    return changed;
  }

 private:
  const Comparison comparison_;
  std::vector<Group> groups_;
};

}  // namespace

void share_equal_aggregates(plan::BoundPlan& plan, const Tables& tables) {
  Sharing sharing(tables);
  for (const NodePtr& root : plan::roots_of(plan)) sharing.collect(root);
  sharing.share();
  plan.root = sharing.apply(plan.root);
  for (NodePtr& subquery : plan.subqueries) subquery = sharing.apply(subquery);
}

}  // namespace accelerant::planner
