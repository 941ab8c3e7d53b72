#include "device/emulator/fiber.h"

#include <cstdlib>

// No function here that runs on both sides of a switch may be instrumented for the thread sanitizer, which would count
// its entry to one fiber and its return to another, and its accesses as shared.

namespace accelerant::device::emulator {

namespace {

/// The fiber that is resumed for the first time, for Fiber::start, which takes no arguments.
thread_local Fiber* starting = nullptr;

}  // namespace

Fiber::Fiber(StackPool& stacks, Body body, void* argument)
    : stacks_(stacks), stack_(stacks.take()), accesses_(stack_->accesses), body_(body), argument_(argument) {
  context_.prepare(stack_->memory.data(), stack_->memory.size_bytes(), &Fiber::start);
  release(&made_);
}

__attribute__((noinline, no_sanitize("thread"))) void Fiber::resume() {
  starting = this;
  enter();
}

__attribute__((noinline, no_sanitize("thread"))) void Fiber::suspend() { leave(); }

__attribute__((noinline, no_sanitize("thread"), no_sanitize("address"))) void Fiber::enter() {
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_start_switch_fiber(&resumer_fake_stack_, stack_->memory.data(), stack_->memory.size_bytes());
#endif
  accesses_.enter();
  Context::switch_to(resumer_, context_);
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_finish_switch_fiber(resumer_fake_stack_, nullptr, nullptr);
#endif
}

__attribute__((noinline, no_sanitize("thread"), no_sanitize("address"))) void Fiber::leave() {
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_start_switch_fiber(has_ended_ ? nullptr : &fake_stack_, resumer_stack_, resumer_stack_bytes_);
#endif
  accesses_.leave();
  Context::switch_to(context_, resumer_);
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_finish_switch_fiber(fake_stack_, &resumer_stack_, &resumer_stack_bytes_);
#endif
}

__attribute__((noinline, no_sanitize("thread"), no_sanitize("address"))) void Fiber::start() noexcept {
  Fiber* fiber = starting;
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_finish_switch_fiber(nullptr, &fiber->resumer_stack_, &fiber->resumer_stack_bytes_);
#endif
  acquire(&fiber->made_);
  fiber->body_(fiber->argument_);
  fiber->has_ended_ = true;
  fiber->leave();
  std::abort();  // nobody resumes a fiber that has ended
}

}  // namespace accelerant::device::emulator
