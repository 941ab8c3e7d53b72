#pragma once

#include "device/block.h"

namespace accelerant::device::kernels {

/// Digits of the keys that a radix sort goes by.
inline constexpr int32 kDigitBits = 8;
inline constexpr int32 kNumDigits = 1 << kDigitBits;
inline constexpr int32 kMostPasses = 64 / kDigitBits;

/// Returns the digit of a key in a pass, of which only the lowest `num_bits` bits count.
ACC_HD ACC_INLINE int32 digit_of(uint64 key, int32 num_bits, int32 pass) {
  const int32 num_left = num_bits - pass * kDigitBits;
  const uint32 mask = num_left >= kDigitBits ? kNumDigits - 1 : (1u << num_left) - 1;
  return static_cast<int32>(static_cast<uint32>(key >> (pass * kDigitBits)) & mask);
}

/// Counts the digits of all passes.
template <int32 kNumThreads, int32 kNumItems>
struct CountDigits {
  static constexpr int32 kThreads = kNumThreads;
  static constexpr int32 kTileKeys = kThreads * kNumItems;

  struct Arguments {
    const uint64* keys;
    int64 num_keys;
    int32 num_bits;
    int32 num_passes;
    uint32* counts;  ///< kNumDigits a pass, 0 at first
  };

  template <Block B>
  struct Shared {
    uint32 counts[kMostPasses * kNumDigits];
  };

  template <Block B>
  ACC_HD static void run(B& block, Shared<B>& shared, const Arguments& arguments) {
    const int32 num_counts = arguments.num_passes * kNumDigits;
    for (int32 i = block.thread(); i < num_counts; i += kThreads) shared.counts[i] = 0;
    block.sync();
    const int64 stride = block.blocks() * kTileKeys;
    for (int64 first = block.index() * kTileKeys; first < arguments.num_keys; first += stride) {
      count_tile(block, shared, arguments, first + warp_of(block) * kWarpThreads);
    }
    block.sync();
    for (int32 i = block.thread(); i < num_counts; i += kThreads) {
      if (shared.counts[i] == 0) continue;
      block.template fetch_add<Order::Relaxed, Scope::Device>(&arguments.counts[i], shared.counts[i]);
    }
  }

 private:
  /// Counts the keys of a tile that fall to a warp, the first of which is `first`.
  template <Block B>
  ACC_HD static void count_tile(B& block, Shared<B>& shared, const Arguments& arguments, int64 first) {
    uint64 keys[kNumItems];
    for (int32 item = 0; item < kNumItems; ++item) {
      const int64 i = first + item * kThreads + lane_of(block);
      keys[item] = i < arguments.num_keys ? arguments.keys[i] : 0;
    }
    for (int32 item = 0; item < kNumItems; ++item) {
      const uint32 lanes = first_lanes(arguments.num_keys - (first + item * kThreads));
      if (lanes == 0) return;
      for (int32 pass = 0; pass < arguments.num_passes; ++pass) {
        const int32 digit = digit_of(keys[item], arguments.num_bits, pass);
        count_digit(block, shared.counts + pass * kNumDigits, digit, lanes);
      }
    }
  }

  /// Counts the digits of some lanes, the first ones of a warp.
  template <Block B>
  ACC_HD static void count_digit(B& block, uint32* counts, int32 digit, uint32 lanes) {
    // High digits are often those of all keys; one addition for each lane would queue up.
    const bool is_alike = (block.ballot(digit != block.shuffle(digit, 0)) & lanes) == 0;
    const int32 lane = lane_of(block);
    if (is_alike ? lane != 0 : (lanes >> lane & 1) == 0) return;
    const uint32 number = is_alike ? static_cast<uint32>(count_bits(lanes)) : 1;
    block.template fetch_add<Order::Relaxed, Scope::Block>(&counts[digit], number);
  }
};

}  // namespace accelerant::device::kernels
