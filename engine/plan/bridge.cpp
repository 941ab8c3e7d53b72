#include "plan/bridge.h"

#include <algorithm>

namespace accelerant::plan {

void Bridge::use(const BridgedCall& call) {
  if (std::ranges::find(used_, call) == used_.end()) used_.push_back(call);
}

}  // namespace accelerant::plan
