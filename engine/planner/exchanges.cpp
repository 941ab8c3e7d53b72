#include "planner/exchanges.h"

#include "plan/broadcast.h"
#include "plan/exchange.h"
#include "plan/write_files.h"
#include "planner/change_nodes.h"

namespace accelerant::planner {

using plan::NodePtr;

NodePtr drop_exchanges(const NodePtr& root) {
  return change_nodes(root,
                      [](const NodePtr& node) { return node->is<plan::Exchange>() ? node->inputs.front() : node; });
}

NodePtr drop_handing_on(const NodePtr& root) {
  return change_nodes(root, [](const NodePtr& node) {
    return node->is<plan::Broadcast>() || node->is<plan::WriteFiles>() ? node->inputs.front() : node;
  });
}

}  // namespace accelerant::planner
