#pragma once

#include "plan/test_plans.h"
#include "plan/verdict.h"

#include <string>
#include <string_view>

/// Steps of sum(a) by b as Spark would send them: only tests include this.
namespace accelerant::plan::test {

inline const SparkPlan::Column kA{"a", 1, types::DataType(types::TypeId::Long)};
inline const SparkPlan::Column kB{"b", 2, types::DataType(types::TypeId::Long)};
inline const SparkPlan::Column kSum{"sum(a)", 20, types::DataType(types::TypeId::Long)};
inline const SparkPlan::Column kBuffer{"buffer", 30, types::DataType(types::TypeId::Long)};
inline const SparkPlan::Column kOut{"s", 40, types::DataType(types::TypeId::Long)};

/// Returns the first reason of a verdict; empty: there is none.
inline std::string first_reason(const Verdict& verdict) {
  for (const NodeVerdict& node : verdict.nodes) {
    if (!node.reason.empty()) return node.reason;
  }
  return "";
}

/// Adds one step.
inline int step(SparkPlan& plan, std::string_view mode, int child, int filter = -1, const char* function = "Sum") {
  const int key = plan.attribute(kB);
  const int call = plan.call(plan.function(function, plan.attribute(kA), kSum.type), mode, kSum.id, filter);
  if (mode == "Partial") {
    return plan.aggregate({key}, {call}, {plan.attribute(kBuffer)}, {key, plan.attribute(kBuffer)}, child,
                          {kB, kBuffer});
  }
  const int result = plan.attribute(kSum);
  return plan.aggregate({key}, {call}, {result}, {key, plan.alias(result, kOut)}, child, {kB, kOut});
}

}  // namespace accelerant::plan::test
