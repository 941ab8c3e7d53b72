#include "io/definition_levels.h"

#include "base/bits.h"
#include "base/error.h"
#include "types/run_header.h"

#include <algorithm>
#include <string>

namespace accelerant::io {

namespace {

[[noreturn]] void fail_levels() { throw Error(ErrorKind::Resource, "corrupt definition levels"); }

/// Copies bits from `from` at `offset` to bits [position, position + n) of `to`, which are zero.
void append_bits(const uint8_t* from, int64_t offset, int64_t n, uint8_t* to, int64_t position) {
  for (; n > 0 && (position & 7) != 0; --n, ++offset, ++position) {
    if (bits::get(from, offset)) bits::set(to, position);
  }
  bits::copy(from, offset, n, to + (position >> 3));
}

}  // namespace

void set_bits(uint8_t* bitmap, int64_t position, int64_t n) {
  for (; n > 0 && (position & 7) != 0; --n) bits::set(bitmap, position++);
  bits::fill(bitmap + (position >> 3), n, true);
}

void DefinitionLevels::reset(const uint8_t* data, int64_t num_bytes) {
  data_ = data;
  end_ = data + num_bytes;
  run_left_ = 0;
}

void DefinitionLevels::start_run() {
  types::RunHeader header;
  if (!types::read_run_header(data_, end_, header)) fail_levels();
  is_packed_ = header.is_packed;
  if (is_packed_) {
    const int64_t num_bytes = std::min(header.count, static_cast<int64_t>(end_ - data_));
    packed_ = data_;
    packed_done_ = 0;
    run_left_ = num_bytes * 8;
    data_ += num_bytes;
    return;
  }
  if (data_ >= end_ || *data_ > 1) fail_levels();
  repeated_ = *data_++ == 1;
  run_left_ = header.count;
}

bool DefinitionLevels::skip_if_all_valid(int64_t n) {
  if (n > 0 && run_left_ == 0) start_run();
  if (n > run_left_ || is_packed_ || !repeated_) return n == 0;
  run_left_ -= n;
  return true;
}

int64_t DefinitionLevels::take(int64_t n) {
  while (run_left_ == 0) start_run();
  const int64_t taken = std::min(n, run_left_);
  run_left_ -= taken;
  return taken;
}

int64_t DefinitionLevels::read(int64_t n, uint8_t* bitmap, int64_t position) {
  int64_t num_valid = 0;
  while (n > 0) {
    const int64_t taken = take(n);
    if (is_packed_) {
      append_bits(packed_, packed_done_, taken, bitmap, position);
      num_valid += bits::count(packed_, packed_done_, taken);
      packed_done_ += taken;
    } else if (repeated_) {
      set_bits(bitmap, position, taken);
      num_valid += taken;
    }
    position += taken;
    n -= taken;
  }
  return num_valid;
}

int64_t DefinitionLevels::skip(int64_t n) {
  int64_t num_valid = 0;
  while (n > 0) {
    const int64_t taken = take(n);
    if (is_packed_) {
      num_valid += bits::count(packed_, packed_done_, taken);
      packed_done_ += taken;
    } else if (repeated_) {
      num_valid += taken;
    }
    n -= taken;
  }
  return num_valid;
}

}  // namespace accelerant::io
