#pragma once

#include <cstddef>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

/// What the sanitizers have to be told about fibers and about memory; nothing in other builds.
namespace accelerant::device::emulator {

#if defined(__SANITIZE_ADDRESS__)
inline void poison(const void* memory, size_t bytes) { __asan_poison_memory_region(memory, bytes); }
inline void unpoison(const void* memory, size_t bytes) { __asan_unpoison_memory_region(memory, bytes); }
#else
inline void poison(const void*, size_t) {}
inline void unpoison(const void*, size_t) {}
#endif

/// A line of happens-before edges that accesses belong to. What one line does is ordered before what another does only
/// where the first releases a token and the other acquires it afterwards. It starts with what its maker had seen.
#if defined(__SANITIZE_THREAD__)
class AccessOrder {
 public:
  AccessOrder() : context_(__tsan_create_fiber(0)) {}
  ~AccessOrder() { __tsan_destroy_fiber(context_); }
  AccessOrder(const AccessOrder&) = delete;
  AccessOrder& operator=(const AccessOrder&) = delete;

  /// Counts accesses from here on to this line, until `leave`. The caller must not be instrumented.
  [[gnu::always_inline, gnu::no_sanitize("thread")]] void enter() {
    outside_ = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(context_, __tsan_switch_to_fiber_no_sync);
  }
  [[gnu::always_inline, gnu::no_sanitize("thread")]] void leave() {
    __tsan_switch_to_fiber(outside_, __tsan_switch_to_fiber_no_sync);
  }

 private:
  void* context_;
  void* outside_ = nullptr;
};
inline void release(void* token) { __tsan_release(token); }
inline void acquire(void* token) { __tsan_acquire(token); }
#else
class AccessOrder {
 public:
  void enter() {}
  void leave() {}
};
inline void release(void*) {}
inline void acquire(void*) {}
#endif

}  // namespace accelerant::device::emulator
