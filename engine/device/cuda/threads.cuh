#pragma once

#include "device/block.h"

namespace accelerant::device::cuda {

/// The block interface on a GPU, but for collectives; device/block.h says what each call does. Needs no library, so
/// that NVRTC compiles it.
template <int32 kNumThreads>
class Threads {
 public:
  static constexpr int32 kThreads = kNumThreads;
  static_assert(kThreads > 0 && kThreads <= 1024 && kThreads % kWarpThreads == 0);

  __device__ int32 thread() const { return static_cast<int32>(threadIdx.x); }
  __device__ int64 index() const { return blockIdx.x; }
  __device__ int64 blocks() const { return gridDim.x; }

  __device__ void sync() { __syncthreads(); }
  __device__ void sync_warp() { __syncwarp(); }
  __device__ uint32 ballot(bool flag) { return __ballot_sync(kAllLanes, flag); }
  __device__ bool any(bool flag) { return __any_sync(kAllLanes, flag) != 0; }
  template <class T>
  __device__ T shuffle(T value, int32 lane) {
    return __shfl_sync(kAllLanes, value, lane);
  }

  template <Order kOrder, Scope kScope, class T>
  __device__ T load(const T* address) {
    return __nv_atomic_load_n(const_cast<T*>(address), order_of(kOrder), scope_of(kScope));
  }
  template <Order kOrder, Scope kScope, class T, class V>
  __device__ void store(T* address, V value) {
    __nv_atomic_store_n(address, static_cast<T>(value), order_of(kOrder), scope_of(kScope));
  }
  template <Order kOrder, Scope kScope, class T, class V>
  __device__ T fetch_add(T* address, V value) {
    return changed<kOrder, kScope>(
        address, value, [](auto* at, auto by) { return atomicAdd_block(at, by); },
        [](auto* at, auto by) { return atomicAdd(at, by); });
  }
  template <Order kOrder, Scope kScope, class T, class V>
  __device__ T fetch_min(T* address, V value) {
    return changed<kOrder, kScope>(
        address, value, [](auto* at, auto by) { return atomicMin_block(at, by); },
        [](auto* at, auto by) { return atomicMin(at, by); });
  }
  template <Order kOrder, Scope kScope, class T, class V>
  __device__ T fetch_max(T* address, V value) {
    return changed<kOrder, kScope>(
        address, value, [](auto* at, auto by) { return atomicMax_block(at, by); },
        [](auto* at, auto by) { return atomicMax(at, by); });
  }
  template <Order kOrder, Scope kScope, class T, class V>
  __device__ T fetch_or(T* address, V bits) {
    return changed<kOrder, kScope>(
        address, bits, [](auto* at, auto by) { return atomicOr_block(at, by); },
        [](auto* at, auto by) { return atomicOr(at, by); });
  }
  template <Order kOrder, Scope kScope, class T, class V>
  __device__ T fetch_xor(T* address, V bits) {
    return changed<kOrder, kScope>(
        address, bits, [](auto* at, auto by) { return atomicXor_block(at, by); },
        [](auto* at, auto by) { return atomicXor(at, by); });
  }
  template <Order kOrder, Scope kScope, class T, class V>
  __device__ T compare_exchange(T* address, V expected, V value) {
    constexpr Order kFailed = kOrder == Order::Relaxed || kOrder == Order::Release ? Order::Relaxed : Order::Acquire;
    T found = static_cast<T>(expected);
    __nv_atomic_compare_exchange_n(address, &found, static_cast<T>(value), false, order_of(kOrder), order_of(kFailed),
                                   scope_of(kScope));
    return found;
  }

 private:
  template <int kBytes, class Unused = void>
  struct WordOf {
    using Type = unsigned;
  };
  template <class Unused>
  struct WordOf<8, Unused> {
    using Type = unsigned long long;
  };

  /// Changes an unsigned word. What a block alone knows of is in its shared memory, all else in the device's: told of
  /// that, the compiler need not have the kernel find out each time, which it does for __nv_atomic_fetch_add and
  /// others.
  template <Order kOrder, Scope kScope, class T, class V, class InBlock, class OnDevice>
  static __device__ T changed(T* address, V value, InBlock in_block, OnDevice on_device) {
    static_assert(kOrder == Order::Relaxed && T(-1) > T(0));
    using Word = typename WordOf<sizeof(T)>::Type;
    auto* word = reinterpret_cast<Word*>(address);
    if constexpr (kScope == Scope::Block) {
      __builtin_assume(__isShared(word));
      return static_cast<T>(in_block(word, static_cast<Word>(value)));
    } else {
      __builtin_assume(__isGlobal(word));
      return static_cast<T>(on_device(word, static_cast<Word>(value)));
    }
  }

  static constexpr unsigned kAllLanes = 0xffffffff;

  static constexpr __device__ int order_of(Order order) {
    return order == Order::Relaxed   ? __NV_ATOMIC_RELAXED
           : order == Order::Acquire ? __NV_ATOMIC_ACQUIRE
           : order == Order::Release ? __NV_ATOMIC_RELEASE
                                     : __NV_ATOMIC_ACQ_REL;
  }
  static constexpr __device__ int scope_of(Scope scope) {
    return scope == Scope::Block ? __NV_THREAD_SCOPE_BLOCK : __NV_THREAD_SCOPE_DEVICE;
  }
};

static_assert(device::Threads<Threads<kWarpThreads>>);

}  // namespace accelerant::device::cuda
