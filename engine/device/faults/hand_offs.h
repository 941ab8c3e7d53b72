#pragma once

#include "device/faults/fault.h"

namespace accelerant::device::faults {

/// One block waits for the value of another: to[0] is the value, to[1] its flag. Faulty: the flag orders nothing.
template <Twin kTwin>
struct RelaxedFlag : OneWarp {
  static constexpr const char* kName = "relaxed_flag";

  template <Block B>
  ACC_HD static void run(B& block, NothingShared<B>&, const Numbers& numbers) {
    constexpr Order kPublish = kTwin == Twin::Mended ? Order::Release : Order::Relaxed;
    constexpr Order kRead = kTwin == Twin::Mended ? Order::Acquire : Order::Relaxed;
    if (block.thread() != 0) return;
    // The first block to come hands the value over, the second waits for it.
    if (block.template fetch_add<Order::Relaxed, Scope::Device>(&numbers.to[3], 1) == 0) {
      numbers.to[0] = numbers.from[0];
      block.template store<kPublish, Scope::Device>(&numbers.to[1], 1);
    } else {
      while (block.template load<kRead, Scope::Device>(&numbers.to[1]) == 0) {
      }
      numbers.to[2] = numbers.to[0];
    }
  }
};

/// Blocks that go on when the one before them has: to[i] is the flag of block i. Faulty: they go by their index, not by
/// the order in which they start.
template <Twin kTwin>
struct WaitForBlock : OneWarp {
  static constexpr const char* kName = "wait_for_block";

  template <Block B>
  ACC_HD static void run(B& block, NothingShared<B>&, const Numbers& numbers) {
    if (block.thread() != 0) return;
    int64 number = block.index();
    if constexpr (kTwin == Twin::Mended) {
      number = block.template fetch_add<Order::Relaxed, Scope::Device>(&numbers.to[numbers.num_values], 1);
    }
    while (number > 0 && block.template load<Order::Acquire, Scope::Device>(&numbers.to[number - 1]) == 0) {
    }
    block.template store<Order::Release, Scope::Device>(&numbers.to[number], 1);
  }
};

}  // namespace accelerant::device::faults
