#pragma once

#include "base/error.h"
#include "codegen/kernel_compiler.h"

#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

namespace accelerant::codegen {

/// Makes kernels of one device. Any thread.
class KernelMaker {
 public:
  virtual ~KernelMaker() = default;
  /// Returns a kernel that was compiled before, maybe by another process; nullptr where it was not. Takes milliseconds.
  /// @throws Error Internal with what the device says
  virtual std::shared_ptr<const CompiledKernel> find_kept(const KernelText& text) = 0;
  /// Compiles a kernel and makes it ready to be launched.
  /// @throws Error Internal with what the compiler or the device says
  virtual std::shared_ptr<const CompiledKernel> make(const KernelText& text) = 0;
};

/// Compiles kernels on a thread of its own, one after the other, while those who want them do something else.
class BackgroundCompiler final : public KernelCompiler {
 public:
  explicit BackgroundCompiler(std::unique_ptr<KernelMaker> maker);
  /// Waits for the kernel that is being compiled; others are not compiled any more.
  ~BackgroundCompiler() override = default;

  std::shared_ptr<const CompiledKernel> find(const KernelText& text) override;
  /// Fires too when this ends.
  execution::EventPtr next_compiled() override;

 private:
  /// A kernel, or why there is none; neither while it waits.
  struct Kernel {
    std::shared_ptr<const CompiledKernel> compiled;
    std::optional<Error> failure;
  };
  using Make = std::shared_ptr<const CompiledKernel> (KernelMaker::*)(const KernelText&);

  void work(const std::stop_token& stop);
  void tell_compiled();
  Kernel attempt(Make make, const KernelText& text) const;

  const std::unique_ptr<KernelMaker> maker_;
  std::mutex mutex_;
  std::condition_variable_any is_wanted_;
  std::deque<KernelText> wanted_;
  std::map<std::string, Kernel> kernels_;  ///< by text
  execution::EventPtr next_compiled_ = std::make_shared<execution::Event>();
  std::jthread thread_;  ///< ends first
};

}  // namespace accelerant::codegen
