#include "planner/join_sides.h"

#include "operators/join_table.h"
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

/// `kBuildCost` where the key says the row's place: nothing is hashed, and no place is taken twice.
constexpr double kDenseBuildCost = 1.0;
/// Rows of both sides up to which a join builds what Spark builds: small results have its order.
constexpr double kFewRows = 10000;
/// Bytes whose copying into a table costs as much as a row that passes by.
constexpr double kBytesOfARow = 16;
/// Of a text, its view and what it points to.
constexpr double kTextBytes = 32;

/// The share of a node's rows that the key filter of a join above leaves.
struct KeptShare {
  int column;  ///< that is the key
  double share;
};

using KeptShares = std::vector<KeptShare>;

/// Says which side Spark builds of few rows, if it builds one. Where its plan sorts both sides of an outer or anti
/// join, adaptive execution, which has counted the rows by then, builds the side that the join does not keep.
std::optional<bool> builds_left_of_few(const plan::Join& join) {
  if (join.spark_builds_left) return join.spark_builds_left;
  if (join.type == plan::JoinType::LeftOuter || join.type == plan::JoinType::LeftAnti) return false;
  if (join.type == plan::JoinType::RightOuter) return true;
  return std::nullopt;
}

class SideChooser {
 public:
  explicit SideChooser(Estimator& estimator) : estimator_(estimator) {}

  /// @param kept what the joins above want of the node
  NodePtr choose(const NodePtr& node, const KeptShares& kept) {
    if (node->is<plan::Join>()) return choose_join(node->as<plan::Join>(), kept);
    const std::vector<KeptShares> passed = pass_to_inputs(*node, kept);
    std::vector<NodePtr> inputs;
    for (size_t i = 0; i < passed.size(); ++i) inputs.push_back(choose(node->inputs[i], passed[i]));
    if (inputs == node->inputs) return node;
    std::shared_ptr<plan::Node> copy = node->clone();
    copy->inputs = std::move(inputs);
    return copy;
  }

 private:
  NodePtr choose_join(const plan::Join& join, const KeptShares& kept) {
    std::vector<KeptShares> passed = pass_to_inputs(join, kept);
    KeptShares& left = passed[0];
    KeptShares& right = passed[1];
    const double left_rows = rows(*join.inputs[0], left);
    const double right_rows = rows(*join.inputs[1], right);
    auto copy = std::static_pointer_cast<plan::Join>(join.clone());
    const std::optional<bool> sparks = left_rows + right_rows <= kFewRows ? builds_left_of_few(join) : std::nullopt;
    copy->builds_left =
        join.can_build_left() && (sparks ? *sparks : is_left_cheaper_to_build(join, left_rows, right_rows));
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

  bool is_left_cheaper_to_build(const plan::Join& join, double left_rows, double right_rows) {
    // Semi and anti joins that build the right side end at a row's first match and leave the left rows as they are.
    if (join.emits_left_only()) return left_rows * kBuildCost < right_rows;
    const double left_cost = left_rows * build_cost(join, 0, left_rows) + right_rows;
    const double right_cost = right_rows * build_cost(join, 1, right_rows) + left_rows;
    return left_cost < right_cost;
  }

  /// Estimates what a row costs that is held in the table of one side, in rows that pass by.
  double build_cost(const plan::Join& join, size_t side, double rows) {
    const plan::Node& input = *join.inputs[side];
    const plan::ColumnMask read = join.columns_read_of(side);
    double bytes = 0;
    for (size_t i = 0; i < read.size(); ++i) {
      if (read[i]) bytes += bytes_of(input.output[i].type);
    }
    const auto& keys = side == 0 ? join.left_keys : join.right_keys;
    const bool is_dense = keys && keys->num_outputs() == 1 && is_dense_key(estimator_.value(input, *keys, 0), rows);
    return (is_dense ? kDenseBuildCost : kBuildCost) + bytes / kBytesOfARow;
  }

  /// Says whether keys will be places in the table.
  static bool is_dense_key(const plan::ValueEstimate& key, double rows) {
    return key.min && key.max && *key.max - *key.min < operators::JoinTable::kMaxPlacesPerRow * rows;
  }

  static double bytes_of(const types::DataType& type) {
    return type.is_nested() || type.physical() == types::PhysicalType::String ? kTextBytes
                                                                              : types::width_of(type.physical());
  }

  void add_share(const plan::Join& join, double build_rows, KeptShares& probe) {
    const double share = build_rows * join.equal_share(estimator_);
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
