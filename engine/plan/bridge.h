#pragma once

#include <vector>

namespace accelerant::plan {

/// An expression that Spark's own code computes inside a native pipeline.
struct BridgedCall {
  int expression;              ///< index in the plan message
  std::vector<int> arguments;  ///< expressions that the engine computes, in the order of the function's arguments
  bool is_of_rows = false;     ///< a native function computes it, but for rows that it leaves to Spark

  bool operator==(const BridgedCall&) const = default;
};

/// The calls that programs of a plan make, as the binding finds them. One thread.
class Bridge {
 public:
  /// Notes a call; equal ones once.
  void use(const BridgedCall& call);
  const std::vector<BridgedCall>& used() const { return used_; }

 private:
  std::vector<BridgedCall> used_;
};

}  // namespace accelerant::plan
