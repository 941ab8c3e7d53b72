#pragma once

#include "codegen/accelerator.h"

#include <memory>

namespace accelerant::gpu_check {

/// Returns a device whose results are wrong: it changes the first byte of all that is copied to the host. Every check
/// has to find that.
std::shared_ptr<codegen::Accelerator> damaged(std::shared_ptr<codegen::Accelerator> accelerator);

}  // namespace accelerant::gpu_check
