#pragma once

#include "device/block.h"
#include "device/emulator/kernel_thread.h"
#include "device/kernel.h"

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace accelerant::device::emulator {

/// The block interface on the fibers of a CPU thread; device/block.h says what each call does. A thread stops before
/// every atomic. Nothing but barriers and atomics orders memory for the thread sanitizer.
template <int32 kNumThreads>
class Block {
 public:
  static constexpr int32 kThreads = kNumThreads;
  static_assert(kThreads > 0 && kThreads <= 1024 && kThreads % kWarpThreads == 0);

  /// One value a thread: collectives are a barrier and a loop of thread 0.
  template <class T>
  struct ReduceScratch {
    T values[kThreads];
  };
  template <class T>
  struct ScanScratch {
    T values[kThreads];
    T total;
  };

  explicit Block(const KernelThread& thread) : thread_(thread), number_(thread.number()) {}

  int32 thread() const { return number_; }
  int64 index() const { return thread_.block_index(); }
  int64 blocks() const { return thread_.num_blocks(); }

  void sync(const char* file = __builtin_FILE(), int line = __builtin_LINE()) { thread_.sync({file, line}); }
  void sync_warp(const char* file = __builtin_FILE(), int line = __builtin_LINE()) { thread_.sync_warp({file, line}); }
  uint32 ballot(bool flag, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    return static_cast<uint32>(thread_.exchange(Stop::Ballot, flag, 0, {file, line}));
  }
  bool any(bool flag, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    return ballot(flag, file, line) != 0;
  }
  template <class T>
  T shuffle(T value, int32 lane, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= sizeof(uint64_t));
    uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    bits = thread_.exchange(Stop::Shuffle, bits, lane, {file, line});
    std::memcpy(&value, &bits, sizeof value);
    return value;
  }

  template <Order kOrder, Scope>
  auto load(const auto* address, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    static_assert(kOrder == Order::Relaxed || kOrder == Order::Acquire);
    thread_.pause(Stop::AtomicRead, {file, line});
    return __atomic_load_n(address, order_of(kOrder));
  }
  template <Order kOrder, Scope, class T>
  void store(T* address, std::type_identity_t<T> value, const char* file = __builtin_FILE(),
             int line = __builtin_LINE()) {
    static_assert(kOrder == Order::Relaxed || kOrder == Order::Release);
    thread_.pause(Stop::AtomicWrite, {file, line});
    __atomic_store_n(address, value, order_of(kOrder));
  }
  template <Order kOrder, Scope, class T>
  T fetch_add(T* address, std::type_identity_t<T> value, const char* file = __builtin_FILE(),
              int line = __builtin_LINE()) {
    thread_.pause(Stop::AtomicWrite, {file, line});
    return __atomic_fetch_add(address, value, order_of(kOrder));
  }
  template <Order kOrder, Scope, class T>
  T fetch_min(T* address, std::type_identity_t<T> value, const char* file = __builtin_FILE(),
              int line = __builtin_LINE()) {
    thread_.pause(Stop::AtomicWrite, {file, line});
    return replace<kOrder>(address, [value](T old) { return value < old ? value : old; });
  }
  template <Order kOrder, Scope, class T>
  T fetch_max(T* address, std::type_identity_t<T> value, const char* file = __builtin_FILE(),
              int line = __builtin_LINE()) {
    thread_.pause(Stop::AtomicWrite, {file, line});
    return replace<kOrder>(address, [value](T old) { return old < value ? value : old; });
  }
  template <Order kOrder, Scope, class T>
  T fetch_or(T* address, std::type_identity_t<T> bits, const char* file = __builtin_FILE(),
             int line = __builtin_LINE()) {
    thread_.pause(Stop::AtomicWrite, {file, line});
    return replace<kOrder>(address, [bits](T old) { return old | bits; });
  }
  template <Order kOrder, Scope, class T>
  T fetch_xor(T* address, std::type_identity_t<T> bits, const char* file = __builtin_FILE(),
              int line = __builtin_LINE()) {
    thread_.pause(Stop::AtomicWrite, {file, line});
    return replace<kOrder>(address, [bits](T old) { return old ^ bits; });
  }
  template <Order kOrder, Scope, class T>
  T compare_exchange(T* address, std::type_identity_t<T> expected, std::type_identity_t<T> value,
                     const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    // A failed exchange only reads.
    constexpr int kFailed = kOrder == Order::Relaxed || kOrder == Order::Release ? __ATOMIC_RELAXED : __ATOMIC_ACQUIRE;
    thread_.pause(Stop::AtomicRead, {file, line});
    if (__atomic_compare_exchange_n(address, &expected, value, false, order_of(kOrder), kFailed)) thread_.note_write();
    return expected;
  }

  template <class T, class Operation>
  T reduce(ReduceScratch<T>& scratch, T value, Operation combine, const char* file = __builtin_FILE(),
           int line = __builtin_LINE()) {
    scratch.values[thread()] = value;
    sync(file, line);
    T result;
    std::memset(&result, 0xA5, sizeof result);  // for the others: whatever CUB leaves them
    if (thread() != 0) return result;
    result = scratch.values[0];
    for (int32 i = 1; i < kThreads; ++i) result = combine(result, scratch.values[i]);
    return result;
  }
  template <class T>
  T exclusive_sum(ScanScratch<T>& scratch, T value, T& total, const char* file = __builtin_FILE(),
                  int line = __builtin_LINE()) {
    scratch.values[thread()] = value;
    sync(file, line);
    if (thread() == 0) sum_up(scratch);
    sync(file, line);
    total = scratch.total;
    return scratch.values[thread()];
  }

 private:
  static constexpr int order_of(Order order) {
    return order == Order::Relaxed   ? __ATOMIC_RELAXED
           : order == Order::Acquire ? __ATOMIC_ACQUIRE
           : order == Order::Release ? __ATOMIC_RELEASE
                                     : __ATOMIC_ACQ_REL;
  }

  template <Order kOrder, class T, class Change>
  static T replace(T* address, Change change) {
    T old = __atomic_load_n(address, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(address, &old, change(old), false, order_of(kOrder), __ATOMIC_RELAXED)) {
    }
    return old;
  }

  template <class T>
  static void sum_up(ScanScratch<T>& scratch) {
    T sum = 0;
    for (int32 i = 0; i < kThreads; ++i) {
      const T value = scratch.values[i];
      scratch.values[i] = sum;
      sum += value;
    }
    scratch.total = sum;
  }

  KernelThread thread_;
  const int32 number_;
};

static_assert(device::Block<Block<kWarpThreads>>);

/// Returns the entry of a kernel, see KernelEntry.
template <class Kernel>
constexpr KernelEntry entry_of() {
  using B = Block<Kernel::kThreads>;
  using Shared = typename Kernel::template Shared<B>;
  using Arguments = typename Kernel::Arguments;
  static_assert(std::is_trivially_copyable_v<Arguments> && std::is_trivially_destructible_v<Shared>);
  static_assert(alignof(Shared) <= 16);
  constexpr auto kEmulate = [](KernelThread& thread, void* shared, const void* arguments) {
    B block(thread);
    Kernel::run(block, *static_cast<Shared*>(shared), *static_cast<const Arguments*>(arguments));
  };
  return {kernels::KernelName<Kernel>::kValue, Kernel::kThreads, sizeof(Arguments), sizeof(Shared), kEmulate};
}

}  // namespace accelerant::device::emulator
