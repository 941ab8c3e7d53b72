#pragma once

#include "expressions/program.h"
#include "plan/join.h"
#include "plan/node.h"

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace accelerant::planner {

/// A set of a join graph's inputs, a bit each.
using InputSet = uint32_t;

/// A tree of joins over the inputs of a join graph; a leaf is one input.
struct JoinTree {
  InputSet inputs = 0;
  std::shared_ptr<const JoinTree> left;
  std::shared_ptr<const JoinTree> right;
};
using JoinTreePtr = std::shared_ptr<const JoinTree>;

/// Inner joins that stand directly above one another, taken apart: their inputs, and what they ask of pairs of rows.
/// Columns of all inputs are numbered through; programs read them by these numbers.
struct JoinGraph {
  static constexpr size_t kMaxInputs = 32;

  /// Two values that have to be equal, each of the columns of one input.
  struct Equality {
    std::array<std::shared_ptr<const expressions::Program>, 2> values;
    std::array<int, 2> inputs;
    /// Equalities of one class make the same columns equal, one of each input: of those between two sets of inputs
    /// that are joined in themselves, any one says it all.
    int key_class = kNoClass;
    bool is_implied = false;  ///< by others of its class
  };
  static constexpr int kNoClass = -1;
  /// A condition on columns of several inputs.
  struct Condition {
    std::shared_ptr<const expressions::Program> program;
    InputSet inputs = 0;
  };

  std::vector<plan::NodePtr> inputs;
  std::vector<int> first_columns;    ///< by input
  std::vector<Equality> equalities;  ///< those that others imply at the end
  int num_key_classes = 0;
  std::vector<Condition> conditions;
  std::vector<plan::NodePtr> joins;  ///< inputs before those above them
  std::vector<int> dissolved;        ///< plan nodes between the joins that only chose columns
  JoinTreePtr tree;                  ///< as the joins stood
  std::vector<int> output;           ///< the columns that the topmost join emitted

  /// Takes the joins at and below a node apart. Nullptr where there are fewer than two joins, or one of them can't be
  /// moved.
  static std::unique_ptr<JoinGraph> take_apart(const plan::NodePtr& root);

  /// Returns the input that a column is of.
  int input_of(int column) const;
  /// Returns joins of the given order; the result's columns are those that `root` emitted.
  plan::NodePtr put_together(const JoinTree& order, const plan::Node& root) const;
};

}  // namespace accelerant::planner
