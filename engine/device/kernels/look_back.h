#pragma once

#include "device/block.h"

/// Running sums over tiles in one pass: decoupled look-back (Merrill and Garland, "Single-pass Parallel Prefix Scan
/// with Decoupled Look-back", 2016). A block takes the next tile by a ticket, so that all tiles before it have been
/// started; publishes its own sum; adds up the sums of those before it until it meets one that knows the sum of all
/// before; and publishes that of its own.
namespace accelerant::device::kernels {

/// What a tile has published.
struct TileSum {
  uint32 state;  ///< one of the three below; what is released by it can be read
  uint32 unused;
  int64 own;        ///< of its values
  int64 inclusive;  ///< of its values and all before
};
inline constexpr uint32 kNothing = 0;
inline constexpr uint32 kOwn = 1;
inline constexpr uint32 kInclusive = 2;

/// The tiles of a launch, in device memory; all bytes 0 at its start.
struct Tiles {
  uint64* ticket;
  TileSum* sums;  ///< one a tile
};

/// Takes the next tile; all threads get it. `shared_tile` is shared memory.
template <Block B>
ACC_HD int64 take_tile(B& block, uint64* ticket, uint64& shared_tile) {
  if (block.thread() == 0) {
    shared_tile = block.template fetch_add<Order::Relaxed, Scope::Device>(ticket, 1);
  }
  block.sync();
  return static_cast<int64>(shared_tile);
}

/// Publishes the sum of a tile. Called by one thread.
template <Block B>
ACC_HD void publish(B& block, TileSum& tile, uint32 state, int64 sum) {
  (state == kOwn ? tile.own : tile.inclusive) = sum;
  block.template store<Order::Release, Scope::Device>(&tile.state, state);
}

/// Waits until a tile has published something; returns what.
template <Block B>
ACC_HD uint32 await_tile(B& block, const TileSum& tile) {
  uint32 state = kNothing;
  while (state == kNothing) state = block.template load<Order::Acquire, Scope::Device>(&tile.state);
  return state;
}

/// Returns the sum of all tiles before `tile`, in every lane. Called by one warp, a lane for a tile before.
template <Block B>
ACC_HD int64 sum_before(B& block, const Tiles& tiles, int64 tile) {
  int64 sum = 0;
  for (int64 last = tile - 1; last >= 0; last -= kWarpThreads) {
    const int64 before = last - lane_of(block);
    uint32 state = kInclusive;
    int64 value = 0;
    if (before >= 0) {
      state = await_tile(block, tiles.sums[before]);
      value = state == kOwn ? tiles.sums[before].own : tiles.sums[before].inclusive;
    }
    const uint32 ends = block.ballot(state == kInclusive);
    const int32 num_lanes = ends == 0 ? kWarpThreads : first_lane(ends) + 1;
    for (int32 lane = 0; lane < num_lanes; ++lane) sum += block.shuffle(value, lane);
    if (ends != 0) break;
  }
  return sum;
}

/// Publishes the sum of a tile and returns the sum of all tiles before it, in every thread. `shared_sum` is shared
/// memory. Reached by all threads.
template <Block B>
ACC_HD int64 look_back(B& block, const Tiles& tiles, int64 tile, int64 own, int64& shared_sum) {
  if (warp_of(block) == 0) {
    TileSum& mine = tiles.sums[tile];
    if (block.thread() == 0) publish(block, mine, kOwn, own);
    const int64 before = sum_before(block, tiles, tile);
    if (block.thread() == 0) {
      publish(block, mine, kInclusive, before + own);
      shared_sum = before;
    }
  }
  block.sync();
  return shared_sum;
}

}  // namespace accelerant::device::kernels
