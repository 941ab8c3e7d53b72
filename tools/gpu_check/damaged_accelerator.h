#pragma once

#include "codegen/accelerator.h"

#include <cstdint>
#include <memory>

namespace accelerant::gpu_check {

/// Returns a device whose results are wrong: it changes the first byte of what is copied to the host in pieces of
/// `least_bytes` or more. Every check has to find that.
std::shared_ptr<codegen::Accelerator> damaged(std::shared_ptr<codegen::Accelerator> accelerator, int64_t least_bytes);

}  // namespace accelerant::gpu_check
