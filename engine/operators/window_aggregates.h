#pragma once

#include "operators/window_frames.h"
#include "operators/window_result.h"

namespace accelerant::operators {

/// Computes an aggregate function over the frame of each row. Rows that ANSI mode wants an error for are in error.
/// @throws Error Cancelled
WindowResult compute_aggregate(const plan::WindowCall& call, const WindowRows& rows, const WindowFrames& frames,
                               const execution::OperatorContext& ctx);

}  // namespace accelerant::operators
