#pragma once

#include "device/block.h"
#include "device/kernels/look_back.h"

namespace accelerant::device::kernels {

/// Writes the numbers of the rows whose bit is set, in their order, and how many they are. One block a tile of
/// kTileRows rows.
template <int32 kNumThreads>
struct Compact {
  static constexpr int32 kThreads = kNumThreads;
  static constexpr int32 kRowsPerThread = 8;  // a byte of the bitmap
  static constexpr int32 kTileRows = kThreads * kRowsPerThread;

  struct Arguments {
    const uint8* bits;  ///< bit i is bit i % 8 of byte i / 8
    int64 num_rows;
    int32* rows;  ///< as many as bits are set
    int64* num_selected;
    Tiles tiles;
  };

  template <Block B>
  struct Shared {
    typename B::template ScanScratch<int64> scratch;
    uint64 tile;
    int64 before;
    int32 rows[kTileRows];
  };

  template <Block B>
  ACC_HD static void run(B& block, Shared<B>& shared, const Arguments& arguments) {
    const int64 tile = take_tile(block, arguments.tiles.ticket, shared.tile);
    const int64 first_row = tile * kTileRows + block.thread() * kRowsPerThread;
    const uint32 bits = bits_at(arguments, first_row);
    int64 num_selected = 0;
    const int64 begin = block.exclusive_sum(shared.scratch, static_cast<int64>(count_bits(bits)), num_selected);
    const int64 before = look_back(block, arguments.tiles, tile, num_selected, shared.before);
    list_rows(bits, static_cast<int32>(first_row), shared.rows + begin);
    block.sync();
    for (int64 i = block.thread(); i < num_selected; i += kThreads) arguments.rows[before + i] = shared.rows[i];
    if (block.thread() == 0 && (tile + 1) * kTileRows >= arguments.num_rows) {
      *arguments.num_selected = before + num_selected;
    }
  }

 private:
  /// Returns the bits of a thread's rows; those past the end are 0, whatever the bitmap has there.
  ACC_HD static uint32 bits_at(const Arguments& arguments, int64 first_row) {
    const int64 left = arguments.num_rows - first_row;
    if (left <= 0) return 0;
    const uint32 bits = arguments.bits[first_row / 8];
    return left >= kRowsPerThread ? bits : bits & ((1u << left) - 1);
  }

  ACC_HD static void list_rows(uint32 bits, int32 first_row, int32* rows) {
    for (int32 i = 0; i < kRowsPerThread; ++i) {
      if ((bits >> i) & 1) *rows++ = first_row + i;
    }
  }
};

}  // namespace accelerant::device::kernels
