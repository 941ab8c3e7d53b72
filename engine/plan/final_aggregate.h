#pragma once

#include "plan/aggregate_step.h"

#include <vector>

namespace accelerant::plan {

/// The last step of an aggregation, which gives its results.
struct FinalAggregate final : StepOf<FinalAggregate> {
  const char* name() const override { return "FinalAggregate"; }

  std::vector<OutputColumn> results;  ///< of the functions, one each
  ProgramPtr result;                  ///< as an Aggregate's; nullptr where `refusal` is not empty
  Spreading spreading;
};

}  // namespace accelerant::plan
