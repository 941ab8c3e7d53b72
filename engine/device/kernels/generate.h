#pragma once

#include "device/block.h"

namespace accelerant::device::kernels {

/// A column of random integers: every value is a function of the seed and its row alone, so that all machines make the
/// same, in any order.
struct RandomColumn {
  uint64 seed;
  int64 lowest;
  uint64 num_values;  ///< that there can be, from the lowest on, more than 0

  /// Returns the value of a row: Steele, Lea and Flood's SplitMix, with the row as its counter.
  ACC_HD ACC_INLINE int64 at(int64 row) const {
    uint64 bits = seed + (static_cast<uint64>(row) + 1) * 0x9e3779b97f4a7c15;
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111eb;
    bits ^= bits >> 31;
    const auto scaled = static_cast<uint64>(static_cast<uint128>(bits) * num_values >> 64);
    return static_cast<int64>(static_cast<uint64>(lowest) + scaled);
  }
};

/// Writes the values of a random column. A thread takes a row.
template <class Value, int32 kNumThreads>
struct Generate {
  static constexpr int32 kThreads = kNumThreads;

  struct Arguments {
    RandomColumn column;
    int64 num_rows;
    Value* to;
  };

  template <Block B>
  struct Shared {};

  template <Block B>
  ACC_HD static void run(B& block, Shared<B>&, const Arguments& arguments) {
    const int64 row = block.index() * kThreads + block.thread();
    if (row < arguments.num_rows) arguments.to[row] = static_cast<Value>(arguments.column.at(row));
  }
};

}  // namespace accelerant::device::kernels
