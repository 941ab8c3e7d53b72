#pragma once

#include "plan/aggregate_step.h"

namespace accelerant::plan {

/// The lowest step of an aggregation, which takes in rows.
struct PartialAggregate final : StepOf<PartialAggregate> {
  const char* name() const override { return "PartialAggregate"; }

  bool spark_sorts = false;  ///< as an Aggregate's
};

}  // namespace accelerant::plan
