#pragma once

#include "device/kernel.h"
#include "execution/event.h"

#include <cstdint>
#include <memory>
#include <string>

namespace accelerant::codegen {

/// The text of a kernel: one struct over the block interface (device/kernel.h) in namespace accelerant::generated.
struct KernelText {
  std::string name;           ///< of the struct, and of the kernel in machine code
  std::string text;           ///< includes headers of the engine by their names, and nothing else
  int32_t num_threads = 256;  ///< the struct's kThreads
};

/// A kernel that is ready to be launched. Keeps its machine code.
class CompiledKernel {
 public:
  virtual ~CompiledKernel() = default;
  virtual const device::KernelEntry& entry() const = 0;
};

/// Compiles kernels for a device. Any thread.
class KernelCompiler {
 public:
  virtual ~KernelCompiler() = default;
  /// Returns a kernel; nullptr while it is being compiled: ask again. The same text is compiled once.
  /// @throws Error Internal with what the compiler says
  virtual std::shared_ptr<const CompiledKernel> find(const KernelText& text) = 0;
  /// Returns what fires when the next kernel, whichever it is, is compiled or found not to compile. Who takes it before
  /// asking `find` misses none.
  virtual execution::EventPtr next_compiled() = 0;
};

}  // namespace accelerant::codegen
