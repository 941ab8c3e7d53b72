#pragma once

#include "device/stream.h"
#include "report.h"

#include <cstdint>
#include <span>

namespace accelerant::gpu_check {

/// Compares primitives over random columns of these sizes with their references on the host.
void check_primitives(device::Device& device, std::span<const int64_t> sizes, Report& report);

/// Measures copies, launches, sorting and grouping.
/// @param num_rows of what is measured
void measure_primitives(device::Device& device, int64_t num_rows, Report& report);

}  // namespace accelerant::gpu_check
