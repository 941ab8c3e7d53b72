#pragma once

#include "operators/stage_results.h"
#include "table.h"

#include <vector>

/// Runs one operator over a table on one thread.
namespace accelerant::bench {

/// Passes all batches through a transform and returns how many rows come out.
int64_t pass(const operators::Transform& transform, const Table& table);
/// Fills a sink with all batches and finishes it.
void fill(operators::Breaker& sink, const Table& table);
/// Reads all that a filled sink has and returns how many rows there are.
int64_t drain(operators::Breaker& sink);

}  // namespace accelerant::bench
