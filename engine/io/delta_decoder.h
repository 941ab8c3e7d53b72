#pragma once

#include "types/integers.h"

namespace accelerant::io {

/// Reads DELTA_BINARY_PACKED integers, see https://parquet.apache.org/docs/file-format/data-pages/encodings/. Sums wrap
/// around; integers of 32 bits are the low halves of what is read. Every read is checked against the end of the data,
/// which must be readable, whatever its content, up to memory::Buffer::kPaddingBytes past its end. All methods throw
/// Error{Resource} on corrupt data.
class DeltaDecoder {
 public:
  /// Starts over on integers that begin at `data` and end before `end`.
  void reset(const uint8* data, const uint8* end);
  /// Says how many integers are left.
  int64 num_left() const { return num_left_; }
  /// Reads the next `n` integers.
  void read(int64 n, int64* to);
  /// Passes over the next `n` integers.
  void skip(int64 n);
  /// Returns the first byte behind the integers, without reading them.
  const uint8* find_end() const;

 private:
  uint64 read_number();
  void start_block();
  void start_miniblock();
  void unpack(int64 n, uint64* to);

  const uint8* data_ = nullptr;  ///< what follows the current miniblock
  const uint8* end_ = nullptr;
  const uint8* widths_ = nullptr;     ///< of the block's miniblocks, a byte each
  const uint8* miniblock_ = nullptr;  ///< where the current one starts
  int64 miniblocks_per_block_ = 0;
  int64 miniblocks_left_ = 0;  ///< of the block
  int64 miniblock_size_ = 0;   ///< integers; a multiple of 8
  int64 miniblock_done_ = 0;   ///< integers taken from the current one
  int bit_width_ = 0;          ///< of the current one
  uint64 least_delta_ = 0;     ///< of the block
  uint64 last_ = 0;
  int64 num_left_ = 0;
  bool at_first_ = true;
};

}  // namespace accelerant::io
