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

/// Blocks that seek a value in a table's slot, which the first to come fills: to[0] is the slot's state, to[1] its
/// value. Faulty: the slot is said to be full before the value is in it.
template <Twin kTwin>
struct EarlyInsertion : OneWarp {
  static constexpr const char* kName = "early_insertion";
  static constexpr int64 kEmpty = 0;
  static constexpr int64 kTaken = 1;
  static constexpr int64 kFull = 2;

  template <Block B>
  ACC_HD static void run(B& block, NothingShared<B>&, const Numbers& numbers) {
    if (block.thread() != 0) return;
    int64* slot = numbers.to;
    if (block.template compare_exchange<Order::Relaxed, Scope::Device>(slot, kEmpty, kTaken) == kEmpty) {
      if constexpr (kTwin == Twin::Faulty) block.template store<Order::Relaxed, Scope::Device>(slot, kFull);
      numbers.to[1] = numbers.from[0];
      if constexpr (kTwin == Twin::Mended) block.template store<Order::Release, Scope::Device>(slot, kFull);
    } else {
      while (block.template load<Order::Acquire, Scope::Device>(slot) != kFull) {
      }
      numbers.to[2] = numbers.to[1];
    }
  }
};

}  // namespace accelerant::device::faults
