#pragma once

#include "device/block.h"

namespace accelerant::device::kernels {

/// Copies the values of some rows. A thread takes a row; the place of a row below 0 is not written.
template <class Value, int32 kNumThreads>
struct Gather {
  static constexpr int32 kThreads = kNumThreads;

  struct Arguments {
    const Value* from;
    const int32* rows;
    int64 num_rows;
    Value* to;
  };

  template <Block B>
  struct Shared {};

  template <Block B>
  ACC_HD static void run(B& block, Shared<B>&, const Arguments& arguments) {
    const int64 i = block.index() * kThreads + block.thread();
    if (i >= arguments.num_rows) return;
    const int32 row = arguments.rows[i];
    if (row >= 0) arguments.to[i] = arguments.from[row];
  }
};

/// Copies the bits of some rows, 32 in a word by a ballot; a row below 0 has a 0, and so have bits past the end.
template <int32 kNumThreads>
struct GatherBits {
  static constexpr int32 kThreads = kNumThreads;

  struct Arguments {
    const uint8* from;  ///< null: all are set
    const int32* rows;
    int64 num_rows;
    uint32* to;  ///< (num_rows + 31) / 32 words
  };

  template <Block B>
  struct Shared {};

  template <Block B>
  ACC_HD static void run(B& block, Shared<B>&, const Arguments& arguments) {
    const int64 i = block.index() * kThreads + block.thread();
    const int32 row = i < arguments.num_rows ? arguments.rows[i] : -1;
    const bool bit = row >= 0 && (arguments.from == nullptr || ((arguments.from[row / 8] >> (row % 8)) & 1));
    const uint32 word = block.ballot(bit);
    if (lane_of(block) == 0 && i < arguments.num_rows) arguments.to[i / kWarpThreads] = word;
  }
};

}  // namespace accelerant::device::kernels
