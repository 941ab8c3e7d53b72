#pragma once

#include "codegen/accelerator.h"
#include "report.h"

#include <cstdint>

namespace accelerant::gpu_check {

/// Runs pipelines over generated rows on a device and on the host, compares them, and measures those on the device.
/// @throws Error with what the compiler of kernels or the device says
void check_pipelines(codegen::Accelerator& accelerator, int64_t num_rows, Report& report);

}  // namespace accelerant::gpu_check
