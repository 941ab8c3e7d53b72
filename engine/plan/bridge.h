#pragma once

#include "expressions/external_function.h"

#include <memory>
#include <vector>

namespace accelerant::plan {

/// An expression that Spark's own code computes inside a native pipeline.
struct BridgedCall {
  int expression;              ///< index in the plan message
  std::vector<int> arguments;  ///< expressions that the engine computes, in the order of the function's arguments

  bool operator==(const BridgedCall&) const = default;
};

/// Makes functions of the calls that a binder leaves to Spark. One message's; one thread.
class Bridge {
 public:
  virtual ~Bridge() = default;
  /// @param result what the expression gives
  virtual std::shared_ptr<const expressions::ExternalFunction> function(const BridgedCall& call,
                                                                        const types::DataType& result) = 0;
  /// Hears that a program makes a call; equal calls may be heard of more than once.
  virtual void use(const BridgedCall& call) = 0;
};

/// The bridge of a plan that is judged, and does not run: its functions can't be called.
class PlannedBridge final : public Bridge {
 public:
  std::shared_ptr<const expressions::ExternalFunction> function(const BridgedCall& call,
                                                                const types::DataType& result) override;
  void use(const BridgedCall& call) override;
  /// Returns each call once.
  const std::vector<BridgedCall>& used() const { return used_; }

 private:
  std::vector<BridgedCall> used_;
};

}  // namespace accelerant::plan
