#include "planner/key_filters.h"

#include "expressions/key_set.h"
#include "operators/join_build.h"
#include "plan/aggregate.h"
#include "plan/filter.h"
#include "plan/project.h"
#include "plan/scan.h"
#include "plan/sort.h"
#include "plan/union.h"

#include <optional>
#include <utility>

namespace accelerant::planner {

using plan::JoinType;
using plan::NodePtr;

namespace {

using Requests = std::vector<KeyRequest>;

/// Follows requests through a program, to the columns that its outputs are.
Requests through(const expressions::Program& program, const Requests& requests) {
  Requests passed;
  for (KeyRequest request : requests) {
    const std::optional<int> column = program.input_of(request.column);
    if (!column) continue;
    request.column = *column;
    passed.push_back(request);
  }
  return passed;
}

/// Follows requests to the keys of an aggregate: all rows of a group have the same. Its other columns are computed.
Requests through(const plan::Aggregate& aggregate, const Requests& requests) {
  Requests keys = through(*aggregate.result, requests);
  std::erase_if(keys,
                [&](const KeyRequest& request) { return request.column >= static_cast<int>(aggregate.keys.size()); });
  return through(*aggregate.input, keys);
}

class RequestFinder {
 public:
  /// Notes the nodes that stand in several places: none may drop rows that another one needs.
  void count_places(const NodePtr& node) {
    if (++places_[node.get()] > 1) return;
    for (const NodePtr& input : node->inputs) count_places(input);
  }

  void visit(const NodePtr& node, Requests requests) {
    if (places_[node.get()] > 1) requests.clear();
    if (node->is<plan::Scan>() && !requests.empty()) all_[node.get()] = std::move(requests);
    if (node->is<plan::Join>()) return visit_join(node->as<plan::Join>(), requests);
    const Requests passed = passed_on(node, requests);
    for (const NodePtr& input : node->inputs) visit(input, passed);
  }

  KeyRequests take() { return std::move(all_); }

 private:
  static Requests passed_on(const NodePtr& node, const Requests& requests) {
    if (node->is<plan::Sort>() || node->is<plan::Union>()) return requests;
    if (node->is<plan::Filter>()) return node->as<plan::Filter>().program->can_fail() ? Requests() : requests;
    if (node->is<plan::Project>()) {
      const auto& program = *node->as<plan::Project>().program;
      return program.can_fail() ? Requests() : through(program, requests);
    }
    if (node->is<plan::Aggregate>()) {
      const auto& aggregate = node->as<plan::Aggregate>();
      return aggregate.can_fail() ? Requests() : through(aggregate, requests);
    }
    return {};
  }

  void visit_join(const plan::Join& join, const Requests& requests) {
    const auto num_left = static_cast<int>(join.inputs[0]->output.size());
    Requests sides[2];
    for (KeyRequest request : requests) {
      const bool is_left = request.column < num_left;
      if (join.can_fail() || (is_left ? !passes_left(join) : !passes_right(join))) continue;
      if (!is_left) request.column -= num_left;
      sides[is_left ? 0 : 1].push_back(request);
    }
    if (join.drops_unmatched_probe_rows()) add_keys(join, sides[join.builds_left ? 1 : 0]);
    visit(join.inputs[0], std::move(sides[0]));
    visit(join.inputs[1], std::move(sides[1]));
  }

  /// Says whether a left row makes no difference but to the rows that it is part of.
  static bool passes_left(const plan::Join& join) {
    return join.type == JoinType::Inner || join.type == JoinType::LeftOuter || join.gives_out_left_only();
  }

  static bool passes_right(const plan::Join& join) {
    return join.type == JoinType::Inner || join.type == JoinType::RightOuter;
  }

  static void add_keys(const plan::Join& join, Requests& requests) {
    const auto& keys = join.probe_keys();
    if (!keys || keys->can_fail()) return;
    for (int key = 0; key < keys->num_outputs(); ++key) {
      const std::optional<int> column = keys->input_of(key);
      if (column && expressions::KeySet::supports(keys->output_type(key))) requests.push_back({&join, key, *column});
    }
  }

  std::unordered_map<const plan::Node*, int> places_;
  KeyRequests all_;
};

}  // namespace

KeyRequests find_key_requests(std::span<const NodePtr> roots) {
  RequestFinder finder;
  for (const NodePtr& root : roots) finder.count_places(root);
  for (const NodePtr& root : roots) finder.visit(root, {});
  return finder.take();
}

std::vector<execution::KeyFilter> key_filters(const plan::Node& source, const KeyRequests& requests,
                                              const Results& results) {
  const auto found = requests.find(&source);
  if (found == requests.end()) return {};
  std::vector<execution::KeyFilter> filters;
  for (const KeyRequest& request : found->second) {
    auto& build = static_cast<operators::JoinBuild&>(*results.breakers.at(request.join));
    if (auto keys = build.keys_in(request.key)) filters.push_back({request.column, std::move(keys)});
  }
  return filters;
}

}  // namespace accelerant::planner
