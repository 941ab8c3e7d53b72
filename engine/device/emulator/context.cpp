#include "device/emulator/context.h"

#include <cstdint>

namespace accelerant::device::emulator {

#if defined(__x86_64__)

// Keeps the registers that the System V ABI has a callee keep on the stack that is left, and takes those of the other.
asm(R"(
.text
.hidden accelerant_switch_context
.globl accelerant_switch_context
.type accelerant_switch_context, @function
accelerant_switch_context:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size accelerant_switch_context, .-accelerant_switch_context
)");
extern "C" void accelerant_switch_context(void** from, void* to);

// Who ran on the stack before is no concern of the maker's.
[[gnu::no_sanitize("thread")]] void Context::prepare(void* stack, size_t stack_bytes, void (*entry)()) {
  constexpr int kRegisters = 6;
  auto* top = reinterpret_cast<uintptr_t*>(static_cast<char*>(stack) + stack_bytes);
  // A return address of 0, where backtraces end; with it the stack is aligned as after a call.
  *--top = 0;
  *--top = reinterpret_cast<uintptr_t>(entry);
  for (int i = 0; i < kRegisters; ++i) *--top = 0;
  stack_pointer_ = top;
}

[[gnu::no_sanitize("thread")]] void Context::switch_to(Context& from, Context& to) {
  accelerant_switch_context(&from.stack_pointer_, to.stack_pointer_);
}

#else

void Context::prepare(void* stack, size_t stack_bytes, void (*entry)()) {
  getcontext(&context_);
  context_.uc_stack.ss_sp = stack;
  context_.uc_stack.ss_size = stack_bytes;
  context_.uc_link = nullptr;
  makecontext(&context_, entry, 0);
}

[[gnu::no_sanitize("thread")]] void Context::switch_to(Context& from, Context& to) {
  swapcontext(&from.context_, &to.context_);
}

#endif

}  // namespace accelerant::device::emulator
