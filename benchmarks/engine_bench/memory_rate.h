#pragma once

#include <benchmark/benchmark.h>

#include <cstdint>

namespace accelerant::bench {

/// Returns the bytes a second that one thread moves between memory and registers: STREAM's triad a[i] = b[i] + s * c[i]
/// over arrays far larger than any cache, the best of several passes. Measured at the first call.
double memory_bytes_per_second();

/// Counts what each iteration of a benchmark read, as rows and as bytes a second.
void count_rates(benchmark::State& state, int64_t rows, int64_t bytes);

}  // namespace accelerant::bench
