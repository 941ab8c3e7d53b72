#include "planner/join_sides.h"

#include "plan/join.h"
#include "planner/key_paths.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace accelerant::planner {

using plan::NodePtr;

namespace {

/// The share of a node's rows that the key filter of a join above leaves.
struct KeptShare {
  int column;  ///< that is the key
  double share;
};

using KeptShares = std::vector<KeptShare>;

class SideChooser {
 public:
  explicit SideChooser(Estimator& estimator) : estimator_(estimator) {}

  /// @param kept what the joins above want of the node
  NodePtr choose(const NodePtr& node, const KeptShares& kept) {
    if (node->is<plan::Join>()) return choose_join(node->as<plan::Join>(), kept);
    const KeptShares passed = pass_to_inputs(*node, kept);
    std::vector<NodePtr> inputs;
    for (const NodePtr& input : node->inputs) inputs.push_back(choose(input, passed));
    if (inputs == node->inputs) return node;
    std::shared_ptr<plan::Node> copy = node->clone();
    copy->inputs = std::move(inputs);
    return copy;
  }

 private:
  NodePtr choose_join(const plan::Join& join, const KeptShares& kept) {
    auto [left, right] = pass_to_sides(join, kept);
    const double left_rows = rows(*join.inputs[0], left);
    const double right_rows = rows(*join.inputs[1], right);
    auto copy = std::static_pointer_cast<plan::Join>(join.clone());
    copy->builds_left = join.can_build_left() && is_left_cheaper(join, left_rows, right_rows);
    // What a join drops later, it asks of its probe side's scan.
    if (copy->drops_unmatched_probe_rows() && !join.can_fail()) {
      add_share(*copy, copy->builds_left ? left_rows : right_rows, copy->builds_left ? right : left);
    }
    copy->inputs = {choose(join.inputs[0], left), choose(join.inputs[1], right)};
    return copy;
  }

  double rows(const plan::Node& node, const KeptShares& kept) {
    double rows = estimator_.rows(node);
    for (const KeptShare& filter : kept) rows *= filter.share;
    return std::max(1.0, rows);
  }

  static bool is_left_cheaper(const plan::Join& join, double left_rows, double right_rows) {
    // Semi and anti joins that build the right side end at a row's first match and leave the left rows as they are.
    return join.gives_out_left_only() ? left_rows * kBuildCost < right_rows : left_rows < right_rows;
  }

  void add_share(const plan::Join& join, double build_rows, KeptShares& probe) {
    const double share = build_rows * estimator_.equal_share(join);
    for (int key = 0; join.probe_keys() && key < join.probe_keys()->num_outputs(); ++key) {
      const std::optional<int> column = join.probe_keys()->input_of(key);
      if (!column) continue;
      if (share < 1) probe.push_back({*column, share});
      return;  // the keys together leave that share
    }
  }

  Estimator& estimator_;
};

}  // namespace

NodePtr choose_join_sides(const NodePtr& root, Estimator& estimator) { return SideChooser(estimator).choose(root, {}); }

}  // namespace accelerant::planner
