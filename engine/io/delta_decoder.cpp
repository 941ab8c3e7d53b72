#include "io/delta_decoder.h"

#include "base/error.h"
#include "io/packed_integers.h"
#include "types/varint.h"

#include <algorithm>
#include <string>

namespace accelerant::io {

namespace {

[[noreturn]] void fail_deltas(const char* what) {
  throw Error(ErrorKind::Resource, std::string("corrupt deltas: ") + what);
}

}  // namespace

void DeltaDecoder::reset(const uint8* data, const uint8* end) {
  data_ = data;
  end_ = end;
  const uint64 block_size = read_number();
  const uint64 num_miniblocks = read_number();
  const uint64 num_values = read_number();
  if (num_miniblocks == 0 || block_size >> 31 != 0 || block_size % num_miniblocks != 0 ||
      block_size / num_miniblocks == 0 || block_size / num_miniblocks % 8 != 0) {
    fail_deltas("the size of their blocks is out of range");
  }
  if (num_values >> 31 != 0) fail_deltas("their number is out of range");
  miniblocks_per_block_ = static_cast<int64>(num_miniblocks);
  miniblock_size_ = static_cast<int64>(block_size / num_miniblocks);
  num_left_ = static_cast<int64>(num_values);
  last_ = static_cast<uint64>(types::unzigzag(read_number()));
  miniblocks_left_ = 0;
  miniblock_done_ = miniblock_size_;
  at_first_ = true;
}

uint64 DeltaDecoder::read_number() {
  uint64 value;
  if (!types::read_varint(data_, end_, value)) fail_deltas("they end too early");
  return value;
}

void DeltaDecoder::start_block() {
  least_delta_ = static_cast<uint64>(types::unzigzag(read_number()));
  if (end_ - data_ < miniblocks_per_block_) fail_deltas("they end too early");
  widths_ = data_;
  data_ += miniblocks_per_block_;
  miniblocks_left_ = miniblocks_per_block_;
}

void DeltaDecoder::start_miniblock() {
  if (miniblocks_left_ == 0) start_block();
  bit_width_ = widths_[miniblocks_per_block_ - miniblocks_left_--];
  if (bit_width_ > 64) fail_deltas("a bit width is out of range");
  const int64 num_bytes = miniblock_size_ / 8 * bit_width_;
  if (num_bytes > end_ - data_) fail_deltas("they end too early");
  miniblock_ = data_;
  miniblock_done_ = 0;
  data_ += num_bytes;
}

void DeltaDecoder::unpack(int64 n, uint64* to) {
  unpack_from(miniblock_, bit_width_, miniblock_done_, n, to);
  miniblock_done_ += n;
}

void DeltaDecoder::read(int64 n, int64* to) {
  if (n > num_left_) throw Error(ErrorKind::Resource, "a page holds fewer values than it says");
  num_left_ -= n;
  if (at_first_ && n > 0) {
    at_first_ = false;
    *to++ = static_cast<int64>(last_);
    --n;
  }
  while (n > 0) {
    if (miniblock_done_ == miniblock_size_) start_miniblock();
    const int64 taken = std::min(n, miniblock_size_ - miniblock_done_);
    auto* deltas = reinterpret_cast<uint64*>(to);
    unpack(taken, deltas);
    for (int64 i = 0; i < taken; ++i) deltas[i] = last_ += least_delta_ + deltas[i];
    to += taken;
    n -= taken;
  }
}

void DeltaDecoder::skip(int64 n) {
  int64 passed[256];
  for (; n > 0; n -= std::min<int64>(n, 256)) read(std::min<int64>(n, 256), passed);
}

const uint8* DeltaDecoder::find_end() const {
  DeltaDecoder walker = *this;
  int64 packed_left = walker.num_left_ - walker.at_first_ - (walker.miniblock_size_ - walker.miniblock_done_);
  for (; packed_left > 0; packed_left -= walker.miniblock_size_) walker.start_miniblock();
  return walker.data_;
}

}  // namespace accelerant::io
