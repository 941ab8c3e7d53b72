#pragma once

#include <cstdint>

namespace accelerant::device {

namespace emulator {
class KernelThread;
}

/// A kernel as a device launches it. A kernel is a struct with
///   static constexpr int32 kThreads                      threads of a block, a multiple of 32, 1,024 at most
///   struct Arguments                                     trivially copyable
///   template <Block B> struct Shared                     what a block shares; trivial
///   template <Block B> static ACC_HD void run(B&, Shared<B>&, const Arguments&)
/// and a name, see kernels::KernelName.
struct KernelEntry {
  const char* name;  ///< also of the function in a module of machine code
  int32_t num_threads;
  int64_t argument_bytes;  ///< 0: machine code alone says it. This and what follows is for the emulator
  int64_t emulated_shared_bytes;
  /// Runs one thread in the emulator.
  void (*emulate)(emulator::KernelThread& thread, void* shared, const void* arguments);
};

namespace kernels {

/// Has the kernel's name as `kValue`: lower case, letters, digits and underscores. Specialised for the kernels of
/// kernels/list.h; others name themselves.
template <class Kernel>
struct KernelName {
  static constexpr const char* kValue = Kernel::kName;
};

}  // namespace kernels

}  // namespace accelerant::device
