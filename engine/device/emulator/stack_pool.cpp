#include "device/emulator/stack_pool.h"

#include "device/emulator/sanitizer_hooks.h"

#include <utility>

namespace accelerant::device::emulator {

namespace {

/// Enough for a sanitizer to print a report on.
constexpr size_t kStackBytes = 64 << 10;

#if defined(__SANITIZE_THREAD__)
// On a used stack the sanitizer would take two fibers that nothing orders for a race.
constexpr bool kKeeps = false;
#else
constexpr bool kKeeps = true;
#endif

}  // namespace

std::unique_ptr<Mapping> StackPool::take() {
  if (spare_.empty()) return std::make_unique<Mapping>(kStackBytes);
  auto stack = std::move(spare_.back());
  spare_.pop_back();
  return stack;
}

void StackPool::give_back(std::unique_ptr<Mapping> stack) {
  // What a fiber that never came to its end has left on it.
  unpoison(stack->data(), stack->size_bytes());
  if (kKeeps) spare_.push_back(std::move(stack));
}

}  // namespace accelerant::device::emulator
