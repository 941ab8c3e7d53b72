#pragma once

#include "device/kernels/count_digits.h"
#include "device/kernels/digit_count.h"
#include "device/kernels/look_back.h"

/// Sort from the lowest digit to the highest, with one read and one write of the keys a digit: "Onesweep" (Adinets and
/// Merrill, "Onesweep: A Faster Least Significant Digit Radix Sort for GPUs", 2022). The digits of all passes are
/// counted first. In a pass a block takes the next tile by a ticket, ranks its keys among those of the same digit, puts
/// them in order in shared memory, and learns where they go by looking back over the tiles before, a thread a digit.
namespace accelerant::device::kernels {

/// Puts keys, and the rows that go with them, in the order of one digit; those of the same digit stay in their order.
/// One block a tile of kTileRows rows.
template <int32 kNumThreads, int32 kNumItems>
struct SortByDigit {
  static constexpr int32 kThreads = kNumThreads;
  static constexpr int32 kTileRows = kThreads * kNumItems;
  static_assert(kThreads == kNumDigits, "a thread stands for a digit");

  struct Arguments {
    const uint64* keys;
    const int32* rows;  ///< null: 0, 1, 2 …
    int64 num_rows;
    int32 num_bits;
    int32 pass;
    uint64* sorted_keys;
    int32* sorted_rows;
    const uint32* counts;  ///< of the pass's digits in all keys
    uint64* ticket;        ///< 0 at first
    uint64* published;     ///< kNumDigits a tile, see DigitCount
  };

  template <Block B>
  struct Shared {
    typename B::template ScanScratch<int32> scratch;
    uint64 tile;
    uint32 counts[kThreads / kWarpThreads][kNumDigits];  ///< of a warp; then of the warps before it
    int32 starts[kNumDigits];                            ///< of a digit's keys in the tile
    int32 offsets[kNumDigits];                           ///< from there to their place among all
    uint64 keys[kTileRows];
    int32 rows[kTileRows];
  };

  template <Block B>
  ACC_HD static void run(B& block, Shared<B>& shared, const Arguments& arguments) {
    const int64 tile = take_tile(block, arguments.ticket, shared.tile);
    Items items;
    load(block, arguments, tile, items);
    rank(block, shared, arguments, items);
    block.sync();
    const int32 count = count_in_tile(block, shared);
    // The first tile publishes its sum with all before alone: others look no further.
    if (tile != 0) publish(block, arguments, tile, DigitCount::own_state(arguments.pass), count);
    int32 num_in_tile = 0;
    const int32 start = block.exclusive_sum(shared.scratch, count, num_in_tile);
    shared.starts[block.thread()] = start;
    block.sync();
    stage(block, shared, arguments, items);
    const int64 before = tile == 0 ? first_place(block, shared, arguments) : look_back(block, arguments, tile);
    publish(block, arguments, tile, DigitCount::own_state(arguments.pass) + 1, before + count);
    shared.offsets[block.thread()] = static_cast<int32>(before - start);
    block.sync();
    store(block, shared, arguments, num_in_tile);
  }

 private:
  /// What a thread has of a tile. A warp's items stand together, those of its lanes side by side.
  struct Items {
    int64 first;  ///< row of the warp's first item
    uint64 keys[kNumItems];
    int32 ranks[kNumItems];  ///< among the warp's keys of the same digit
  };

  template <Block B>
  ACC_HD static void load(B& block, const Arguments& arguments, int64 tile, Items& items) {
    items.first = tile * kTileRows + warp_of(block) * kWarpThreads * kNumItems;
    for (int32 i = 0; i < kNumItems; ++i) {
      const int64 row = items.first + i * kWarpThreads + lane_of(block);
      items.keys[i] = row < arguments.num_rows ? arguments.keys[row] : 0;
    }
  }

  /// Ranks the keys of a warp and counts its digits.
  template <Block B>
  ACC_HD static void rank(B& block, Shared<B>& shared, const Arguments& arguments, Items& items) {
    uint32* counts = shared.counts[warp_of(block)];
    for (int32 i = lane_of(block); i < kNumDigits; i += kWarpThreads) counts[i] = 0;
    block.sync_warp();
    for (int32 i = 0; i < kNumItems; ++i) {
      const uint32 lanes = first_lanes(arguments.num_rows - (items.first + i * kWarpThreads));
      if (lanes == 0) continue;
      const int32 digit = digit_of(items.keys[i], arguments.num_bits, arguments.pass);
      items.ranks[i] = rank_in_warp(block, counts, digit, lanes);
    }
  }

