#pragma once

#include "operators/window_result.h"
#include "operators/window_rows.h"

namespace accelerant::operators {

/// Says whether a function depends on where a row stands alone, and reads no value.
bool is_rank(plan::WindowKind kind);

/// Computes such a function of all rows.
/// @throws Error Cancelled
WindowResult compute_ranks(const plan::WindowCall& call, const WindowRows& rows, const execution::OperatorContext& ctx);

}  // namespace accelerant::operators
