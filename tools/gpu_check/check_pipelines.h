#pragma once

#include "codegen/accelerator.h"
#include "report.h"

#include <chrono>
#include <cstdint>
#include <span>
#include <thread>

namespace accelerant::gpu_check {

/// Runs pipelines that end in rows, or in groups, over rows of many types on a device and on the host, and compares
/// them.
void check_rows(codegen::Accelerator& accelerator, std::span<const int64_t> sizes, Report& report);
void check_groupings(codegen::Accelerator& accelerator, std::span<const int64_t> sizes, Report& report);

/// Runs TPC-H's Q1 and Q6, as Spark plans them, and a sum for each day over generated rows on a device and on the host,
/// compares them, and measures those on the device: as a share of the memory's rate where that was measured.
/// @throws Error with what the compiler of kernels or the device says
void check_queries(codegen::Accelerator& accelerator, int64_t num_rows, Report& report);

/// Waits until a pipeline's kernels are there; returns the milliseconds that took.
template <class Fused>
double wait_until_ready(Fused& fused) {
  const auto start = std::chrono::steady_clock::now();
  while (!fused.ready()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace accelerant::gpu_check
