#pragma once

#include <cstddef>

#if !defined(__x86_64__)
#include <ucontext.h>
#endif

namespace accelerant::device::emulator {

/// Where a flow of control goes on: its stack and the registers that a call keeps.
class Context {
 public:
  /// Makes a flow of control that will call `entry`, which must not return, on a stack of its own.
  void prepare(void* stack, size_t stack_bytes, void (*entry)());
  /// Leaves the current flow of control, kept in `from`, and goes on with `to`. Returns when something switches back.
  static void switch_to(Context& from, Context& to);

 private:
#if defined(__x86_64__)
  void* stack_pointer_ = nullptr;
#else
  ucontext_t context_;
#endif
};

}  // namespace accelerant::device::emulator
