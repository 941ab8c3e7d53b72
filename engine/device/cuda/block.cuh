#pragma once

#include "device/cuda/threads.cuh"

#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>

namespace accelerant::device::cuda {

/// The block interface on a GPU. CUB does the collectives.
template <int32 kNumThreads>
class Block : public Threads<kNumThreads> {
  template <class T>
  using Reducer = cub::BlockReduce<T, kNumThreads>;
  template <class T>
  using Scanner = cub::BlockScan<T, kNumThreads>;

 public:
  template <class T>
  using ReduceScratch = typename Reducer<T>::TempStorage;
  template <class T>
  using ScanScratch = typename Scanner<T>::TempStorage;

  template <class T, class Operation>
  __device__ T reduce(ReduceScratch<T>& scratch, T value, Operation combine) {
    return Reducer<T>(scratch).Reduce(value, combine);
  }
  template <class T>
  __device__ T exclusive_sum(ScanScratch<T>& scratch, T value, T& total) {
    T before;
    Scanner<T>(scratch).ExclusiveSum(value, before, total);
    return before;
  }
};

static_assert(device::Block<Block<kWarpThreads>>);

/// Blocks of a kernel that a multiprocessor can hold at least: those of 1,024 threads, the most that every supported
/// one takes, which leaves a thread 64 registers.
template <class Kernel>
inline constexpr int kResidentBlocks = 1024 / Kernel::kThreads;

/// What a `__global__` function does that stands for a kernel.
template <class Kernel>
__device__ void run(const typename Kernel::Arguments& arguments) {
  using B = Block<Kernel::kThreads>;
  __shared__ typename Kernel::template Shared<B> shared;
  B block;
  Kernel::run(block, shared, arguments);
}

}  // namespace accelerant::device::cuda
