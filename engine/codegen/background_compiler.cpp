#include "codegen/background_compiler.h"

#include <exception>
#include <utility>

namespace accelerant::codegen {

BackgroundCompiler::BackgroundCompiler(std::unique_ptr<KernelMaker> maker)
    : maker_(std::move(maker)), thread_([this](const std::stop_token& stop) { work(stop); }) {}

std::shared_ptr<const CompiledKernel> BackgroundCompiler::find(const KernelText& text) {
  const std::lock_guard lock(mutex_);
  const auto [found, is_new] = kernels_.try_emplace(text.text);
  Kernel& kernel = found->second;
  if (is_new) {
    kernel = attempt(&KernelMaker::find_kept, text);
    if (!kernel.compiled && !kernel.failure) {
      wanted_.push_back(text);
      is_wanted_.notify_one();
    }
  }
  if (kernel.failure) throw *kernel.failure;
  return kernel.compiled;
}

void BackgroundCompiler::work(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (is_wanted_.wait(lock, stop, [this] { return !wanted_.empty(); }) && !stop.stop_requested()) {
    const KernelText text = std::move(wanted_.front());
    wanted_.pop_front();
    lock.unlock();
    Kernel kernel = attempt(&KernelMaker::make, text);
    lock.lock();
    kernels_[text.text] = std::move(kernel);
    lock.unlock();
    tell_compiled();
    lock.lock();
  }
  lock.unlock();
  tell_compiled();
}

execution::EventPtr BackgroundCompiler::next_compiled() {
  const std::lock_guard lock(mutex_);
  return next_compiled_;
}

void BackgroundCompiler::tell_compiled() {
  std::unique_lock lock(mutex_);
  const auto event = std::exchange(next_compiled_, std::make_shared<execution::Event>());
  lock.unlock();
  event->fire();
}

BackgroundCompiler::Kernel BackgroundCompiler::attempt(Make make, const KernelText& text) const {
  try {
    return {(*maker_.*make)(text), std::nullopt};
  } catch (const Error& error) {
    return {nullptr, error};
  } catch (const std::exception& error) {
    return {nullptr, Error(ErrorKind::Internal, text.name + " is not compiled: " + error.what())};
  }
}

}  // namespace accelerant::codegen
