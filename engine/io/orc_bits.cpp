#include "io/orc_bits.h"

#include "base/error.h"

#include <algorithm>
#include <cstring>

namespace accelerant::io {

namespace {

[[noreturn]] void fail_byte_run() { throw Error(ErrorKind::Resource, "a run of bytes is corrupt"); }

/// Writes the highest `n` bits of a byte, the highest first.
uint8_t* write_bits(uint8_t byte, int n, uint8_t* to) {
  for (int i = 0; i < n; ++i) to[i] = byte >> (7 - i) & 1;
  return to + n;
}

}  // namespace

void OrcByteRuns::start_run() {
  constexpr int kLeastRun = 3;
  bytes_.ensure(2);
  const uint8_t* data = bytes_.data();
  if (data == bytes_.end()) fail_byte_run();
  const uint8_t head = *data++;
  is_repeated_ = head < 0x80;
  left_ = is_repeated_ ? head + kLeastRun : 0x100 - head;
  if (is_repeated_) {
    if (data == bytes_.end()) fail_byte_run();
    value_ = *data++;
  }
  bytes_.pass_to(data);
}

void OrcByteRuns::read(int64_t n, uint8_t* to) {
  while (n > 0) {
    if (left_ == 0) start_run();
    const int64_t count = std::min(n, left_);
    if (is_repeated_) {
      std::memset(to, value_, static_cast<size_t>(count));
    } else {
      bytes_.copy(count, to);
    }
    left_ -= count;
    to += count;
    n -= count;
  }
}

void OrcBits::read(int64_t n, uint8_t* to) {
  constexpr int64_t kBlock = 512;
  uint8_t block[kBlock];
  const int first = static_cast<int>(std::min<int64_t>(n, num_left_));
  to = write_bits(static_cast<uint8_t>(byte_ << (8 - num_left_)), first, to);
  num_left_ -= first;
  n -= first;
  while (n >= 8) {
    const int64_t count = std::min(n / 8, kBlock);
    bytes_.read(count, block);
    for (int64_t i = 0; i < count; ++i) to = write_bits(block[i], 8, to);
    n -= count * 8;
  }
  if (n == 0) return;
  bytes_.read(1, &byte_);
  write_bits(byte_, static_cast<int>(n), to);
  num_left_ = 8 - static_cast<int>(n);
}

}  // namespace accelerant::io
