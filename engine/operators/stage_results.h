#pragma once

#include "execution/context.h"
#include "operators/operator.h"
#include "plan/node.h"

#include <memory>
#include <unordered_map>

namespace accelerant::operators {

class BuiltSide;

/// Rows that a stage made. Any thread.
class StageRows {
 public:
  virtual ~StageRows() = default;
  /// Makes a source over part `index` of `count`; parts together make up all, and are the same in every run. The source
  /// outlives the rows.
  virtual std::unique_ptr<Source> make_source(int index, int count) const = 0;
};

/// What stages made, by the nodes whose work it is, for the stages that read it: rows on the host, tables that joins
/// probe, values of scalar subqueries.
struct StageResults {
  std::unordered_map<const plan::Node*, std::shared_ptr<const StageRows>> rows;
  std::unordered_map<const plan::Node*, std::shared_ptr<BuiltSide>> built_sides;
  std::shared_ptr<const execution::Parameters> parameters;  ///< nullptr: none

  /// Lets go of what a node made.
  void drop(const plan::Node& node) {
    rows.erase(&node);
    built_sides.erase(&node);
  }
};

/// A sink whose result later stages read.
class Breaker : public Sink {
 public:
  /// Puts the complete result, which may outlive the breaker, with what stages made. Called once.
  /// @param node whose work it is
  virtual void hand_on(const plan::Node& node, StageResults& results) = 0;
};

}  // namespace accelerant::operators
