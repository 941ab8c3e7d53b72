#include "planner/stages.h"

#include "base/error.h"

#include <algorithm>
#include <utility>

namespace accelerant::planner {

using plan::NodeKind;
using plan::NodePtr;

namespace {

/// Returns the nodes from the scan up to `root`.
std::vector<NodePtr> chain_of(const NodePtr& root) {
  std::vector<NodePtr> chain{root};
  while (!chain.back()->inputs.empty()) {
    if (chain.back()->inputs.size() > 1)
      throw_unsupported(std::string("operator ") + to_string(chain.back()->kind) + " with several inputs");
    chain.push_back(chain.back()->inputs.front());
  }
  std::reverse(chain.begin(), chain.end());
  return chain;
}

}  // namespace

std::vector<Stage> cut_into_stages(const NodePtr& root) {
  std::vector<Stage> stages(1);
  for (NodePtr& node : chain_of(root)) {
    switch (node->kind) {
      case NodeKind::Scan:
        stages.back().source = std::move(node);
        break;
      case NodeKind::Filter:
      case NodeKind::Project:
        stages.back().transforms.push_back(std::move(node));
        break;
      case NodeKind::Aggregate:
      case NodeKind::Sort:
      case NodeKind::Limit:
        stages.back().breaker = node;
        stages.emplace_back().source = std::move(node);
        break;
    }
  }
  ACC_CHECK(stages.front().source != nullptr);
  return stages;
}

}  // namespace accelerant::planner
