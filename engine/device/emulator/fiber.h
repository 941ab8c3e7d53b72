#pragma once

#include "device/emulator/context.h"
#include "device/emulator/sanitizer_hooks.h"
#include "device/emulator/stack_pool.h"

#include <memory>
#include <utility>

namespace accelerant::device::emulator {

/// A flow of control on a stack of its own, which runs when it is resumed and until it suspends itself. For the thread
/// sanitizer nothing orders it with whoever resumes it but what its maker did before. One that is destroyed before its
/// end is simply forgotten: what lives on its stack is not destroyed. Nothing may be thrown out of it.
class Fiber {
 public:
  using Body = void (*)(void* argument);

  /// Makes a fiber that will call `body(argument)` on a stack of the pool, which outlives it; throws as
  /// StackPool::take.
  Fiber(StackPool& stacks, Body body, void* argument);
  ~Fiber() { stacks_.give_back(std::move(stack_), has_ended_); }
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  /// Runs the fiber until it suspends or ends. A fiber may resume others.
  void resume();
  /// Returns to who resumed this fiber. Called from inside it.
  void suspend();
  bool has_ended() const { return has_ended_; }

 private:
  [[noreturn]] static void start() noexcept;
  /// Goes from the resumer's stack to the fiber's, and back.
  void enter();
  void leave();

  StackPool& stacks_;
  std::unique_ptr<Stack> stack_;
  AccessOrder& accesses_;  ///< of the stack
  char made_ = 0;          ///< what stands for its making to the thread sanitizer
  Context context_;
  Context resumer_;
  Body body_;
  void* argument_;
  bool has_ended_ = false;
  // What the address sanitizer knows of the two stacks.
  void* fake_stack_ = nullptr;
  void* resumer_fake_stack_ = nullptr;
  const void* resumer_stack_ = nullptr;
  size_t resumer_stack_bytes_ = 0;
};

}  // namespace accelerant::device::emulator
