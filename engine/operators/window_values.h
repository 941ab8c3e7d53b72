#pragma once

#include "operators/window_frames.h"
#include "operators/window_result.h"

namespace accelerant::operators {

/// Computes, of all rows, the value of a row that stands a number of rows away.
/// @throws Error Cancelled
WindowResult compute_shifted(const plan::WindowCall& call, const WindowRows& rows,
                             const execution::OperatorContext& ctx);

/// Computes, of all rows, the value of a row of their frame, counted from its first or its last one.
/// @throws Error Cancelled
WindowResult compute_frame_values(const plan::WindowCall& call, const WindowRows& rows, const WindowFrames& frames,
                                  const execution::OperatorContext& ctx);

}  // namespace accelerant::operators
