#pragma once

#include "codegen/kernel_compiler.h"
#include "device/cuda/runtime_compiler.h"

namespace accelerant::codegen {

/// Returns a kernel as a program for NVRTC: a function of the kernel's name, and all headers that texts include.
device::cuda::CudaProgram cuda_program(const KernelText& text);

}  // namespace accelerant::codegen
