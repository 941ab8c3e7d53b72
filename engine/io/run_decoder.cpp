#include "io/run_decoder.h"

#include "base/error.h"
#include "base/macros.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <utility>

namespace accelerant::io {

namespace {

[[noreturn]] void fail_runs(const char* what) {
  throw Error(ErrorKind::Resource, std::string("corrupt runs: ") + what);
}

ACC_INLINE uint64_t load_word(const uint8_t* from) {
  uint64_t word;
  std::memcpy(&word, from, sizeof word);
  return word;
}

/// Unpacks one group: with the width known, shifts and addresses are constants.
template <int kWidth, int... kIndex>
ACC_INLINE void unpack_group(const uint8_t* from, uint32_t* to, std::integer_sequence<int, kIndex...>) {
  constexpr uint64_t kMask = (uint64_t{1} << kWidth) - 1;
  if constexpr (kWidth <= 8) {
    const uint64_t word = load_word(from);
    ((to[kIndex] = static_cast<uint32_t>((word >> (kIndex * kWidth)) & kMask)), ...);
  } else {
    ((to[kIndex] = static_cast<uint32_t>((load_word(from + kIndex * kWidth / 8) >> (kIndex * kWidth % 8)) & kMask)),
     ...);
  }
}

template <int kWidth>
void unpack_width(const uint8_t* from, int64_t num_groups, uint32_t* to) {
  for (int64_t i = 0; i < num_groups; ++i) {
    unpack_group<kWidth>(from + i * kWidth, to + i * 8, std::make_integer_sequence<int, 8>());
  }
}

using Unpack = void (*)(const uint8_t*, int64_t, uint32_t*);

template <int... kWidths>
constexpr std::array<Unpack, sizeof...(kWidths)> make_table(std::integer_sequence<int, kWidths...>) {
  return {unpack_width<kWidths>...};
}

constexpr auto kUnpackers = make_table(std::make_integer_sequence<int, 33>());

}  // namespace

void unpack_groups(const uint8_t* from, int bit_width, int64_t num_groups, uint32_t* to) {
  kUnpackers[static_cast<size_t>(bit_width)](from, num_groups, to);
}

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
  uint64_t header = 0;
  for (int shift = 0;; shift += 7) {
    if (data_ >= end_ || shift > 28) fail_runs("they end too early");
    header |= static_cast<uint64_t>(*data_ & 0x7f) << shift;
    if ((*data_++ & 0x80) == 0) break;
  }
  is_packed_ = (header & 1) != 0;
  if (is_packed_) {
    // The last run may lack the bytes of its padding.
    packed_bytes_ = std::min(static_cast<int64_t>(header >> 1) * bit_width_, static_cast<int64_t>(end_ - data_));
    run_left_ = bit_width_ == 0 ? static_cast<int64_t>(header >> 1) * 8 : packed_bytes_ * 8 / bit_width_;
    packed_done_ = 0;
  } else {
    const int num_bytes = (bit_width_ + 7) / 8;
    if (end_ - data_ < num_bytes) fail_runs("they end too early");
    repeated_ = 0;
    std::memcpy(&repeated_, data_, static_cast<size_t>(num_bytes));
    data_ += num_bytes;
    run_left_ = static_cast<int64_t>(header >> 1);
  }
}

/// Takes whole groups where it can; the ends of a group go through a small copy.
void RunDecoder::read_packed(int64_t n, uint32_t* to) {
  while (n > 0) {
    const uint8_t* group = data_ + packed_done_ / 8 * bit_width_;
    const int64_t skipped = packed_done_ % 8;
    int64_t taken = n / 8 * 8;
    if (skipped == 0 && taken > 0) {
      unpack_groups(group, bit_width_, taken / 8, to);
    } else {
      uint32_t values[8];
      unpack_groups(group, bit_width_, 1, values);
      taken = std::min(n, 8 - skipped);
      std::copy_n(values + skipped, taken, to);
    }
    packed_done_ += taken;
    to += taken;
    n -= taken;
  }
}

void RunDecoder::read(int64_t n, uint32_t* to) {
  while (n > 0) {
    if (run_left_ == 0) {
      start_run();
      continue;
    }
    const int64_t taken = std::min(n, run_left_);
    if (is_packed_) {
      read_packed(taken, to);
    } else {
      std::fill_n(to, taken, repeated_);
    }
    run_left_ -= taken;
    to += taken;
    n -= taken;
  }
}

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
