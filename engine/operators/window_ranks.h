#pragma once

#include "operators/window_result.h"
#include "operators/window_rows.h"

#include <cstdint>

namespace accelerant::operators {

/// Says whether a function depends on where a row stands alone, and reads no value.
bool is_rank(plan::WindowKind kind);

/// What comes before rows that are a piece of one window partition.
struct RankedBefore {
  int64_t num_rows = 0;
  int64_t num_peers = 0;  ///< different orders
  int64_t size = 0;       ///< rows of the partition, where a function asks for it
};

/// Computes such a function of all rows.
/// @param before nullptr: the rows are whole window partitions
/// @throws Error Cancelled
WindowResult compute_ranks(const plan::WindowCall& call, const WindowRows& rows, const execution::OperatorContext& ctx,
                           const RankedBefore* before = nullptr);

}  // namespace accelerant::operators
