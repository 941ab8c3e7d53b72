#include "device/cuda/block.cuh"
#include "device/kernels/list.h"

namespace accelerant::device::kernels {

// Each kernel of the list by its name, as a function of a module.
#define ACC_DEFINE_KERNEL(name, ...)                                                                      \
  extern "C" __global__ void __launch_bounds__(__VA_ARGS__::kThreads, cuda::kResidentBlocks<__VA_ARGS__>) \
      name(const __grid_constant__ typename __VA_ARGS__::Arguments arguments) {                           \
    cuda::run<__VA_ARGS__>(arguments);                                                                    \
  }
ACC_DEVICE_KERNELS(ACC_DEFINE_KERNEL)
#undef ACC_DEFINE_KERNEL

}  // namespace accelerant::device::kernels
