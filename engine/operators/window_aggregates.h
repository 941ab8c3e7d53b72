#pragma once

#include "aggregates/accumulator.h"
#include "operators/window_frames.h"
#include "operators/window_result.h"

#include <cstdint>
#include <memory>

namespace accelerant::operators {

/// Computes an aggregate function over the frame of each row. Rows that ANSI mode wants an error for are in error.
/// @throws Error Cancelled
WindowResult compute_aggregate(const plan::WindowCall& call, const WindowRows& rows, const WindowFrames& frames,
                               const execution::OperatorContext& ctx);

/// The state of the last frame of a piece of a window partition, whose frames all begin with the partition.
struct RunningStates {
  std::unique_ptr<aggregates::Accumulator> states;  ///< nullptr: there was no piece
  int32_t group = 0;                                ///< of them, the frame's
  int64_t next_batch = 0;                           ///< number of the rows that come next, for order-sensitive states
};

/// Likewise over the frames of a piece of one window partition.
/// @param before what the pieces before came to
/// @param behind set to what this one came to
WindowResult compute_running(const plan::WindowCall& call, const WindowRows& rows, const WindowFrames& frames,
                             const execution::OperatorContext& ctx, const RunningStates& before, RunningStates& behind);

}  // namespace accelerant::operators
