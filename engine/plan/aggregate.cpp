#include "plan/aggregate.h"

namespace accelerant::plan {

const char* to_string(AggregateKind kind) {
  switch (kind) {
    case AggregateKind::Sum:
      return "sum";
    case AggregateKind::Average:
      return "avg";
    case AggregateKind::Count:
      return "count";
    case AggregateKind::Min:
      return "min";
    case AggregateKind::Max:
      return "max";
  }
  return "?";
}

std::string Aggregate::describe() const {
  std::string text = "keys=" + std::to_string(keys.size()) + " calls=[";
  for (size_t i = 0; i < calls.size(); ++i) {
    if (i > 0) text += ", ";
    const AggregateCall& call = calls[i];
    text += std::string(to_string(call.kind)) + "(" + (call.argument < 0 ? "*" : std::to_string(call.argument)) + ")";
  }
  return text + "]";
}

}  // namespace accelerant::plan
