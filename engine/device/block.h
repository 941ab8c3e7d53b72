#pragma once

#include "base/macros.h"
#include "types/integers.h"

/// What one thread of a block can do: the interface that kernels are written against. Its homes are
/// device/emulator/block.h, device/cuda/threads.cuh and device/cuda/block.cuh; docs/design/device.md states the memory
/// model.
namespace accelerant::device {

/// Threads of a warp, on every device.
inline constexpr int32 kWarpThreads = 32;

/// What an atomic orders besides itself, as in C++.
enum class Order { Relaxed, Acquire, Release, AcquireRelease };

/// Whose threads an atomic is for.
enum class Scope { Block, Device };

namespace block_detail {

template <class Lhs, class Rhs>
inline constexpr bool kSame = false;
template <class Type>
inline constexpr bool kSame<Type, Type> = true;
template <class Lhs, class Rhs>
concept Same = kSame<Lhs, Rhs>;

struct First {
  ACC_HD int64 operator()(int64 lhs, int64) const { return lhs; }
};

}  // namespace block_detail

/// A thread's place in its grid.
template <class B>
concept Placed = requires(const B& block) {
  { B::kThreads } -> block_detail::Same<const int32&>;  // of a block, a multiple of kWarpThreads
  { block.thread() } -> block_detail::Same<int32>;      // in its block
  { block.index() } -> block_detail::Same<int64>;       // of the block
  { block.blocks() } -> block_detail::Same<int64>;      // in the grid
};

/// Barriers, which all threads of a block or of a warp reach at the same place, and which order memory; and operations
/// of whole warps, which order none.
template <class B>
concept Synchronised = requires(B& block, bool flag, uint64 value, int32 lane) {
  block.sync();
  block.sync_warp();
  { block.ballot(flag) } -> block_detail::Same<uint32>;          // bit i: the flag of lane i
  { block.any(flag) } -> block_detail::Same<bool>;               // of the warp
  { block.shuffle(value, lane) } -> block_detail::Same<uint64>;  // the value of a lane; up to 8 bytes
};

/// Atomics on naturally aligned integers of 4 and 8 bytes, in shared and in device memory. All but `load` and `store`
/// return what was there before. A load is relaxed or acquires, a store is relaxed or releases.
template <class B>
concept Atomic = requires(B& block, uint64* address, uint64 value) {
  { block.template load<Order::Acquire, Scope::Device>(address) } -> block_detail::Same<uint64>;
  block.template store<Order::Release, Scope::Device>(address, value);
  { block.template fetch_add<Order::Relaxed, Scope::Block>(address, value) } -> block_detail::Same<uint64>;
  { block.template fetch_min<Order::Relaxed, Scope::Block>(address, value) } -> block_detail::Same<uint64>;
  { block.template fetch_max<Order::Relaxed, Scope::Block>(address, value) } -> block_detail::Same<uint64>;
  { block.template fetch_or<Order::Relaxed, Scope::Block>(address, value) } -> block_detail::Same<uint64>;
  { block.template fetch_xor<Order::Relaxed, Scope::Block>(address, value) } -> block_detail::Same<uint64>;
  // Stores a value where there is the expected one, which comes first.
  {
    block.template compare_exchange<Order::AcquireRelease, Scope::Device>(address, value, value)
    } -> block_detail::Same<uint64>;
};

/// Collectives, which all threads reach at the same place. Each takes scratch in shared memory, which may be used again
/// only after a `sync`.
template <class B>
concept Collective = requires(B& block, typename B::template ReduceScratch<int64>& reduce_scratch,
                              typename B::template ScanScratch<int64>& scan_scratch, int64 value) {
  // Combines the threads' values in their order, by an associative operation; only thread 0 gets the result.
  { block.reduce(reduce_scratch, value, block_detail::First{}) } -> block_detail::Same<int64>;
  // Sums up the values of the threads before this one; `value` of the last parameter becomes the sum of all.
  { block.exclusive_sum(scan_scratch, value, value) } -> block_detail::Same<int64>;
};

/// A block as kernels see it that were generated: what needs no library of the device's.
template <class B>
concept Threads = Placed<B> && Synchronised<B> && Atomic<B>;

template <class B>
concept Block = Threads<B> && Collective<B>;

/// Returns a thread's place in its warp, and the warp's in its block.
template <Placed B>
ACC_HD ACC_INLINE int32 lane_of(const B& block) {
  return block.thread() % kWarpThreads;
}
template <Placed B>
ACC_HD ACC_INLINE int32 warp_of(const B& block) {
  return block.thread() / kWarpThreads;
}

/// Returns the first lane whose bit is set in a ballot that is not 0.
ACC_HD ACC_INLINE int32 first_lane(uint32 ballot) {
#if defined(__CUDA_ARCH__)
  return __ffs(static_cast<int32>(ballot)) - 1;
#else
  return __builtin_ctz(ballot);
#endif
}

/// Returns how many bits are set.
ACC_HD ACC_INLINE int32 count_bits(uint32 bits) {
#if defined(__CUDA_ARCH__)
  return __popc(bits);
#else
  return __builtin_popcount(bits);
#endif
}

/// Returns the first `n` lanes as a ballot has them: none of 0 and below, all of kWarpThreads and above.
ACC_HD ACC_INLINE uint32 first_lanes(int64 n) { return n <= 0 ? 0 : n >= kWarpThreads ? ~0u : (1u << n) - 1; }

}  // namespace accelerant::device
