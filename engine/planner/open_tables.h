#pragma once

#include "plan/binder.h"
#include "planner/estimates.h"
#include "planner/operators.h"

#include <cstdint>
#include <memory>
#include <span>

namespace accelerant::planner {

/// Opens the files that a plan reads.
/// @param splits the splits message
/// @param threads how many the opening may use
/// @throws Error Unsupported when Spark should read them
Tables open_files(const plan::BoundPlan& plan, std::span<const uint8_t> splits, int threads,
                  const std::shared_ptr<memory::Budget>& budget);

/// Makes tables of what a plan reads that is in no file.
/// @throws Error User where rows are not among the inputs
Tables open_rows(const plan::BoundPlan& plan, const Inputs& inputs);

}  // namespace accelerant::planner
