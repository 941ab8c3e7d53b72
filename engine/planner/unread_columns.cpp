#include "planner/unread_columns.h"

#include "plan/join.h"

#include <memory>
#include <utility>
#include <vector>

namespace accelerant::planner {

using plan::ColumnMask;
using plan::NodePtr;

namespace {

NodePtr with_columns_read(const NodePtr& node, const ColumnMask& wanted) {
  const std::vector<ColumnMask> read = node->columns_read(wanted);
  std::vector<NodePtr> inputs;
  for (size_t i = 0; i < node->inputs.size(); ++i) inputs.push_back(with_columns_read(node->inputs[i], read[i]));
  const bool is_join = node->is<plan::Join>();
  if (!is_join && inputs == node->inputs) return node;
  std::shared_ptr<plan::Node> changed = node->clone();
  changed->inputs = std::move(inputs);
  if (is_join) static_cast<plan::Join&>(*changed).wanted = wanted;
  return changed;
}

}  // namespace

NodePtr drop_unread_columns(const NodePtr& root) {
  return with_columns_read(root, ColumnMask(root->output.size(), true));
}

}  // namespace accelerant::planner
