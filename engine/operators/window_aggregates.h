#pragma once

#include "columns/batch.h"
#include "operators/window_frames.h"

#include <vector>

namespace accelerant::operators {

/// Computes an aggregate function over the frame of each row. Results that ANSI mode wants an error for are appended to
/// `errors`, ascending by row.
/// @throws Error Cancelled
columns::ColumnPtr compute_aggregate(const plan::WindowCall& call, const WindowRows& rows, const WindowFrames& frames,
                                     const execution::OperatorContext& ctx, std::vector<columns::RowError>& errors);

}  // namespace accelerant::operators
