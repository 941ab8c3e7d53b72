#include "planner/key_requests.h"

#include "expressions/key_set.h"
#include "plan/scan.h"
#include "planner/key_paths.h"

#include <optional>
#include <utility>

namespace accelerant::planner {

using plan::NodePtr;

namespace {

using Requests = std::vector<KeyRequest>;

class RequestFinder {
 public:
  /// Notes the nodes that stand in several places: none may drop rows that another one needs.
  void count_places(const NodePtr& node) {
    if (++places_[node.get()] > 1) return;
    for (const NodePtr& input : node->inputs) count_places(input);
  }

  void visit(const NodePtr& node, Requests requests) {
    if (places_[node.get()] > 1) requests.clear();
    if (node->is<plan::Scan>()) {
      if (!requests.empty()) all_[node.get()] = std::move(requests);
      return;
    }
    std::vector<Requests> passed = pass_to_inputs(*node, requests);
    if (node->is<plan::Join>()) add_keys(node->as<plan::Join>(), passed);
    for (size_t i = 0; i < passed.size(); ++i) visit(node->inputs[i], std::move(passed[i]));
  }

  KeyRequests take() { return std::move(all_); }

 private:
  /// Adds what a join asks of its probe side.
  static void add_keys(const plan::Join& join, std::vector<Requests>& passed) {
    if (!join.drops_unmatched_probe_rows()) return;
    Requests& requests = passed[join.builds_left ? 1 : 0];
    const auto& keys = join.probe_keys();
    // Sets of keys are computed once more, on any thread.
    if (!keys || keys->can_fail() || join.build_keys()->calls_outside()) return;
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

}  // namespace accelerant::planner
