#pragma once

#include "device/block.h"
#include "device/kernels/look_back.h"

namespace accelerant::device::kernels {

/// Writes the sums of all values before each, and at the end the sum of all. One block a tile of kTileValues values.
template <class Value, int32 kNumThreads, int32 kNumItems>
struct ExclusiveScan {
  static constexpr int32 kThreads = kNumThreads;
  static constexpr int32 kTileValues = kThreads * kNumItems;

  struct Arguments {
    const Value* from;
    int64 num_values;
    int64* to;  ///< num_values + 1
    Tiles tiles;
  };

  template <Block B>
  struct Shared {
    typename B::template ScanScratch<int64> scratch;
    uint64 tile;
    int64 before;
    int64 values[kTileValues];
  };

  template <Block B>
  ACC_HD static void run(B& block, Shared<B>& shared, const Arguments& arguments) {
    const int64 tile = take_tile(block, arguments.tiles.ticket, shared.tile);
    const int64 begin = tile * kTileValues;
    const int64 left = arguments.num_values - begin;
    load(block, shared, arguments.from + begin, left);
    const int64 own = sum_of_items(block, shared);
    int64 total = 0;
    const int64 before_in_tile = block.exclusive_sum(shared.scratch, own, total);
    const int64 before = look_back(block, arguments.tiles, tile, total, shared.before);
    scan_items(block, shared, before + before_in_tile);
    store(block, shared, arguments.to + begin, left);
    if (block.thread() == 0 && left <= kTileValues) arguments.to[arguments.num_values] = before + total;
  }

 private:
  // Values go through shared memory, so that neighbouring threads access neighbouring places of device memory while
  // each sums up values that stand together.
  template <Block B>
  ACC_HD static void load(B& block, Shared<B>& shared, const Value* from, int64 num_values) {
    for (int32 i = block.thread(); i < kTileValues; i += kThreads) shared.values[i] = i < num_values ? from[i] : 0;
    block.sync();
  }

  template <Block B>
  ACC_HD static int64 sum_of_items(B& block, const Shared<B>& shared) {
    int64 sum = 0;
    for (int32 i = 0; i < kNumItems; ++i) sum += shared.values[block.thread() * kNumItems + i];
    return sum;
  }

  template <Block B>
  ACC_HD static void scan_items(B& block, Shared<B>& shared, int64 before) {
    for (int32 i = 0; i < kNumItems; ++i) {
      int64& place = shared.values[block.thread() * kNumItems + i];
      const int64 value = place;
      place = before;
      before += value;
    }
    block.sync();
  }

  template <Block B>
  ACC_HD static void store(B& block, const Shared<B>& shared, int64* to, int64 num_values) {
    for (int32 i = block.thread(); i < kTileValues && i < num_values; i += kThreads) to[i] = shared.values[i];
  }
};

}  // namespace accelerant::device::kernels
