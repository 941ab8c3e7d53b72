#include "io/run_decoder.h"

#include "base/error.h"
#include "io/packed_integers.h"
#include "types/run_header.h"

#include <algorithm>
#include <cstring>
#include <string>

namespace accelerant::io {

namespace {

[[noreturn]] void fail_runs(const char* what) {
  throw Error(ErrorKind::Resource, std::string("corrupt runs: ") + what);
}

}  // namespace

uint32_t largest(const uint32_t* values, int64_t n) {
  uint32_t most = 0;
  for (int64_t i = 0; i < n; ++i) most = std::max(most, values[i]);
  return most;
}

void RunDecoder::reset(const uint8_t* data, int64_t num_bytes, int bit_width) {
  if (bit_width < 0 || bit_width > 32) fail_runs("the bit width is out of range");
  data_ = data;
  end_ = data + num_bytes;
  bit_width_ = bit_width;
  run_left_ = 0;
  is_packed_ = false;
  packed_bytes_ = 0;
}

void RunDecoder::start_run() {
  if (is_packed_) data_ += packed_bytes_;
  types::RunHeader header;
  if (!types::read_run_header(data_, end_, header)) fail_runs("they end too early");
  is_packed_ = header.is_packed;
  if (is_packed_) {
    // The last run may lack the bytes of its padding.
    packed_bytes_ = std::min(header.count * bit_width_, static_cast<int64_t>(end_ - data_));
    run_left_ = bit_width_ == 0 ? header.count * 8 : packed_bytes_ * 8 / bit_width_;
    packed_done_ = 0;
  } else {
    const int num_bytes = (bit_width_ + 7) / 8;
    if (end_ - data_ < num_bytes) fail_runs("they end too early");
    repeated_ = 0;
    std::memcpy(&repeated_, data_, static_cast<size_t>(num_bytes));
    data_ += num_bytes;
    run_left_ = header.count;
  }
}

template <class T>
void RunDecoder::read_runs(int64_t n, T* to) {
  while (n > 0) {
    if (run_left_ == 0) {
      start_run();
      continue;
    }
    const int64_t taken = std::min(n, run_left_);
    if (is_packed_) {
      unpack_from(data_, bit_width_, packed_done_, taken, to);
      packed_done_ += taken;
    } else {
      std::fill_n(to, taken, static_cast<T>(repeated_));
    }
    run_left_ -= taken;
    to += taken;
    n -= taken;
  }
}

void RunDecoder::read(int64_t n, uint32_t* to) { read_runs(n, to); }

void RunDecoder::read(int64_t n, uint8_t* to) { read_runs(n, to); }

void RunDecoder::skip(int64_t n) {
  while (n > 0) {
    if (run_left_ == 0) {
      start_run();
      continue;
    }
    const int64_t taken = std::min(n, run_left_);
    if (is_packed_) packed_done_ += taken;
    run_left_ -= taken;
    n -= taken;
  }
}

}  // namespace accelerant::io
