#pragma once

#include "plan/node.h"

#include <unordered_map>
#include <vector>

namespace accelerant::planner {

/// One way into a stage: the rows of a source, through transforms.
struct Feed {
  plan::NodePtr source;                   ///< a leaf, or a node whose result an earlier stage made
  std::vector<plan::NodePtr> transforms;  ///< in the order rows meet them; a Join here is probed
  bool after_others = false;              ///< starts when all rows of the feeds before it went through the transforms
  bool reads_again = false;               ///< another feed has read the source's rows before
};

/// What one pipeline does. Its feeds' rows come one feed after the other.
struct Stage {
  std::vector<Feed> feeds;
  plan::NodePtr breaker;  ///< the node whose work ends the stage, a Join here is built; nullptr: the query's result
};

/// Cuts plans at their pipeline breakers, in an order in which stages can run: what a stage reads is made before it.
/// The last stage has no breaker.
/// @param subqueries ScalarValue nodes, each before those that take its value
std::vector<Stage> cut_into_stages(const plan::NodePtr& root, const std::vector<plan::NodePtr>& subqueries = {});

/// Returns for each breaker the index of the last stage that reads its result.
std::unordered_map<const plan::Node*, size_t> last_uses(const std::vector<Stage>& stages);

}  // namespace accelerant::planner
