#pragma once

#include "plan/aggregate_step.h"

namespace accelerant::plan {

/// A step of an aggregation that merges what the one below has of its groups, and may take in arguments of DISTINCT
/// functions that the one below groups by.
struct MergeAggregate final : StepOf<MergeAggregate> {
  const char* name() const override { return "MergeAggregate"; }
};

}  // namespace accelerant::plan