  /// Returns how many keys of the same digit the warp has had; to some of its lanes, the first ones.
  template <Block B>
  ACC_HD static int32 rank_in_warp(B& block, uint32* counts, int32 digit, uint32 lanes) {
    const int32 lane = lane_of(block);
    const uint32 alike = lanes_with(block, digit) & lanes;
    const int32 first = alike == 0 ? lane : first_lane(alike);
    uint32 before = 0;
    if (first == lane && alike != 0) {
      before = counts[digit];
      counts[digit] = before + static_cast<uint32>(count_bits(alike));
    }
    before = block.shuffle(before, first);
    block.sync_warp();
    return static_cast<int32>(before) + count_bits(alike & first_lanes(lane));
  }

  /// Returns the lanes of the warp that have the same digit.
  template <Block B>
  ACC_HD static uint32 lanes_with(B& block, int32 digit) {
    uint32 lanes = ~0u;
    for (int32 bit = 0; bit < kDigitBits; ++bit) {
      const bool is_set = (digit >> bit & 1) != 0;
      const uint32 set = block.ballot(is_set);
      lanes &= is_set ? set : ~set;
    }
    return lanes;
  }

  /// Returns how many keys of the tile have the thread's digit, and turns the counts of warps into those before each.
  template <Block B>
  ACC_HD static int32 count_in_tile(B& block, Shared<B>& shared) {
    uint32 sum = 0;
    for (auto& counts : shared.counts) {
      const uint32 count = counts[block.thread()];
      counts[block.thread()] = sum;
      sum += count;
    }
    return static_cast<int32>(sum);
  }

  /// Puts the tile in the order of the digit.
  template <Block B>
  ACC_HD static void stage(B& block, Shared<B>& shared, const Arguments& arguments, const Items& items) {
    const uint32* before = shared.counts[warp_of(block)];
    for (int32 i = 0; i < kNumItems; ++i) {
      const int64 row = items.first + i * kWarpThreads + lane_of(block);
      if (row >= arguments.num_rows) continue;
      const int32 digit = digit_of(items.keys[i], arguments.num_bits, arguments.pass);
      const int32 place = shared.starts[digit] + static_cast<int32>(before[digit]) + items.ranks[i];
      shared.keys[place] = items.keys[i];
      shared.rows[place] = arguments.rows == nullptr ? static_cast<int32>(row) : arguments.rows[row];
    }
  }

  /// Publishes the count of the thread's digit. The word is all that is handed over.
  template <Block B>
  ACC_HD static void publish(B& block, const Arguments& arguments, int64 tile, uint64 state, int64 count) {
    uint64* place = &arguments.published[tile * kNumDigits + block.thread()];
    block.template store<Order::Relaxed, Scope::Device>(place, DigitCount::word(state, count));
  }

  /// Returns the place of the first key of the thread's digit. Reached by all threads.
  template <Block B>
  ACC_HD static int64 first_place(B& block, Shared<B>& shared, const Arguments& arguments) {
    int32 num_keys = 0;
    return block.exclusive_sum(shared.scratch, static_cast<int32>(arguments.counts[block.thread()]), num_keys);
  }

  /// Returns the place after the keys of the thread's digit in the tiles before.
  template <Block B>
  ACC_HD static int64 look_back(B& block, const Arguments& arguments, int64 tile) {
    const uint64 own_state = DigitCount::own_state(arguments.pass);
    int64 sum = 0;
    for (int64 before = tile - 1;; --before) {
      const uint64* place = &arguments.published[before * kNumDigits + block.thread()];
      uint64 word = 0;
      while (DigitCount::state_of(word) < own_state) word = block.template load<Order::Relaxed, Scope::Device>(place);
      sum += DigitCount::count_of(word);
      if (DigitCount::state_of(word) != own_state) return sum;
    }
  }

  template <Block B>
  ACC_HD static void store(B& block, const Shared<B>& shared, const Arguments& arguments, int32 num_rows) {
    for (int32 i = block.thread(); i < num_rows; i += kThreads) {
      const uint64 key = shared.keys[i];
      const int32 to = i + shared.offsets[digit_of(key, arguments.num_bits, arguments.pass)];
      arguments.sorted_keys[to] = key;
      arguments.sorted_rows[to] = shared.rows[i];
    }
  }
};

}  // namespace accelerant::device::kernels
