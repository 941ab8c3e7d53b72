#pragma once

#include "codegen/kernel_compiler.h"

#include <filesystem>
#include <map>
#include <mutex>
#include <string>

namespace accelerant::codegen {

/// Makes kernels for the emulator with the machine's C++ compiler, while its caller waits. The libraries are in a
/// folder of its own, which is removed when the process ends; those of processes that were killed, when another one
/// starts. Texts are left too in the folder that variable ACCELERANT_KERNELS of the environment names, if it names one:
/// scripts/compile_kernels.py compiles those of tests for GPUs.
class EmulatorCompiler final : public KernelCompiler {
 public:
  /// @throws Error Resource where there is no compiler, or no folder can be made
  EmulatorCompiler();

  std::shared_ptr<const CompiledKernel> find(const KernelText& text) override;
  /// Has fired, as nothing is being compiled when `find` has returned.
  execution::EventPtr next_compiled() override;

 private:
  std::shared_ptr<const CompiledKernel> compile(const KernelText& text) const;

  const std::filesystem::path folder_;
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<const CompiledKernel>> kernels_;  ///< by text
};

}  // namespace accelerant::codegen
