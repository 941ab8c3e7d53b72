#pragma once

#include "device/block.h"

/// Strings of some rows, copied to one piece. Work is divided by bytes of the result, not by rows: a thread makes 16
/// bytes, out of one string or of many, so that neither long strings nor empty ones keep others waiting.
namespace accelerant::device::kernels {

/// Writes the sizes of the strings of some rows; a row below 0 has none. A thread takes a row.
template <int32 kNumThreads>
struct StringSizes {
  static constexpr int32 kThreads = kNumThreads;

  struct Arguments {
    const int64* offsets;
    const int32* rows;
    int64 num_rows;
    int32* sizes;
  };

  template <Block B>
  struct Shared {};

  template <Block B>
  ACC_HD static void run(B& block, Shared<B>&, const Arguments& arguments) {
    const int64 i = block.index() * kThreads + block.thread();
    if (i >= arguments.num_rows) return;
    const int32 row = arguments.rows[i];
    arguments.sizes[i] = row < 0 ? 0 : static_cast<int32>(arguments.offsets[row + 1] - arguments.offsets[row]);
  }
};

/// Bytes of the result that a thread makes, and a block.
inline constexpr int32 kChunkBytes = 16;
inline constexpr int32 kStringThreads = 128;
inline constexpr int64 kStringTileBytes = int64{kStringThreads} * kChunkBytes;

/// Writes, for each tile of the result, the row that its first byte is of. A thread takes a row.
template <int32 kNumThreads>
struct FindTileRows {
  static constexpr int32 kThreads = kNumThreads;

  struct Arguments {
    const int64* to_offsets;
    int64 num_rows;
    int32* tile_rows;  ///< one a tile
  };

  template <Block B>
  struct Shared {};

  template <Block B>
  ACC_HD static void run(B& block, Shared<B>&, const Arguments& arguments) {
    const int64 row = block.index() * kThreads + block.thread();
    if (row >= arguments.num_rows) return;
    const int64 end = arguments.to_offsets[row + 1];
    int64 tile = (arguments.to_offsets[row] + kStringTileBytes - 1) / kStringTileBytes;
    for (; tile * kStringTileBytes < end; ++tile) arguments.tile_rows[tile] = static_cast<int32>(row);
  }
};

/// Copies the bytes. One block a tile of kStringTileBytes bytes.
struct GatherStrings {
  static constexpr int32 kThreads = kStringThreads;

  struct Arguments {
    const int64* offsets;
    const uint8* bytes;  ///< at a multiple of 8, readable up to the next one
    const int32* rows;
    int64 num_rows;
    const int64* to_offsets;
    int64 num_bytes;
    const int32* tile_rows;
    uint8* to;  ///< at a multiple of 16
  };

  template <Block B>
  struct Shared {};

  template <Block B>
  ACC_HD static void run(B& block, Shared<B>&, const Arguments& arguments) {
    const int64 tile = block.index();
    const int64 begin = tile * kStringTileBytes + block.thread() * kChunkBytes;
    if (begin >= arguments.num_bytes) return;
    const int64 num_left = arguments.num_bytes - begin;
    const int64 end = begin + (num_left < kChunkBytes ? num_left : kChunkBytes);
    const int64 last = tile + 1 < block.blocks() ? arguments.tile_rows[tile + 1] : arguments.num_rows - 1;
    int64 row = row_of(arguments, begin, arguments.tile_rows[tile], last);
    uint128 chunk = 0;
    for (int64 at = begin; at < end;) {
      // The next row has bytes more often than not.
      if (at >= arguments.to_offsets[row + 1]) ++row;
      if (at >= arguments.to_offsets[row + 1]) row = row_of(arguments, at, row, last);
      const int64 row_end = arguments.to_offsets[row + 1];
      const auto num_bytes = static_cast<int32>((row_end < end ? row_end : end) - at);
      const int64 source = arguments.offsets[arguments.rows[row]] + at - arguments.to_offsets[row];
      chunk |= bytes_at(arguments.bytes, source, num_bytes) << ((at - begin) * 8);
      at += num_bytes;
    }
    store(chunk, arguments.to + begin, static_cast<int32>(end - begin));
  }

 private:
  /// Returns the row that a byte of the result is of, one from `first` to `last`.
  ACC_HD static int64 row_of(const Arguments& arguments, int64 at, int64 first, int64 last) {
    while (first < last) {
      const int64 middle = first + (last - first + 1) / 2;
      if (arguments.to_offsets[middle] <= at) {
        first = middle;
      } else {
        last = middle - 1;
      }
    }
    return first;
  }

  /// Returns 1 to 16 bytes, the first one lowest, those after them 0; reads whole words.
  ACC_HD static uint128 bytes_at(const uint8* bytes, int64 begin, int32 num_bytes) {
    const auto* words = reinterpret_cast<const uint64*>(bytes) + begin / 8;
    const auto skipped = static_cast<int32>(begin % 8);
    uint128 found = words[0];
    if (skipped + num_bytes > 8) found |= static_cast<uint128>(words[1]) << 64;
    found >>= skipped * 8;
    if (skipped + num_bytes > 16) found |= static_cast<uint128>(words[2]) << (128 - skipped * 8);
    return num_bytes == kChunkBytes ? found : found & ((uint128{1} << (num_bytes * 8)) - 1);
  }

  ACC_HD static void store(uint128 chunk, uint8* to, int32 num_bytes) {
    if (num_bytes == kChunkBytes) {
      *reinterpret_cast<uint128*>(to) = chunk;
      return;
    }
    for (int32 i = 0; i < num_bytes; ++i) to[i] = static_cast<uint8>(chunk >> (i * 8));
  }
};

}  // namespace accelerant::device::kernels
