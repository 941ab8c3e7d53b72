#pragma once

#include "plan/join.h"
#include "plan/node.h"
#include "plan/scan.h"

#include <memory>
#include <vector>

namespace accelerant::planner::test {

inline const types::DataType kLong(types::TypeId::Long);

/// A scan of three bigint columns.
inline std::shared_ptr<plan::Scan> source() {
  auto node = std::make_shared<plan::Scan>();
  node->output = {{"a", kLong}, {"b", kLong}, {"c", kLong}};
  return node;
}

/// A program whose outputs are some input columns.
inline std::shared_ptr<const expressions::Program> columns(const std::vector<int>& positions) {
  expressions::ProgramBuilder builder;
  std::vector<expressions::Slot> outputs;
  for (const int position : positions) outputs.push_back(builder.input(position, kLong, true));
  return std::move(builder).finish(outputs);
}

/// A join of two nodes by their first columns; it builds the right one.
inline std::shared_ptr<plan::Join> join(plan::NodePtr left, plan::NodePtr right,
                                        plan::JoinType type = plan::JoinType::Inner) {
  auto node = std::make_shared<plan::Join>();
  node->type = type;
  node->left_keys = columns({0});
  node->right_keys = columns({0});
  node->output = left->output;
  if (!node->gives_out_left_only()) {
    node->output.insert(node->output.end(), right->output.begin(), right->output.end());
  }
  node->inputs = {std::move(left), std::move(right)};
  return node;
}

/// A node above another, giving out the same columns.
template <class T>
std::shared_ptr<T> above(const plan::NodePtr& input) {
  auto node = std::make_shared<T>();
  node->inputs = {input};
  node->output = input->output;
  return node;
}

}  // namespace accelerant::planner::test
