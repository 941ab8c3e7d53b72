#include "plan/bridge.h"

#include "base/error.h"

#include <algorithm>

namespace accelerant::plan {

namespace {

[[noreturn]] void refuse() { throw_unsupported("a call of Spark's own code in a plan that is only judged"); }

class PlannedFunction final : public expressions::ExternalFunction {
 public:
  std::string_view name() const override { return "a bridged call"; }
  std::unique_ptr<State> make_state() const override { refuse(); }
  expressions::ExternalResult evaluate(State&, std::span<const columns::ColumnPtr>, int64_t, const uint8_t*,
                                       const std::shared_ptr<memory::Budget>&) const override {
    refuse();
  }
};

}  // namespace

std::shared_ptr<const expressions::ExternalFunction> PlannedBridge::function(const BridgedCall&,
                                                                             const types::DataType&) {
  return std::make_shared<PlannedFunction>();
}

void PlannedBridge::use(const BridgedCall& call) {
  if (std::ranges::find(used_, call) == used_.end()) used_.push_back(call);
}

}  // namespace accelerant::plan
